//! One trace over two hops, as a collector on loopback sees it, and the ids in the log.

use std::sync::{Arc, Mutex, OnceLock};

use farside_kit::config::{LogFormat, TelemetryArgs};
use farside_kit::grpc::{Endpoint, MemoryHub};
use farside_kit::telemetry::{self, Export, TelemetryGuard};
use opentelemetry_proto::tonic::trace::v1::Span;
use sea_orm::ConnectionTrait as _;
use tracing::Instrument as _;
use tracing_subscriber::fmt::MakeWriter;

use crate::stand_in::{StandIn, client, every_service, export, ok, serve, tcp};

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

fn json_logs() -> TelemetryArgs {
    TelemetryArgs { log_format: LogFormat::Json, log_level: "farside=off,it=info".to_owned() }
}

/// The one subscriber of this process, and what its collector has received. Tests look for their own trace in it, since
/// others of the same process are told there too.
struct Observed {
    guard: TelemetryGuard,
    spans: Arc<Mutex<Vec<Span>>>,
    lines: Lines,
    /// The collector and the exporter live as long as the process.
    _runtime: tokio::runtime::Runtime,
}

impl Observed {
    fn start() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (lines, spans) = (Lines::default(), Arc::<Mutex<Vec<Span>>>::default());
        let url = runtime.block_on(collector(Arc::clone(&spans)));
        let within = runtime.enter();
        let export = Export::Collector(url);
        let (subscriber, guard) = telemetry::subscriber(&json_logs(), "farside-test", &export, lines.clone()).unwrap();
        tracing::subscriber::set_global_default(subscriber).unwrap();
        drop(within);
        Self { guard, spans, lines, _runtime: runtime }
    }

    fn spans_of(&self, trace_id: &str) -> Vec<Span> {
        let spans = self.spans.lock().unwrap();
        spans.iter().filter(|span| hex(&span.trace_id) == trace_id).cloned().collect()
    }

    fn log_of(&self, trace_id: &str) -> Vec<String> {
        self.lines.text().lines().filter(|line| line.contains(trace_id)).map(str::to_owned).collect()
    }
}

/// What this process tells; a runtime of its own must not be made within that of a test.
async fn observed() -> &'static Observed {
    static OBSERVED: OnceLock<Observed> = OnceLock::new();
    tokio::task::spawn_blocking(|| {
        OBSERVED.get_or_init(|| std::thread::spawn(Observed::start).join().expect("telemetry starts"))
    })
    .await
    .unwrap()
}

/// A collector on loopback that keeps the spans that it is sent.
async fn collector(spans: Arc<Mutex<Vec<Span>>>) -> String {
    let stand_in = StandIn::new(move |request| {
        let sent = request.into_inner().resource_spans.into_iter().flat_map(|resource| resource.scope_spans);
        spans.lock().unwrap().extend(sent.flat_map(|scope| scope.spans));
        async { ok() }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let incoming = tonic::transport::server::TcpIncoming::from(listener);
    let router = tonic::transport::Server::builder().add_routes(stand_in.routes());
    tokio::spawn(async move { router.serve_with_incoming(incoming).await });
    url
}

/// The spans of a trace once they are `enough`: a server's span ends a little after its answer has been read.
async fn arrived(observed: &'static Observed, trace_id: &str, enough: impl Fn(&[Span]) -> bool) -> Vec<Span> {
    loop {
        tokio::task::spawn_blocking(|| observed.guard.flush()).await.unwrap();
        let spans = observed.spans_of(trace_id);
        if enough(&spans) {
            return spans;
        }
    }
}

/// A service that logs and calls the next one.
fn hop(next: Option<Endpoint>, token: Option<&'static str>) -> StandIn {
    let next = next.map(|endpoint| client(&endpoint, token));
    StandIn::new(move |_| {
        let next = next.clone();
        async move {
            tracing::info!("called");
            match next {
                Some(mut next) => export(&mut next).await,
                None => ok(),
            }
        }
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_move_is_one_trace_over_two_hops() {
    let observed = observed().await;
    let hub = MemoryHub::new();
    let far = serve(tcp().await, hop(None, None), "near=secret", every_service());
    let _near =
        serve(hub.listen("near"), hop(Some(Endpoint::url(&far.url).unwrap()), Some("secret")), "", every_service());
    let metrics = far.metrics.clone();
    let root = tracing::info_span!("gateway");
    let mut near = client(&Endpoint::memory(&hub, "near"), None);
    let trace_id = async {
        export(&mut near).await.unwrap();
        telemetry::trace_id().unwrap()
    }
    .instrument(root)
    .await;
    let spans = arrived(observed, &trace_id, |spans| spans.len() >= 3).await;
    assert_eq!(spans.len(), 3, "{spans:?}");
    let root = spans.iter().find(|span| span.name == "gateway").unwrap();
    let near = spans.iter().find(|span| span.parent_span_id == root.span_id).unwrap();
    let far = spans.iter().find(|span| span.parent_span_id == near.span_id).unwrap();
    for span in [near, far] {
        assert_eq!(span.kind, 2, "a server's span");
        assert_eq!(span.name, "opentelemetry.proto.collector.trace.v1.TraceService/Export");
    }
    assert_eq!(attribute(near, telemetry::fields::CALLER), "in-process");
    assert_eq!(attribute(far, telemetry::fields::CALLER), "near");
    let log = observed.log_of(&trace_id);
    assert_eq!(log.len(), 2, "{log:?}");
    let begins = format!(r#"{{"trace_id":"{trace_id}""#);
    assert!(log.iter().all(|line| line.starts_with(&begins) && line.ends_with('}')), "{log:?}");
    assert!(metrics.encode().contains(&format!(r##"# {{trace_id="{trace_id}"}}"##)), "an exemplar names the trace");
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn attribute<'a>(span: &'a Span, key: &str) -> &'a str {
    use opentelemetry_proto::tonic::common::v1::any_value::Value;
    let found = span.attributes.iter().find(|attribute| attribute.key == key).unwrap();
    match &found.value.as_ref().unwrap().value {
        Some(Value::StringValue(text)) => text,
        other => panic!("{key} is {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_trace_goes_on_to_the_database_statement() {
    let observed = observed().await;
    let test = farside_kit::testing::TestDatabase::sqlite();
    let db = test.connect("kit").await;
    let create = db.write::<_, (), sea_orm::DbErr>(|tx| {
        Box::pin(async move {
            tx.execute_raw(sea_orm::Statement::from_string(db_backend(tx), "CREATE TABLE notes (id INTEGER)"))
                .await
                .map(drop)
        })
    });
    let root = tracing::info_span!("gateway");
    let trace_id = root.in_scope(telemetry::trace_id).unwrap();
    create.instrument(root).await.unwrap();
    // The outermost span of a process ends after all within it.
    let spans = arrived(observed, &trace_id, |spans| spans.iter().any(|span| span.name == "gateway")).await;
    let root = spans.iter().find(|span| span.name == "gateway").unwrap();
    let write = spans.iter().find(|span| span.name == "db.write").unwrap();
    assert_eq!(write.parent_span_id, root.span_id);
    let is_statement = |span: &&Span| span.parent_span_id == write.span_id && span.name == "sea_orm.execute";
    assert!(
        spans.iter().find(is_statement).is_some_and(|span| attribute(span, "db.statement").starts_with("CREATE TABLE"))
    );
}

fn db_backend(tx: &sea_orm::DatabaseTransaction) -> sea_orm::DbBackend {
    tx.get_database_backend()
}

#[tokio::test]
async fn ids_are_made_and_passed_on_when_nothing_is_exported() {
    let lines = Lines::default();
    let (subscriber, _guard) =
        telemetry::subscriber(&json_logs(), "farside-test", &Export::Off, lines.clone()).unwrap();
    let _default = tracing::subscriber::set_default(subscriber);
    let hub = MemoryHub::new();
    let served = serve(hub.listen("near"), hop(None, None), "", every_service());
    let mut near = client(&Endpoint::memory(&hub, "near"), None);
    let trace_id = async {
        export(&mut near).await.unwrap();
        telemetry::trace_id().unwrap()
    }
    .instrument(tracing::info_span!("gateway"))
    .await;
    assert!(lines.text().contains(&trace_id), "{}", lines.text());
    assert!(!served.metrics.encode().contains(&trace_id), "a trace that is not kept is no exemplar");
}
