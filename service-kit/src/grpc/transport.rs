//! Ways from one service to another: over TCP, through memory within one process, or through a socket in a folder.
//!
//! Not here: what is said on the way. [`Endpoint`] and [`Listener`] are the two ends, and hide which way it is.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper_util::rt::TokioIo;
use tokio::io::DuplexStream;
use tokio::net::{TcpListener, TcpSocket, UnixStream};
use tokio::sync::mpsc;
use tonic::transport::{Channel, Uri};

use super::balance::{self, Replicas};
use super::socket::Socket;
use super::tls::Tls;

/// How much may be under way in memory, in each direction of one connection.
const PIPE_BYTES: usize = 256 * 1024;
/// Connections in memory that wait to be taken up.
const BACKLOG: usize = 64;
/// Connections over TCP that wait to be taken up.
const TCP_BACKLOG: u32 = 1_024;
/// How long connecting may take before a call is refused as not available.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// An idle connection is tested this often, so that a peer that went away is noticed.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(10);
/// HTTP/2 windows: large enough that answers to many callers on one connection do not wait for each other.
pub(super) const STREAM_WINDOW_BYTES: u32 = 1024 * 1024;
pub(super) const CONNECTION_WINDOW_BYTES: u32 = 4 * 1024 * 1024;
/// Calls that a client may give up at once. The usual few dozen guard against hostile peers by cutting the connection,
/// and with it every call of every other caller that shares it; between our own services that is the greater harm.
pub(super) const RESET_STREAMS: usize = 8_192;

/// The services that listen within one process, by name.
#[derive(Clone, Debug, Default)]
pub struct MemoryHub {
    listeners: Arc<Mutex<HashMap<String, mpsc::Sender<DuplexStream>>>>,
}

impl MemoryHub {
    /// Nobody listens yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Listens under `name`; whoever listened there before is reached no more.
    #[must_use]
    pub fn listen(&self, name: &str) -> Listener {
        let (sender, receiver) = mpsc::channel(BACKLOG);
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), sender);
        Listener { kind: ListenerKind::Memory(receiver), tls: None }
    }

    async fn dial(&self, name: &str) -> std::io::Result<DuplexStream> {
        let refused =
            || std::io::Error::new(std::io::ErrorKind::ConnectionRefused, format!("nobody listens as {name}"));
        let found = self.listeners.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
        found.ok_or_else(refused)?.send(theirs).await.map_err(|_| refused())?;
        Ok(ours)
    }
}

/// The end at which a service is reached.
#[derive(Debug)]
pub struct Listener {
    pub(super) kind: ListenerKind,
    pub(super) tls: Option<Tls>,
}

#[derive(Debug)]
pub(super) enum ListenerKind {
    Tcp(Tcp),
    Memory(mpsc::Receiver<DuplexStream>),
    Socket(Socket),
}

/// A TCP address of this process.
#[derive(Debug)]
pub(super) enum Tcp {
    /// Connections are refused so far.
    Reserved(TcpSocket),
    /// Connections are taken.
    Open(TcpListener),
}

impl Tcp {
    pub(super) fn open(self) -> std::io::Result<TcpListener> {
        match self {
            Self::Reserved(socket) => socket.listen(TCP_BACKLOG),
            Self::Open(listener) => Ok(listener),
        }
    }

    fn local_addr(&self) -> std::io::Result<SocketAddr> {
        match self {
            Self::Reserved(socket) => socket.local_addr(),
            Self::Open(listener) => listener.local_addr(),
        }
    }
}

impl Listener {
    /// Listens at a TCP address; port 0 takes a free one.
    ///
    /// # Errors
    ///
    /// When the address cannot be had.
    pub async fn tcp(address: SocketAddr) -> std::io::Result<Self> {
        Ok(Self { kind: ListenerKind::Tcp(Tcp::Open(TcpListener::bind(address).await?)), tls: None })
    }

    /// Takes a TCP address and refuses connections there until the listener is opened: whoever calls a service that has
    /// not started yet is told so at once.
    ///
    /// # Errors
    ///
    /// When the address cannot be had.
    pub fn reserved(address: SocketAddr) -> std::io::Result<Self> {
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        Ok(Self { kind: ListenerKind::Tcp(Tcp::Reserved(socket)), tls: None })
    }

    /// Takes connections from now on.
    ///
    /// # Errors
    ///
    /// When somebody else listens there.
    pub(crate) fn open(self) -> std::io::Result<Self> {
        let kind = match self.kind {
            ListenerKind::Tcp(tcp) => ListenerKind::Tcp(Tcp::Open(tcp.open()?)),
            kind => kind,
        };
        Ok(Self { kind, ..self })
    }

    /// Listens at a socket in the file system, which is removed when the listener is dropped.
    ///
    /// # Errors
    ///
    /// When somebody listens there already, or the file cannot be made.
    pub fn socket(path: &Path) -> std::io::Result<Self> {
        Ok(Self { kind: ListenerKind::Socket(Socket::bind(path)?), tls: None })
    }

    /// Speaks mutual TLS, when there is a certificate; what goes through memory has no need of it.
    #[must_use]
    pub fn secured(self, tls: Option<Tls>) -> Self {
        Self { tls, ..self }
    }

    /// The TCP listener, open, for a server that does not speak gRPC.
    ///
    /// # Errors
    ///
    /// When somebody else listens there, or it is of another kind.
    pub fn into_tcp(self) -> std::io::Result<TcpListener> {
        match self.kind {
            ListenerKind::Tcp(tcp) => tcp.open(),
            ListenerKind::Memory(_) | ListenerKind::Socket(_) => {
                Err(std::io::Error::new(std::io::ErrorKind::Unsupported, "it does not listen on TCP"))
            }
        }
    }

    /// The TCP address; none of another kind.
    #[must_use]
    pub fn local_addr(&self) -> Option<SocketAddr> {
        match &self.kind {
            ListenerKind::Tcp(tcp) => tcp.local_addr().ok(),
            ListenerKind::Memory(_) | ListenerKind::Socket(_) => None,
        }
    }
}

/// The end from which a service is called.
#[derive(Clone, Debug)]
pub struct Endpoint {
    kind: EndpointKind,
}

#[derive(Clone, Debug)]
enum EndpointKind {
    Url(Box<tonic::transport::Endpoint>, Option<Tls>),
    Memory(MemoryHub, String),
    Socket(PathBuf),
}

/// An address that cannot be one.
#[derive(Debug, thiserror::Error)]
#[error("{url} is not the address of a service")]
pub struct EndpointFault {
    /// What was given.
    pub url: String,
    /// What is wrong with it.
    #[source]
    pub source: tonic::transport::Error,
}

impl Endpoint {
    /// The service at `http://host:port`. A host that is a name stands for all replicas that it resolves to, now and
    /// later: calls are spread over them.
    ///
    /// # Errors
    ///
    /// When `url` is not such an address.
    pub fn url(url: &str) -> Result<Self, EndpointFault> {
        let endpoint = tonic::transport::Endpoint::from_shared(url.to_owned())
            .map_err(|source| EndpointFault { url: url.to_owned(), source })?;
        Ok(Self { kind: EndpointKind::Url(Box::new(tuned(endpoint)), None) })
    }

    /// The service at `http://host:port`, or at `https://host:port` with mutual TLS.
    ///
    /// # Errors
    ///
    /// When `url` is not such an address, or the certificate cannot be used.
    pub fn secured_url(url: &str, tls: &Tls) -> Result<Self, EndpointFault> {
        let fault = |source| EndpointFault { url: url.to_owned(), source };
        let endpoint = tonic::transport::Endpoint::from_shared(url.to_owned()).map_err(fault)?;
        if !url.starts_with("https:") {
            return Self::url(url);
        }
        let endpoint = endpoint.tls_config(tls.for_client()).map_err(fault)?;
        Ok(Self { kind: EndpointKind::Url(Box::new(tuned(endpoint)), Some(tls.clone())) })
    }

    /// The service that listens as `name` within this process.
    #[must_use]
    pub fn memory(hub: &MemoryHub, name: &str) -> Self {
        Self { kind: EndpointKind::Memory(hub.clone(), name.to_owned()) }
    }

    /// The service that listens at a socket in the file system.
    #[must_use]
    pub fn socket(path: &Path) -> Self {
        Self { kind: EndpointKind::Socket(path.to_owned()) }
    }

    /// A channel that connects with the first call, again whenever the connection breaks, and is shared by its clones.
    /// Needs a running tokio runtime.
    #[must_use]
    pub fn connect(&self) -> Channel {
        self.replicas().any()
    }

    /// The ways to every replica, of which [`Endpoint::connect`] takes any.
    pub(super) fn replicas(&self) -> Replicas {
        match &self.kind {
            EndpointKind::Url(endpoint, tls) => over_tcp(endpoint, tls.clone()),
            EndpointKind::Memory(hub, name) => Replicas::alone(in_memory(hub.clone(), name.clone())),
            EndpointKind::Socket(path) => Replicas::alone(over_socket(path.clone())),
        }
    }
}

/// One connection to an address, or one to each replica behind a name; with certificates, made anew when those change.
fn over_tcp(endpoint: &tonic::transport::Endpoint, tls: Option<Tls>) -> Replicas {
    let uri = endpoint.uri().clone();
    let name = balance::name_of(&uri);
    if name.is_none() && tls.is_none() {
        return Replicas::alone(endpoint.connect_lazy());
    }
    let certificates = tls.clone();
    let way = move |address: Option<SocketAddr>| way(&uri, address, certificates.as_ref());
    balance::balanced(way, move || balance::look_up(name.clone()), tls)
}

/// The way to a service by its name, or to one of its replicas, which shows a certificate of the service's name.
fn way(uri: &Uri, address: Option<SocketAddr>, tls: Option<&Tls>) -> Option<tonic::transport::Endpoint> {
    let scheme = uri.scheme_str().unwrap_or("http");
    let url = address.map_or_else(|| uri.to_string(), |address| format!("{scheme}://{address}"));
    let endpoint = tonic::transport::Endpoint::from_shared(url).ok()?.origin(uri.clone());
    let endpoint = match tls {
        Some(tls) => endpoint.tls_config(tls.for_client().domain_name(uri.host()?.trim_matches(['[', ']']))).ok()?,
        None => endpoint,
    };
    Some(tuned(endpoint))
}

fn tuned(endpoint: tonic::transport::Endpoint) -> tonic::transport::Endpoint {
    endpoint
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_nodelay(true)
        .http2_keep_alive_interval(KEEP_ALIVE_INTERVAL)
        .keep_alive_while_idle(true)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .http2_max_concurrent_reset_streams(RESET_STREAMS)
        .http2_max_local_error_reset_streams(None)
}

/// The way to a service on this machine; its address is only for the form.
fn on_this_machine() -> tonic::transport::Endpoint {
    tonic::transport::Endpoint::from_static("http://in-process")
        .connect_timeout(CONNECT_TIMEOUT)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .http2_max_concurrent_reset_streams(RESET_STREAMS)
        .http2_max_local_error_reset_streams(None)
}

fn over_socket(path: PathBuf) -> Channel {
    on_this_machine().connect_with_connector_lazy(tower::service_fn(move |_: Uri| {
        let path = path.clone();
        async move { UnixStream::connect(path).await.map(TokioIo::new) }
    }))
}

fn in_memory(hub: MemoryHub, name: String) -> Channel {
    on_this_machine().connect_with_connector_lazy(tower::service_fn(move |_: Uri| {
        let (hub, name) = (hub.clone(), name.clone());
        async move { hub.dial(&name).await.map(TokioIo::new) }
    }))
}
