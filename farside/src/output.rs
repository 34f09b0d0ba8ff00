//! Lines for the person at the terminal: the one place that writes to standard output.

use std::{fmt, io::Write as _};

/// Writes one line. A reader that has gone away is no fault of the command's.
pub(crate) fn say(line: fmt::Arguments<'_>) {
    let _gone = writeln!(std::io::stdout().lock(), "{line}");
}
