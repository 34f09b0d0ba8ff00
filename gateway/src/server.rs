//! The HTTP server: connections with limits of their own, and an end that lets requests finish.
//!
//! Not here: routes.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use farside_kit::shutdown::{Shutdown, Tasks};
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

use crate::api::guard::Peer;
use crate::body::Whole;

/// How long the head of a request may take to arrive.
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
/// The pause after a connection could not be taken, for example for want of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Takes connections until `shutdown` is requested; those under way have a grace to finish.
pub(crate) async fn serve(listener: TcpListener, router: Router, tasks: Tasks, shutdown: Shutdown) {
    let builder = builder();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shutdown.requested() => return,
        };
        match accepted {
            Ok((stream, peer)) => {
                let connection = connection(builder.clone(), stream, Peer(peer), router.clone(), shutdown.clone());
                tasks.spawn("http connection", connection);
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn builder() -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_headers(HEADERS_MAX)
        .max_buf_size(HEAD_BYTES);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(u32::try_from(HEAD_BYTES).unwrap_or(u32::MAX))
        .max_concurrent_streams(STREAMS_MAX)
        .keep_alive_interval(KEEP_ALIVE);
    builder
}

async fn connection(
    builder: Builder<TokioExecutor>,
    stream: TcpStream,
    peer: Peer,
    router: Router,
    shutdown: Shutdown,
) {
    // Without it small answers wait for acknowledgements; a socket that refuses the option works all the same.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(|body| Body::new(Whole::new(body)));
        request.extensions_mut().insert(peer);
        let router = router.clone();
        async move { Ok::<_, Infallible>(router.oneshot(request).await.unwrap_or_else(|never| match never {})) }
    });
    let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => Some(ended),
        () = shutdown.requested() => None,
    };
    let ended = match ended {
        Some(ended) => ended,
        None => {
            connection.as_mut().graceful_shutdown();
            tokio::time::timeout(GRACE, connection).await.unwrap_or(Ok(()))
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended");
    }
}
