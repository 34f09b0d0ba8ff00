//! The server of a service: its routes, health and reflection, behind the kit's checks, until it is asked to stop.
//!
//! Not here: what the routes do, and what must hold before a process is ready.

use std::convert::Infallible;
use std::time::Duration;

use prost::Message as _;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::{ReceiverStream, UnixListenerStream};
use tonic::service::Routes;
use tonic::transport::server::TcpIncoming;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;
use tower::BoxError;

use super::access::{AllowList, Caller, Known};
use super::call::{Calls, Methods, Trust};
use super::secured::secured;
use super::transport::{CONNECTION_WINDOW_BYTES, Listener, ListenerKind, RESET_STREAMS, STREAM_WINDOW_BYTES};
use crate::admin::Readiness;
use crate::metrics::Metrics;
use crate::shutdown::Shutdown;

/// Calls at once on one connection. A gateway has one to each replica, on which every bot that listens to its own events
/// is a call that goes on: beyond this moves would wait for streams to end.
const CONCURRENT_STREAMS: u32 = 65_536;
/// All headers of a request together.
const HEADER_LIST_BYTES: u32 = 32 * 1024;
/// How long calls under way may go on after the request to stop.
const GRACE: Duration = Duration::from_secs(10);
/// An idle connection is tested this often.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(20);

/// Why a server could not serve, or ended before it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum ServerFault {
    /// The descriptors are none.
    #[error("the descriptor set of {name} cannot be read")]
    Descriptors {
        /// The server.
        name: &'static str,
        /// What is wrong with them.
        #[source]
        source: prost::DecodeError,
    },
    /// Reflection does not take the descriptors.
    #[error("the descriptor set of {name} cannot be served")]
    Reflection {
        /// The server.
        name: &'static str,
        /// What is wrong with them.
        #[source]
        source: tonic_reflection::server::Error,
    },
    /// The allow list names a method that there is not.
    #[error("the allow list of {name} names {path}, which is no method")]
    AllowList {
        /// The server.
        name: &'static str,
        /// The path that is no method.
        path: &'static str,
    },
    /// A method has no place in the allow list, so nobody could call it.
    #[error("the allow list of {name} says nothing of {path}")]
    Unlisted {
        /// The server.
        name: &'static str,
        /// The path of the method.
        path: String,
    },
    /// The transport gave up.
    #[error("the server of {name} failed")]
    Transport {
        /// The server.
        name: &'static str,
        /// Why.
        #[source]
        source: BoxError,
    },
}

/// A server that is being put together.
#[derive(Clone, Debug)]
pub struct Server {
    name: &'static str,
    metrics: Metrics,
    known: Known,
    allow: AllowList,
    readiness: Readiness,
    descriptors: Option<&'static [u8]>,
    services: Vec<&'static str>,
    grace: Duration,
}

impl Server {
    /// A server with this name. Outside of the process it answers nobody until it knows somebody.
    #[must_use]
    pub fn new(name: &'static str, metrics: &Metrics) -> Self {
        Self {
            name,
            metrics: metrics.clone(),
            known: Known::default(),
            allow: AllowList::new(),
            readiness: Readiness::new(),
            descriptors: None,
            services: Vec::new(),
            grace: GRACE,
        }
    }

    /// The contracts, as an encoded `FileDescriptorSet`: for reflection, and to know the methods.
    #[must_use]
    pub fn descriptors(mut self, encoded: &'static [u8]) -> Self {
        self.descriptors = Some(encoded);
        self
    }

    /// Names a service of the descriptors that is served here, for example `farside.ledger.v1.LedgerService`. When
    /// none is named, all of them are taken to be.
    #[must_use]
    pub fn service(mut self, full_name: &'static str) -> Self {
        self.services.push(full_name);
        self
    }

    /// Who may call from outside of the process.
    #[must_use]
    pub fn known(mut self, known: Known) -> Self {
        self.known = known;
        self
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Which callers may call which methods; every method that is served must be listed.
    #[must_use]
    pub fn allow(mut self, allow: AllowList) -> Self {
        self.allow = allow;
        self
    }

    /// What must hold before it says that it serves.
    #[must_use]
    pub fn readiness(mut self, readiness: Readiness) -> Self {
        self.readiness = readiness;
        self
    }

    /// How long calls under way may go on after the request to stop; 10 s unless set.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Serves `routes` at `listener` until `shutdown` is requested and calls under way are done or their grace is over.
    /// Handlers of endless streams watch `shutdown` themselves and end, so that nobody has to wait for the grace.
    ///
    /// # Errors
    ///
    /// When the descriptors or the allow list are wrong, or the transport gives up.
    pub async fn serve(self, listener: Listener, routes: Routes, shutdown: Shutdown) -> Result<(), ServerFault> {
        let trust = match &listener.kind {
            ListenerKind::Memory(_) => Trust::InProcess(Caller::in_process()),
            ListenerKind::Tcp(_) | ListenerKind::Socket(_) => Trust::Known(self.known.clone()),
        };
        let methods = self.methods()?;
        let (reporter, health) = tonic_health::server::health_reporter();
        self.report_health(&reporter, &shutdown).await;
        let routes = self.with_reflection(routes.add_service(health))?;
        let calls = Calls::new(routes.prepare(), methods, trust);
        let serving = serve_calls(listener, calls, shutdown.requested_owned());
        tokio::pin!(serving);
        let ended = tokio::select! {
            ended = &mut serving => ended,
            () = grace_over(&shutdown, self.grace) => Ok(()),
            never = self.keep_health(&reporter, &shutdown) => match never {},
        };
        ended.map_err(|source| ServerFault::Transport { name: self.name, source })
    }

    fn methods(&self) -> Result<Methods, ServerFault> {
        let rpc = self.metrics.rpc();
        let mut methods = Methods::new(rpc);
        methods.add(rpc, &self.allow, "grpc.health.v1.Health", "Check", true);
        methods.add(rpc, &self.allow, "grpc.health.v1.Health", "Watch", true);
        methods.add(rpc, &self.allow, "grpc.reflection.v1.ServerReflection", "ServerReflectionInfo", true);
        let set = prost_types::FileDescriptorSet::decode(self.descriptors.unwrap_or_default())
            .map_err(|source| ServerFault::Descriptors { name: self.name, source })?;
        for file in &set.file {
            for service in file.service.iter().filter(|_| !file.package().starts_with("grpc.")) {
                let full_name = format!("{}.{}", file.package(), service.name());
                if !self.is_served(&full_name) {
                    continue;
                }
                for method in &service.method {
                    self.check_listed(format!("/{full_name}/{}", method.name()))?;
                    methods.add(rpc, &self.allow, &full_name, method.name(), false);
                }
            }
        }
        match self.allow.paths().find(|path| !methods.contains(path)) {
            Some(path) => Err(ServerFault::AllowList { name: self.name, path }),
            None => Ok(methods),
        }
    }

    fn check_listed(&self, path: String) -> Result<(), ServerFault> {
        if self.allow.names(&path) { Ok(()) } else { Err(ServerFault::Unlisted { name: self.name, path }) }
    }

    fn is_served(&self, full_name: &str) -> bool {
        self.services.is_empty() || self.services.contains(&full_name)
    }

    /// Says of the server as a whole (the empty name), under its own name and of each of its services whether it serves.
    async fn report_health(&self, reporter: &HealthReporter, shutdown: &Shutdown) {
        let serves = self.readiness.report().ready && !shutdown.is_requested();
        let status = if serves { ServingStatus::Serving } else { ServingStatus::NotServing };
        for name in self.services.iter().copied().chain([self.name, ""]) {
            reporter.set_service_status(name, status).await;
        }
    }

    /// Goes on saying so as readiness changes, and that it does not serve any more once it is asked to stop.
    async fn keep_health(&self, reporter: &HealthReporter, shutdown: &Shutdown) -> Infallible {
        let mut changes = self.readiness.changes();
        while !shutdown.is_requested() {
            self.report_health(reporter, shutdown).await;
            tokio::select! {
                () = changes.next() => {}
                () = shutdown.requested() => {}
            }
        }
        self.report_health(reporter, shutdown).await;
        std::future::pending().await
    }

    /// What reflection lists; everything when no service is named.
    fn listed(&self) -> impl Iterator<Item = &'static str> + '_ {
        let always = ["grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection"];
        self.services.iter().copied().chain(always.into_iter().filter(|_| !self.services.is_empty()))
    }

    fn with_reflection(&self, routes: Routes) -> Result<Routes, ServerFault> {
        let Some(encoded) = self.descriptors else { return Ok(routes) };
        let builder = tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(encoded)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET);
        let reflection = self
            .listed()
            .fold(builder, tonic_reflection::server::Builder::with_service_name)
            .build_v1()
            .map_err(|source| ServerFault::Reflection { name: self.name, source })?;
        Ok(routes.add_service(reflection))
    }
}

async fn grace_over(shutdown: &Shutdown, grace: Duration) {
    shutdown.requested().await;
    tokio::time::sleep(grace).await;
}

async fn serve_calls(listener: Listener, calls: Calls, stop: impl Future<Output = ()>) -> Result<(), BoxError> {
    let builder = tonic::transport::Server::builder()
        .max_concurrent_streams(CONCURRENT_STREAMS)
        .http2_max_header_list_size(HEADER_LIST_BYTES)
        .http2_max_pending_accept_reset_streams(Some(RESET_STREAMS))
        .http2_max_local_error_reset_streams(None)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES);
    let served = match (listener.kind, listener.tls) {
        (ListenerKind::Tcp(tcp), tls) => {
            let (builder, listener) = (builder.http2_keepalive_interval(Some(KEEP_ALIVE_INTERVAL)), tcp.open()?);
            match tls {
                Some(tls) => builder.serve_with_incoming_shutdown(calls, secured(listener, tls), stop).await,
                None => {
                    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
                    builder.serve_with_incoming_shutdown(calls, incoming, stop).await
                }
            }
        }
        (ListenerKind::Socket(socket), _) => {
            let (listener, _file) = socket.into_parts();
            builder.serve_with_incoming_shutdown(calls, UnixListenerStream::new(listener), stop).await
        }
        (ListenerKind::Memory(connections), _) => {
            let incoming = ReceiverStream::new(connections).map(Ok::<_, Infallible>);
            builder.serve_with_incoming_shutdown(calls, incoming, stop).await
        }
    };
    Ok(served?)
}
