//! The registry of a process's metrics, and those of its RPCs.
//!
//! Not here: metrics of one domain; each service declares its own in one file and registers them here. There is no
//! global registry: the handle is passed in. Labels are bounded: methods and codes, never ids or names.

mod certificates;
mod database;
pub(crate) mod process;

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::exemplar::HistogramWithExemplars;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::exponential_buckets;
use prometheus_client::registry::{Metric, Registry, Unit};
use tonic::Code;

pub use certificates::CertificateMetrics;
pub use database::DatabaseMetrics;

/// A cheap handle on the registry of a process.
#[derive(Clone)]
pub struct Metrics {
    registry: Arc<Mutex<Registry>>,
    rpc: RpcMetrics,
    certificates: CertificateMetrics,
    databases: DatabaseMetrics,
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Metrics {
    /// A registry with the RPC metrics in it.
    #[must_use]
    pub fn new() -> Self {
        let mut registry = Registry::default();
        let rpc = RpcMetrics::register(&mut registry);
        let certificates = CertificateMetrics::register(&mut registry);
        let databases = DatabaseMetrics::register(&mut registry);
        Self { registry: Arc::new(Mutex::new(registry)), rpc, certificates, databases }
    }

    /// The metrics of RPCs served by this process.
    #[must_use]
    pub fn rpc(&self) -> &RpcMetrics {
        &self.rpc
    }

    /// The metrics of this process's certificate.
    #[must_use]
    pub fn certificates(&self) -> &CertificateMetrics {
        &self.certificates
    }

    /// The metrics of this process's connections to databases.
    #[must_use]
    pub fn databases(&self) -> &DatabaseMetrics {
        &self.databases
    }

    /// A part of the registry whose metrics all begin with `prefix` and `_`, for example `farside_ledger`.
    #[must_use]
    pub fn sub_registry(&self, prefix: &'static str) -> SubRegistry {
        SubRegistry { metrics: self.clone(), prefix }
    }

    /// Works on the registry itself.
    pub fn with_registry<T>(&self, work: impl FnOnce(&mut Registry) -> T) -> T {
        work(&mut self.registry.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// All metrics as OpenMetrics text.
    #[must_use]
    pub fn encode(&self) -> String {
        let mut text = String::new();
        self.with_registry(|registry| prometheus_client::encoding::text::encode(&mut text, registry))
            .expect("writing into a string does not fail");
        text
    }
}

/// A part of the registry with a prefix of its own.
#[derive(Clone, Debug)]
pub struct SubRegistry {
    metrics: Metrics,
    prefix: &'static str,
}

impl SubRegistry {
    /// Registers `metric` as `prefix_name` and hands it back. Counters get `_total` in the text.
    pub fn register<M: Metric + Clone>(&self, name: &str, help: &str, metric: M) -> M {
        let name = format!("{}_{name}", self.prefix);
        self.metrics.with_registry(|registry| registry.register(name, help, metric.clone()));
        metric
    }

    /// Registers `metric` as `prefix_name_unit` and hands it back.
    pub fn register_with_unit<M: Metric + Clone>(&self, name: &str, help: &str, unit: Unit, metric: M) -> M {
        let name = format!("{}_{name}", self.prefix);
        self.metrics.with_registry(|registry| registry.register_with_unit(name, help, unit, metric.clone()));
        metric
    }
}

/// The label of an exemplar: the trace in which a value was seen.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct TraceLabel {
    /// 32 hex digits.
    pub trace_id: String,
}

/// A histogram that can name a trace for each bucket.
pub type TracedHistogram = HistogramWithExemplars<TraceLabel>;

/// Bounds of latency buckets in seconds: 0.25 ms to 8.2 s, doubling.
pub fn latency_buckets_s() -> impl Iterator<Item = f64> {
    exponential_buckets(0.000_25, 2.0, 16)
}

/// A latency histogram in seconds with the usual buckets.
#[must_use]
pub fn latency_histogram() -> TracedHistogram {
    TracedHistogram::new(latency_buckets_s())
}

/// Records a duration, and the trace of the current span when that trace is sampled.
pub fn observe(histogram: &TracedHistogram, elapsed: Duration) {
    histogram.observe(
        elapsed.as_secs_f64(),
        crate::telemetry::sampled_trace_id().map(|trace_id| TraceLabel { trace_id }),
        None,
    );
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct MethodLabels {
    grpc_service: String,
    grpc_method: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct HandledLabels {
    grpc_service: String,
    grpc_method: String,
    grpc_code: &'static str,
}

/// RPCs served: how many, with which code, how long. The names are those that gRPC dashboards know.
#[derive(Clone)]
pub struct RpcMetrics {
    handled: Family<HandledLabels, Counter>,
    seconds: Family<MethodLabels, TracedHistogram, fn() -> TracedHistogram>,
    in_flight: Gauge,
}

impl fmt::Debug for RpcMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RpcMetrics").finish_non_exhaustive()
    }
}

impl RpcMetrics {
    fn register(registry: &mut Registry) -> Self {
        let metrics = Self {
            handled: Family::default(),
            seconds: Family::new_with_constructor(latency_histogram),
            in_flight: Gauge::default(),
        };
        registry.register("grpc_server_handled", "RPCs completed, by method and status code", metrics.handled.clone());
        registry.register_with_unit(
            "grpc_server_handling",
            "Time from request to the end of the answer",
            Unit::Seconds,
            metrics.seconds.clone(),
        );
        registry.register("grpc_server_in_flight", "RPCs begun and not completed", metrics.in_flight.clone());
        metrics
    }

    /// The metrics of one method, looked up once and kept.
    #[must_use]
    pub fn method(&self, service: &str, method: &str) -> MethodMetrics {
        let labels = MethodLabels { grpc_service: service.to_owned(), grpc_method: method.to_owned() };
        MethodMetrics {
            rpc: self.clone(),
            labels,
            seconds: OnceLock::new(),
            by_code: std::array::from_fn(|_| OnceLock::new()),
        }
    }
}

const CODES: usize = 17;

/// The metrics of one method; counting a call takes no look-up. A series appears with the first call.
#[derive(Debug)]
pub struct MethodMetrics {
    rpc: RpcMetrics,
    labels: MethodLabels,
    seconds: OnceLock<TracedHistogram>,
    by_code: [OnceLock<Counter>; CODES],
}

impl MethodMetrics {
    /// A call has begun.
    pub fn begin(&self) {
        self.rpc.in_flight.inc();
    }

    /// A call that had begun is over. Call it within the call's span, so that its trace can be named.
    pub fn end(&self, code: Code, elapsed: Duration) {
        self.rpc.in_flight.dec();
        self.counter(code).inc();
        observe(self.seconds.get_or_init(|| self.rpc.seconds.get_or_create_owned(&self.labels)), elapsed);
    }

    fn counter(&self, code: Code) -> &Counter {
        self.by_code[code as usize].get_or_init(|| {
            self.rpc.handled.get_or_create_owned(&HandledLabels {
                grpc_service: self.labels.grpc_service.clone(),
                grpc_method: self.labels.grpc_method.clone(),
                grpc_code: code_name(code),
            })
        })
    }
}

/// The name of a status code as dashboards spell it.
#[must_use]
pub const fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "Canceled",
        Code::Unknown => "Unknown",
        Code::InvalidArgument => "InvalidArgument",
        Code::DeadlineExceeded => "DeadlineExceeded",
        Code::NotFound => "NotFound",
        Code::AlreadyExists => "AlreadyExists",
        Code::PermissionDenied => "PermissionDenied",
        Code::ResourceExhausted => "ResourceExhausted",
        Code::FailedPrecondition => "FailedPrecondition",
        Code::Aborted => "Aborted",
        Code::OutOfRange => "OutOfRange",
        Code::Unimplemented => "Unimplemented",
        Code::Internal => "Internal",
        Code::Unavailable => "Unavailable",
        Code::DataLoss => "DataLoss",
        Code::Unauthenticated => "Unauthenticated",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_counted_by_method_and_code() {
        let metrics = Metrics::new();
        let hold = metrics.rpc().method("farside.ledger.v1.LedgerService", "Hold");
        hold.begin();
        hold.end(Code::NotFound, Duration::from_millis(3));
        let text = metrics.encode();
        assert!(text.contains(
            r#"grpc_server_handled_total{grpc_service="farside.ledger.v1.LedgerService",grpc_method="Hold",grpc_code="NotFound"} 1"#
        ));
        assert!(text.contains("grpc_server_handling_seconds_bucket"));
        assert!(text.contains("grpc_server_in_flight 0"));
    }

    #[test]
    fn a_part_of_the_registry_has_its_prefix() {
        let metrics = Metrics::new();
        let counter: Counter =
            metrics.sub_registry("farside_ledger").register("postings", "Postings made", Counter::default());
        counter.inc();
        assert!(metrics.encode().contains("farside_ledger_postings_total 1"));
    }
}
