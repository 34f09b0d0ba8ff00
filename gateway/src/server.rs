//! The HTTP server: connections with limits of their own, and an end that lets requests finish.
//!
//! Not here: routes.

use std::convert::Infallible;
use std::io;
use std::pin::{Pin, pin};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use farside_kit::shutdown::{Shutdown, Tasks};
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

use crate::api::guard::Peer;
use crate::body::Whole;

/// How long the first byte, and the head of a request, may take to arrive.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Most headers of a request.
const HEADERS_MAX: usize = 64;
/// Largest head of a request, in bytes.
const HEAD_BYTES: usize = 32 * 1024;
/// Requests at once on one HTTP/2 connection.
const STREAMS_MAX: u32 = 256;
/// An idle HTTP/2 connection is tested this often.
const KEEP_ALIVE: Duration = Duration::from_secs(20);
/// How long requests under way may go on after the request to stop.
const GRACE: Duration = Duration::from_secs(8);
/// How a client begins that speaks HTTP/2 without having asked.
const PREFACE: &[u8] = b"PRI * HTTP/2.0";
/// So much of it is no method of HTTP/1.
const TELLING: usize = 3;
/// The pause after a connection could not be taken, for example for want of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Takes connections until `shutdown` is requested; those under way have a grace to finish.
pub(crate) async fn serve(listener: TcpListener, router: Router, tasks: Tasks, shutdown: Shutdown) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shutdown.requested() => return,
        };
        match accepted {
            Ok((stream, peer)) => {
                let connection = connection(stream, Peer(peer), router.clone(), shutdown.clone());
                tasks.spawn("http connection", connection);
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn http1() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_headers(HEADERS_MAX)
        .max_buf_size(HEAD_BYTES);
    builder
}

fn http2() -> http2::Builder<TokioExecutor> {
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder
        .timer(TokioTimer::new())
        .max_header_list_size(u32::try_from(HEAD_BYTES).unwrap_or(u32::MAX))
        .max_concurrent_streams(STREAMS_MAX)
        .keep_alive_interval(KEEP_ALIVE);
    builder
}

async fn connection(stream: TcpStream, peer: Peer, router: Router, shutdown: Shutdown) {
    // Without it small answers wait for acknowledgements; a socket that refuses the option works all the same.
    let _ = stream.set_nodelay(true);
    let told = tokio::select! {
        told = tokio::time::timeout(HEAD_TIMEOUT, is_http2(&stream)) => told,
        () = shutdown.requested() => return,
    };
    let Ok(Ok(is_http2)) = told else { return };
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(|body| Body::new(Whole::new(body)));
        request.extensions_mut().insert(peer);
        let router = router.clone();
        async move { Ok::<_, Infallible>(router.oneshot(request).await.unwrap_or_else(|never| match never {})) }
    });
    let stream = TokioIo::new(stream);
    let ended = if is_http2 {
        let connection = http2().serve_connection(stream, service);
        // In a box, so that the many connections of HTTP/1 do not have its size.
        Box::pin(drive(connection, http2::Connection::graceful_shutdown, &shutdown)).await
    } else {
        let connection = http1().serve_connection(stream, service).with_upgrades();
        drive(connection, http1::UpgradeableConnection::graceful_shutdown, &shutdown).await
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended");
    }
}

/// Whether a client begins with HTTP/2, by a look at its first bytes, which stay where they are. The HTTP library can
/// tell as well, but takes those bytes out for it, and its buffer for reading has twice the size from then on.
async fn is_http2(stream: &TcpStream) -> io::Result<bool> {
    let mut first = [0; PREFACE.len()];
    let length = stream.peek(&mut first).await?;
    Ok(length >= TELLING && PREFACE.starts_with(&first[..length]))
}

/// Serves a connection to its end; after the request to stop, as long as what is under way may take.
async fn drive<C: Future<Output = hyper::Result<()>>>(
    connection: C,
    stop: impl FnOnce(Pin<&mut C>),
    shutdown: &Shutdown,
) -> hyper::Result<()> {
    let mut connection = pin!(connection);
    tokio::select! {
        ended = connection.as_mut() => return ended,
        () = shutdown.requested() => {}
    }
    stop(connection.as_mut());
    tokio::time::timeout(GRACE, connection).await.unwrap_or(Ok(()))
}
