//! Log lines with the id of their trace.
//!
//! Not here: what is logged and at which level.

use std::fmt;

use opentelemetry::trace::SpanContext;
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::{fields, propagation};

/// How the ids are put into a finished line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// As the first members of a JSON object.
    Json,
    /// At the end of a line of text.
    Text,
}

/// Another format, with the ids of trace and span added.
#[derive(Debug)]
pub(super) struct WithTrace<F> {
    pub(super) inner: F,
    pub(super) place: Place,
}

impl<S, N, F> FormatEvent<S, N> for WithTrace<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let Some((trace, span)) = propagation::present(SpanContext::is_valid) else {
            return self.inner.format_event(context, writer, event);
        };
        let mut line = String::new();
        self.inner.format_event(context, Writer::new(&mut line), event)?;
        let (trace_key, span_key) = (fields::TRACE_ID, fields::SPAN_ID);
        match (self.place, line.strip_prefix('{')) {
            (Place::Json, Some(rest)) => write!(writer, r#"{{"{trace_key}":"{trace}","{span_key}":"{span}",{rest}"#),
            _ => writeln!(writer, "{} {trace_key}={trace}", line.trim_end()),
        }
    }
}
