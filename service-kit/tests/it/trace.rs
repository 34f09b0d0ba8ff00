//! One trace over two hops, as a collector on loopback sees it, and the ids in the log.

use std::sync::{Arc, Mutex};

use farside_kit::config::{LogFormat, TelemetryArgs};
use farside_kit::grpc::{AllowList, Endpoint, MemoryHub};
use farside_kit::telemetry::{self, Export, TelemetryGuard};
use opentelemetry_proto::tonic::trace::v1::Span;
use sea_orm::ConnectionTrait as _;
use tokio::sync::mpsc;
use tracing::Instrument as _;
use tracing_subscriber::fmt::MakeWriter;

use crate::stand_in::{StandIn, client, export, ok, serve, tcp};

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

/// A collector on loopback, and the spans that it is sent.
async fn collector() -> (String, mpsc::UnboundedReceiver<Span>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let stand_in = StandIn::new(move |request| {
        let spans = request.into_inner().resource_spans.into_iter().flat_map(|resource| resource.scope_spans);
        spans.flat_map(|scope| scope.spans).for_each(|span| sender.send(span).unwrap());
        async { ok() }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let incoming = tonic::transport::server::TcpIncoming::from(listener);
    let router = tonic::transport::Server::builder().add_routes(stand_in.routes());
    tokio::spawn(async move { router.serve_with_incoming(incoming).await });
    (url, receiver)
}

/// The spans that arrive until they are `enough`: a server's span ends a little after its answer has been read.
async fn arrived(
    guard: TelemetryGuard,
    received: &mut mpsc::UnboundedReceiver<Span>,
    enough: impl Fn(&[Span]) -> bool,
) -> Vec<Span> {
    let guard = Arc::new(guard);
    let mut spans = Vec::new();
    while !enough(&spans) {
        let flushing = Arc::clone(&guard);
        tokio::task::spawn_blocking(move || flushing.flush()).await.unwrap();
        spans.extend(std::iter::from_fn(|| received.try_recv().ok()));
    }
    tokio::task::spawn_blocking(move || drop(guard)).await.unwrap();
    spans.extend(std::iter::from_fn(|| received.try_recv().ok()));
    spans
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
    let (url, mut received) = collector().await;
    let lines = Lines::default();
    let (subscriber, guard) =
        telemetry::subscriber(&json_logs(), "farside-test", &Export::Collector(url), lines.clone()).unwrap();
    tracing::subscriber::set_global_default(subscriber).unwrap();

    let hub = MemoryHub::new();
    let far = serve(tcp().await, hop(None, None), "near=secret", AllowList::new());
    let _near =
        serve(hub.listen("near"), hop(Some(Endpoint::url(&far.url).unwrap()), Some("secret")), "", AllowList::new());
    let metrics = far.metrics.clone();
    let root = tracing::info_span!("gateway");
    let mut near = client(&Endpoint::memory(&hub, "near"), None);
    let trace_id = async {
        export(&mut near).await.unwrap();
        telemetry::trace_id().unwrap()
    }
    .instrument(root)
    .await;
    let spans = arrived(guard, &mut received, |spans| spans.len() >= 3).await;
    assert!(spans.iter().all(|span| hex(&span.trace_id) == trace_id));
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
    let log = lines.text();
    assert_eq!(log.lines().count(), 2, "{log}");
    assert!(
        log.lines().all(|line| line.starts_with(&format!(r#"{{"trace_id":"{trace_id}""#)) && line.ends_with('}')),
        "{log}"
    );
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
    let (url, mut received) = collector().await;
    let (subscriber, guard) =
        telemetry::subscriber(&json_logs(), "farside-test", &Export::Collector(url), Lines::default()).unwrap();
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let test = farside_kit::testing::TestDatabase::sqlite();
    let db = test.connect("kit").await;
    let create = db.write::<_, (), sea_orm::DbErr>(|tx| {
        Box::pin(async move {
            tx.execute_raw(sea_orm::Statement::from_string(db_backend(tx), "CREATE TABLE notes (id INTEGER)"))
                .await
                .map(drop)
        })
    });
    create.instrument(tracing::info_span!("gateway")).await.unwrap();
    // The outermost span of a process ends after all within it.
    let spans = arrived(guard, &mut received, |spans| spans.iter().any(|span| span.name == "gateway")).await;
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
    let served = serve(hub.listen("near"), hop(None, None), "", AllowList::new());
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
