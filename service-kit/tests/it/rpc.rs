//! Calls over memory and TCP: who may call, what is counted, and what becomes of panics, deadlines and restarts.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use farside_kit::admin::Readiness;
use farside_kit::fault::{Kind, Remote};
use farside_kit::grpc::{
    AllowList, Endpoint, Listener, MemoryHub, RetryPolicy, Server, ServiceTokens, Tls, TlsArgs, Traced, caller,
    renewal, retry,
};
use farside_kit::metrics::Metrics;
use farside_kit::shutdown::Shutdown;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_client::TraceServiceClient;
use tonic::{Response, Status};
use tonic_health::ServingStatus;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::stand_in::{self, EXPORT, SERVICE, StandIn, client, every_service, export, ok, serve, tcp};

/// Tells the caller's name as the message of a status.
fn who() -> StandIn {
    StandIn::new(|request| async move {
        let name = caller(&request).map(|caller| caller.name().to_owned());
        Err(Status::not_found(name.unwrap_or_default()))
    })
}

async fn told(endpoint: &Endpoint, token: Option<&str>) -> Remote {
    told_by(&client(endpoint, token)).await
}

async fn told_by(client: &TraceServiceClient<Traced>) -> Remote {
    Remote::from(export(&mut client.clone()).await.unwrap_err())
}

#[tokio::test]
async fn a_caller_in_the_same_process_is_known_without_a_token() {
    let hub = MemoryHub::new();
    let _served = serve(hub.listen("who"), who(), "", AllowList::new().method(EXPORT, &["gateway"]));
    assert_eq!(told(&Endpoint::memory(&hub, "who"), None).await.message, "in-process");
}

#[tokio::test]
async fn callers_over_tcp_are_told_apart_by_their_tokens() {
    let served =
        serve(tcp().await, who(), "gateway=one,match-svc=two", AllowList::new().method(EXPORT, &["match-svc"]));
    let endpoint = Endpoint::url(&served.url).unwrap();
    for (token, kind, reason) in [
        (None, Kind::Unauthenticated, "SERVICE_TOKEN_MISSING"),
        (Some("three"), Kind::Unauthenticated, "SERVICE_TOKEN_UNKNOWN"),
        (Some("one"), Kind::PermissionDenied, "SERVICE_NOT_ALLOWED"),
    ] {
        let remote = told(&endpoint, token).await;
        assert_eq!((remote.kind, remote.reason.as_str()), (kind, reason));
    }
    assert_eq!(told(&endpoint, Some("two")).await.message, "match-svc");
}

#[tokio::test]
async fn a_server_without_tokens_answers_health_alone() {
    let served = serve(tcp().await, who(), "", every_service());
    let endpoint = Endpoint::url(&served.url).unwrap();
    assert_eq!(told(&endpoint, Some("any")).await.kind, Kind::Unauthenticated);
    let mut health = HealthClient::new(endpoint.connect());
    for service in ["", "stand-in", SERVICE] {
        let answer = health.check(HealthCheckRequest { service: service.to_owned() }).await.unwrap();
        assert_eq!(answer.into_inner().status, 1, "{service}");
    }
}

#[tokio::test]
async fn reflection_lists_what_is_served_without_a_token() {
    use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
    use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
    use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;
    let served = serve(tcp().await, who(), "", every_service());
    let mut reflection = ServerReflectionClient::new(Endpoint::url(&served.url).unwrap().connect());
    let question = MessageRequest::ListServices(String::new());
    let question =
        tonic_reflection::pb::v1::ServerReflectionRequest { message_request: Some(question), ..Default::default() };
    let answers = reflection.server_reflection_info(tokio_stream::iter([question])).await.unwrap();
    let answer = answers.into_inner().message().await.unwrap().unwrap().message_response;
    let Some(MessageResponse::ListServicesResponse(list)) = answer else { panic!("{answer:?}") };
    let mut names: Vec<String> = list.service.into_iter().map(|service| service.name).collect();
    names.sort();
    assert_eq!(names, ["grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection", SERVICE]);
}

#[tokio::test]
async fn a_stream_is_counted_when_it_ends() {
    let hub = MemoryHub::new();
    let served = serve(hub.listen("stream"), who(), "", every_service());
    let mut health = HealthClient::new(Endpoint::memory(&hub, "stream").connect());
    let mut stream = health.watch(HealthCheckRequest { service: String::new() }).await.unwrap().into_inner();
    assert_eq!(stream.message().await.unwrap().unwrap().status, 1);
    assert!(served.metrics.encode().contains("grpc_server_in_flight 1"));
    drop((stream, health));
    served.shutdown.trigger();
    assert!(served.tasks.drain(Duration::from_secs(20)).await);
    let text = served.metrics.encode();
    assert!(text.contains(r#"grpc_method="Watch",grpc_code="Canceled"} 1"#), "{text}");
    assert!(text.contains("grpc_server_in_flight 0"));
}

#[tokio::test]
async fn with_mutual_tls_only_certificates_of_the_authority_are_let_in() {
    let (ours, theirs) = (Authority::new(), Authority::new());
    let listener = tcp().await.secured(Some(ours.issue()));
    let served = serve(listener, who(), "gateway=one", every_service());
    let url = served.url.replace("http://127.0.0.1", "https://localhost");
    let told_as = async |tls: &Tls| told(&Endpoint::secured_url(&url, tls).unwrap(), Some("one")).await;
    assert_eq!(told_as(&ours.issue()).await.message, "gateway");
    let (cert, key) = theirs.issue_pem();
    let stranger = Tls::new(cert, key, ours.pem()).unwrap();
    for refused in [theirs.issue(), stranger] {
        assert_eq!(told_as(&refused).await.kind, Kind::Unavailable);
    }
    let plain = Endpoint::url(&served.url).unwrap();
    assert_eq!(told(&plain, Some("one")).await.kind, Kind::Unavailable);
}

/// Issues certificates for services on this machine.
struct Authority {
    issuer: rcgen::CertifiedIssuer<'static, rcgen::KeyPair>,
}

impl Authority {
    fn new() -> Self {
        let mut params = rcgen::CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let issuer = rcgen::CertifiedIssuer::self_signed(params, rcgen::KeyPair::generate().unwrap()).unwrap();
        Self { issuer }
    }

    fn pem(&self) -> String {
        self.issuer.pem()
    }

    fn issue_pem(&self) -> (String, String) {
        let key = rcgen::KeyPair::generate().unwrap();
        let params = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        (params.signed_by(&key, &self.issuer).unwrap().pem(), key.serialize_pem())
    }

    fn issue(&self) -> Tls {
        let (cert, key) = self.issue_pem();
        Tls::new(cert, key, self.pem()).unwrap()
    }
}

/// The three files of a service, and the following of them.
struct Files {
    folder: tempfile::TempDir,
    args: TlsArgs,
    tls: Tls,
    metrics: Metrics,
    shutdown: Shutdown,
}

impl Files {
    fn of(authority: &Authority) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| Some(folder.path().join(name));
        let args = TlsArgs { tls_cert: path("cert"), tls_key: path("key"), tls_ca: path("ca") };
        write(&folder, authority.issue_pem(), &authority.pem());
        let tls = args.load().unwrap().unwrap();
        let (metrics, shutdown) = (Metrics::new(), Shutdown::new());
        let certificates = metrics.certificates().clone();
        tokio::spawn(renewal::follow(args.clone(), tls.clone(), certificates, shutdown.clone()));
        Self { folder, args, tls, metrics, shutdown }
    }

    /// Puts other files in place and waits until they are in use.
    async fn renew(&self, leaf: (String, String), authorities: &str) {
        let before = self.count("renewals");
        write(&self.folder, leaf, authorities);
        while self.count("renewals") == before {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn count(&self, what: &str) -> u64 {
        let (text, name) = (self.metrics.encode(), format!("farside_tls_{what}_total "));
        text.lines().find_map(|line| line.strip_prefix(&name)?.parse().ok()).unwrap()
    }
}

fn write(folder: &tempfile::TempDir, (cert, key): (String, String), authorities: &str) {
    // In this order, half of a change is no pair of certificate and key, and is not used.
    for (name, text) in [("key", key.as_str()), ("ca", authorities), ("cert", cert.as_str())] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
}

#[tokio::test]
async fn certificates_and_their_authority_change_under_running_calls() {
    let (old, new) = (Authority::new(), Authority::new());
    let (server, caller) = (Files::of(&old), Files::of(&old));
    let served = serve(tcp().await.secured(Some(server.tls.clone())), who(), "gateway=one", every_service());
    let url = served.url.replace("http://127.0.0.1", "https://localhost");
    let kept = Endpoint::secured_url(&url, &caller.tls).unwrap();
    let open = crate::stand_in::client(&kept, Some("one"));
    assert_eq!(told_by(&open).await.message, "gateway");
    let (cert, key) = old.issue_pem();
    let held_back = Tls::new(cert, key, old.pem() + &new.pem()).unwrap();
    let held_back = Endpoint::secured_url(&url, &held_back).unwrap();

    std::fs::write(server.folder.path().join("cert"), "no certificate").unwrap();
    while server.count("refused_renewals") == 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(told(&kept, Some("one")).await.message, "gateway", "what cannot be used changes nothing");
    assert!(server.args.load().is_err());

    let both = old.pem() + &new.pem();
    for files in [&server, &caller] {
        files.renew(old.issue_pem(), &both).await;
    }
    for files in [&server, &caller] {
        files.renew(new.issue_pem(), &both).await;
        assert_eq!(told_by(&open).await.message, "gateway", "calls go on");
    }
    for files in [&server, &caller] {
        files.renew(new.issue_pem(), &new.pem()).await;
        assert_eq!(told_by(&open).await.message, "gateway", "calls go on");
    }
    assert_eq!(told(&kept, Some("one")).await.message, "gateway", "so do new connections");
    assert_eq!(told(&held_back, Some("one")).await.kind, Kind::Unavailable, "the old authority is believed no more");
    for files in [&server, &caller] {
        files.shutdown.trigger();
    }
}

#[tokio::test]
async fn a_list_that_names_no_method_or_misses_one_keeps_the_server_from_starting() {
    let hub = MemoryHub::new();
    for (list, named) in [
        (every_service().method("/farside.Nothing/Nothing", &[]), "/farside.Nothing/Nothing"),
        (AllowList::new(), EXPORT),
    ] {
        let server = Server::new("wrong", &Metrics::new()).descriptors(stand_in::descriptors()).allow(list);
        let refused = server.serve(hub.listen("wrong"), who().routes(), Shutdown::new()).await;
        assert!(refused.unwrap_err().to_string().contains(named), "{named}");
    }
}

#[tokio::test]
async fn what_is_no_method_of_the_contracts_is_refused_to_everybody() {
    let server = Server::new("bare", &Metrics::new()).known("gateway=one".parse::<ServiceTokens>().unwrap().into());
    let (listener, shutdown) = (tcp().await, Shutdown::new());
    let url = format!("http://{}", listener.local_addr().unwrap());
    let serving = tokio::spawn(server.serve(listener, who().routes(), shutdown.clone()));
    let remote = told(&Endpoint::url(&url).unwrap(), Some("one")).await;
    assert_eq!((remote.kind, remote.reason.as_str()), (Kind::PermissionDenied, "SERVICE_NOT_ALLOWED"));
    shutdown.trigger();
    serving.await.unwrap().unwrap();
}

#[tokio::test]
async fn health_says_what_readiness_says() {
    let (hub, readiness, shutdown) = (MemoryHub::new(), Readiness::new(), Shutdown::new());
    let check = readiness.register("database");
    let server = Server::new("ready", &Metrics::new()).readiness(readiness);
    let serving = tokio::spawn(server.serve(hub.listen("ready"), who().routes(), shutdown.clone()));
    let mut health = HealthClient::new(Endpoint::memory(&hub, "ready").connect());
    let mut told = health.watch(HealthCheckRequest { service: "ready".to_owned() }).await.unwrap().into_inner();
    for holds in [false, true, false, true] {
        check.set(holds);
        let status = if holds { ServingStatus::Serving } else { ServingStatus::NotServing };
        while told.message().await.unwrap().unwrap().status != status as i32 {}
    }
    shutdown.trigger();
    while told.message().await.unwrap().unwrap().status != ServingStatus::NotServing as i32 {}
    drop((told, health));
    serving.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_reserved_address_refuses_calls_until_it_is_served() {
    let listener = Listener::reserved("127.0.0.1:0".parse().unwrap()).unwrap();
    let endpoint = Endpoint::url(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    assert_eq!(told(&endpoint, Some("one")).await.kind, Kind::Unavailable);
    let _served = serve(listener, StandIn::new(|_| async { ok() }), "gateway=one", every_service());
    let call = || {
        let mut client = client(&endpoint, Some("one"));
        async move { export(&mut client).await }
    };
    retry(RetryPolicy::within(Duration::from_secs(20)), call).await.unwrap();
}

#[tokio::test]
async fn calls_are_counted_by_method_and_code() {
    let hub = MemoryHub::new();
    let calls = AtomicUsize::new(0);
    let stand_in = StandIn::new(move |_| {
        let nth = calls.fetch_add(1, Ordering::Relaxed);
        async move { if nth == 0 { ok() } else { Err(Status::aborted("raced")) } }
    });
    let served = serve(hub.listen("count"), stand_in, "", every_service());
    let mut client = client(&Endpoint::memory(&hub, "count"), None);
    export(&mut client).await.unwrap();
    export(&mut client).await.unwrap_err();
    let unknown = tonic::client::Grpc::new(farside_kit::grpc::channel(
        &Endpoint::memory(&hub, "count"),
        None,
        Duration::from_secs(9),
    ));
    call_unknown(unknown).await;
    served.shutdown.trigger();
    assert!(served.tasks.drain(Duration::from_secs(20)).await);
    let text = served.metrics.encode();
    for (service, method, code) in
        [(SERVICE, "Export", "OK"), (SERVICE, "Export", "Aborted"), ("unknown", "unknown", "Unimplemented")]
    {
        let series = format!(
            r#"grpc_server_handled_total{{grpc_service="{service}",grpc_method="{method}",grpc_code="{code}"}} 1"#
        );
        assert!(text.contains(&series), "{series}\n{text}");
    }
    assert!(text.contains("grpc_server_in_flight 0"));
}

async fn call_unknown(mut grpc: tonic::client::Grpc<farside_kit::grpc::Traced>) {
    let codec = tonic_prost::ProstCodec::<HealthCheckRequest, HealthCheckRequest>::default();
    let path = http::uri::PathAndQuery::from_static("/farside.Nothing/Nothing");
    grpc.ready().await.unwrap();
    let refused: Result<Response<HealthCheckRequest>, _> =
        grpc.unary(tonic::Request::new(HealthCheckRequest::default()), path, codec).await;
    assert_eq!(refused.unwrap_err().code(), tonic::Code::Unimplemented);
}

#[tokio::test]
async fn a_panic_is_an_internal_fault_and_harms_no_other_call() {
    let hub = MemoryHub::new();
    let stand_in = StandIn::new(|request| async move {
        assert!(!request.metadata().contains_key("x-break"), "broken on purpose");
        ok()
    });
    let _served = serve(hub.listen("panic"), stand_in, "", every_service());
    let mut client = client(&Endpoint::memory(&hub, "panic"), None);
    let mut request = tonic::Request::new(Default::default());
    request.metadata_mut().insert("x-break", "1".parse().unwrap());
    let remote = Remote::from(client.export(request).await.unwrap_err());
    assert_eq!((remote.kind, remote.message.as_str()), (Kind::Internal, "internal error"));
    export(&mut client).await.unwrap();
}

#[tokio::test]
async fn every_call_has_a_deadline() {
    let hub = MemoryHub::new();
    let seen = Arc::new(std::sync::Mutex::new(None));
    let noted = Arc::clone(&seen);
    let stand_in = StandIn::new(move |request| {
        *noted.lock().unwrap() = request.metadata().get("grpc-timeout").cloned();
        std::future::pending()
    });
    let _served = serve(hub.listen("slow"), stand_in, "", every_service());
    let channel = farside_kit::grpc::channel(&Endpoint::memory(&hub, "slow"), None, Duration::from_millis(50));
    let mut client =
        opentelemetry_proto::tonic::collector::trace::v1::trace_service_client::TraceServiceClient::new(channel);
    let remote = Remote::from(export(&mut client).await.unwrap_err());
    assert_eq!(seen.lock().unwrap().as_ref().unwrap(), "50m");
    assert_eq!((remote.kind, remote.reason.as_str()), (Kind::DeadlineExceeded, "DEADLINE_EXCEEDED"));
}

#[tokio::test]
async fn a_connection_that_breaks_during_a_call_is_unavailable() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (mut connection, _) = listener.accept().await.unwrap();
            // Takes what arrives first, then goes away.
            let _ = tokio::io::AsyncReadExt::read(&mut connection, &mut [0; 64]).await;
        }
    });
    let remote = told(&Endpoint::url(&url).unwrap(), None).await;
    assert_eq!((remote.kind, remote.reason.as_str()), (Kind::Unavailable, "UNAVAILABLE"));
}

#[tokio::test]
async fn a_channel_finds_a_server_that_starts_late_or_again() {
    let hub = MemoryHub::new();
    let mut client = client(&Endpoint::memory(&hub, "late"), None);
    assert_eq!(Remote::from(export(&mut client).await.unwrap_err()).reason, "UNAVAILABLE");
    for _ in 0..2 {
        let served = serve(hub.listen("late"), StandIn::new(|_| async { ok() }), "", every_service());
        let calls = || {
            let mut client = client.clone();
            async move { export(&mut client).await }
        };
        retry(RetryPolicy::within(Duration::from_secs(20)), calls).await.unwrap();
        served.shutdown.trigger();
        assert!(served.tasks.drain(Duration::from_secs(20)).await);
    }
}

#[tokio::test(start_paused = true)]
async fn only_unavailable_is_tried_again_and_only_within_the_deadline() {
    for (status, at_least, at_most) in [
        (Status::unavailable as fn(String) -> Status, 3, 20),
        (Status::aborted, 1, 1),
        (Status::deadline_exceeded, 1, 1),
    ] {
        let attempts = AtomicUsize::new(0);
        let policy = RetryPolicy::within(Duration::from_secs(2));
        let outcome: Result<(), _> = retry(policy, || {
            attempts.fetch_add(1, Ordering::Relaxed);
            std::future::ready(Err(status("no".to_owned())))
        })
        .await;
        assert!(outcome.is_err());
        assert!((at_least..=at_most).contains(&attempts.into_inner()));
    }
}
