//! A trace collector within the test's process: takes OTLP over gRPC and hands the spans out. It judges nothing.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
};

use opentelemetry_proto::tonic::{
    collector::trace::v1::{
        ExportTraceServiceRequest, ExportTraceServiceResponse,
        trace_service_server::{TraceService, TraceServiceServer},
    },
    common::v1::{KeyValue, any_value::Value},
};
use tokio::{net::TcpListener, task::JoinHandle};
use tonic::{Request, Response, Status, transport::server::TcpIncoming};

use crate::wait;

/// A span as tests look at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// 32 hex digits.
    pub trace_id: String,
    /// 16 hex digits.
    pub span_id: String,
    /// 16 hex digits, or nothing for the first span of a trace.
    pub parent_span_id: Option<String>,
    /// `service.name` of the process that made it.
    pub service: String,
    /// Name.
    pub name: String,
    /// Attributes as text.
    pub attributes: BTreeMap<String, String>,
}

/// A running collector.
#[derive(Debug)]
pub struct Collector {
    address: SocketAddr,
    spans: Arc<Mutex<Vec<Span>>>,
    server: JoinHandle<()>,
}

impl Collector {
    /// Starts one on a free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
        let address = listener.local_addr().expect("a bound address");
        let spans = Arc::<Mutex<Vec<Span>>>::default();
        let service = TraceServiceServer::new(Receiver { spans: Arc::clone(&spans) });
        let server = tokio::spawn(async move {
            let router = tonic::transport::Server::builder().add_service(service);
            // It serves until the test ends and aborts it.
            let _ = router.serve_with_incoming(TcpIncoming::from(listener)).await;
        });
        Self { address, spans, server }
    }

    /// For `OTEL_EXPORTER_OTLP_ENDPOINT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Everything received so far.
    #[must_use]
    pub fn spans(&self) -> Vec<Span> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The spans of one trace so far.
    #[must_use]
    pub fn trace(&self, trace_id: &str) -> Vec<Span> {
        self.spans().into_iter().filter(|span| span.trace_id == trace_id).collect()
    }

    /// Waits until a trace fits, and returns it.
    pub async fn wait_for_trace(&self, what: &str, fits: impl Fn(&[Span]) -> bool) -> Vec<Span> {
        wait::until(what, async || {
            let mut traces = BTreeMap::<String, Vec<Span>>::new();
            for span in self.spans() {
                traces.entry(span.trace_id.clone()).or_default().push(span);
            }
            traces.into_values().find(|trace| fits(trace))
        })
        .await
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.server.abort();
    }
}

#[derive(Debug)]
struct Receiver {
    spans: Arc<Mutex<Vec<Span>>>,
}

#[tonic::async_trait]
impl TraceService for Receiver {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let received = request.into_inner();
        self.spans.lock().unwrap_or_else(PoisonError::into_inner).extend(spans(received));
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

fn spans(received: ExportTraceServiceRequest) -> impl Iterator<Item = Span> {
    received.resource_spans.into_iter().flat_map(|group| {
        let resource = group.resource.map(|resource| texts(resource.attributes)).unwrap_or_default();
        let service = resource.get("service.name").cloned().unwrap_or_default();
        group.scope_spans.into_iter().flat_map(|scope| scope.spans).map(move |span| Span {
            trace_id: hex(&span.trace_id),
            span_id: hex(&span.span_id),
            parent_span_id: (!span.parent_span_id.is_empty()).then(|| hex(&span.parent_span_id)),
            service: service.clone(),
            name: span.name,
            attributes: texts(span.attributes),
        })
    })
}

fn texts(attributes: Vec<KeyValue>) -> BTreeMap<String, String> {
    let text = |value: Value| match value {
        Value::StringValue(text) => text,
        Value::BoolValue(flag) => flag.to_string(),
        Value::IntValue(number) => number.to_string(),
        Value::DoubleValue(number) => number.to_string(),
        other => format!("{other:?}"),
    };
    let pairs = attributes.into_iter().map(|pair| (pair.key, pair.value.and_then(|value| value.value)));
    pairs.map(|(key, value)| (key, value.map(text).unwrap_or_default())).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
