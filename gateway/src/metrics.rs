//! The gateway's metrics, declared in one place: requests, streams, limits, load.
//!
//! Labels are bounded: methods, routes as they are declared, statuses. Never ids, names or addresses.

use std::time::Duration;

use farside_kit::metrics::{Metrics, TracedHistogram, latency_histogram, observe};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Unit;

/// Labels of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    method: String,
    route: String,
    status: u16,
}

/// Labels of a request's duration.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    method: String,
    route: String,
}

/// Labels of what was refused by a limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct QuotaLabels {
    quota: &'static str,
}

/// The gateway's metrics.
#[derive(Clone, Debug)]
pub struct GatewayMetrics {
    requests: Family<RequestLabels, Counter>,
    durations: Family<RouteLabels, TracedHistogram, fn() -> TracedHistogram>,
    limited: Family<QuotaLabels, Counter>,
    shed: Counter,
    beats_missed: Counter,
    streams: Gauge,
    stream_lag: TracedHistogram,
}

impl GatewayMetrics {
    /// Registers the metrics.
    #[must_use]
    pub fn register(metrics: &Metrics) -> Self {
        let registry = metrics.sub_registry("farside_gateway");
        let durations = Family::new_with_constructor(latency_histogram as fn() -> TracedHistogram);
        Self {
            requests: registry.register("http_requests", "Requests answered", Family::default()),
            durations: registry.register_with_unit(
                "http_request_duration",
                "Time from a request's head to the head of its answer",
                Unit::Seconds,
                durations,
            ),
            limited: registry.register("rate_limited", "Requests refused by a limit", Family::default()),
            shed: registry.register("shed", "Requests refused because too many were under way", Counter::default()),
            beats_missed: registry.register(
                "beats_missed",
                "Beats that did not reach the database",
                Counter::default(),
            ),
            streams: registry.register("streams", "Event streams open", Gauge::default()),
            stream_lag: registry.register_with_unit(
                "stream_lag",
                "Time from an event to its being handed to a stream that waits for it",
                Unit::Seconds,
                latency_histogram(),
            ),
        }
    }

    /// A request was answered.
    pub fn answered(&self, method: &str, route: &str, status: u16, elapsed: Duration) {
        let (method, route) = (method.to_owned(), route.to_owned());
        let labels = RequestLabels { method: method.clone(), route: route.clone(), status };
        self.requests.get_or_create(&labels).inc();
        observe(&self.durations.get_or_create(&RouteLabels { method, route }), elapsed);
    }

    /// A request was refused by a quota.
    pub fn limited(&self, quota: &'static str) {
        self.limited.get_or_create(&QuotaLabels { quota }).inc();
    }

    /// A request was refused because too many were under way.
    pub fn shed(&self) {
        self.shed.inc();
    }

    /// A beat did not reach the database.
    pub fn beat_missed(&self) {
        self.beats_missed.inc();
    }

    /// An event was handed to a stream so long after it happened.
    pub fn handed_on(&self, lag: Duration) {
        observe(&self.stream_lag, lag);
    }

    /// A stream was opened.
    pub fn stream_opened(&self) {
        self.streams.inc();
    }

    /// A stream was closed.
    pub fn stream_closed(&self) {
        self.streams.dec();
    }
}
