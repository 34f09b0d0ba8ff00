//! W3C trace context in and out of headers, and the id of the present trace.
//!
//! Not here: baggage; nothing but the trace travels.

use http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::Context;
use opentelemetry::propagation::{Extractor, Injector, TextMapPropagator as _};
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt as _, TraceId};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use std::sync::LazyLock;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

static PROPAGATOR: LazyLock<TraceContextPropagator> = LazyLock::new(TraceContextPropagator::new);

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

struct Incoming<'a>(&'a HeaderMap);

impl Extractor for Incoming<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(|value| value.to_str().ok())
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}

struct Outgoing<'a>(&'a mut HeaderMap);

impl Injector for Outgoing<'_> {
    fn set(&mut self, key: &str, value: String) {
        // An empty tracestate says nothing and is left out.
        if value.is_empty() {
            return;
        }
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(key), HeaderValue::try_from(value)) {
            self.0.insert(name, value);
        }
    }
}

/// Makes `span` a child of the span that these headers tell of, if any. Call it before the span is entered.
pub fn continue_trace(span: &Span, headers: &HeaderMap) {
    if !headers.contains_key(TRACEPARENT) || span.is_disabled() {
        return;
    }
    let parent = PROPAGATOR.extract(&Incoming(headers));
    if parent.span().span_context().is_valid() {
        // Refused only when spans are not traced at all, and then there is nothing to join.
        let _ = span.set_parent(parent);
    }
}

/// Writes the present span into `headers`.
pub fn inject_headers(headers: &mut HeaderMap) {
    Context::map_current(|context| {
        if context.has_active_span() {
            PROPAGATOR.inject_context(context, &mut Outgoing(headers));
        }
    });
}

/// Writes the present span into the metadata of a request. Clients made with the kit do it by themselves.
pub fn inject<T>(request: &mut tonic::Request<T>) {
    let mut headers = std::mem::take(request.metadata_mut()).into_headers();
    inject_headers(&mut headers);
    *request.metadata_mut() = tonic::metadata::MetadataMap::from_headers(headers);
}

/// The id of the present trace: 32 hex digits. None outside of any span, or when spans are not traced.
#[must_use]
pub fn trace_id() -> Option<String> {
    present(SpanContext::is_valid).map(|(trace, _)| trace.to_string())
}

/// As [`trace_id`], but only when the trace is being kept, so that it can be looked up.
#[must_use]
pub fn sampled_trace_id() -> Option<String> {
    present(SpanContext::is_sampled).map(|(trace, _)| trace.to_string())
}

/// The ids of the present span, when it is as asked.
pub(super) fn present(is_wanted: impl Fn(&SpanContext) -> bool) -> Option<(TraceId, SpanId)> {
    Context::map_current(|context| {
        let span = context.span();
        let span_context = span.span_context();
        is_wanted(span_context).then(|| (span_context.trace_id(), span_context.span_id()))
    })
}
