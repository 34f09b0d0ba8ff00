//! Lines for the person at the terminal: the one place that writes to standard output.

use std::{fmt, io::Write as _};

use farside_kit::time::UnixMs;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// Writes one line. A reader that has gone away is no fault of the command's.
pub(crate) fn say(line: fmt::Arguments<'_>) {
    let _gone = writeln!(std::io::stdout().lock(), "{line}");
}

/// A moment as RFC 3339 writes it, in UTC.
pub(crate) fn moment(at: UnixMs) -> String {
    let moment = OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.0) * 1_000_000);
    moment.ok().and_then(|moment| moment.format(&Rfc3339).ok()).unwrap_or_else(|| at.to_string())
}
