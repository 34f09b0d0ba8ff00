//! The TLS connections of a listener: each handshake by itself, with the certificates that are in use at that moment.
//!
//! Not here: which certificates those are.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio_rustls::server::TlsStream;
use tokio_stream::wrappers::ReceiverStream;

use super::tls::Tls;

/// How long a handshake may take.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);
/// Handshakes under way at once; more wait in the listener's own queue.
const HANDSHAKES: usize = 256;
/// Connections that wait to be taken up by the server.
const BACKLOG: usize = 64;
/// The pause when the machine gives no connection, mostly for want of descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

type Connection = Result<TlsStream<TcpStream>, Infallible>;

/// Every connection to `listener` whose handshake succeeds, until nobody takes them any more.
pub(super) fn secured(listener: TcpListener, tls: Tls) -> ReceiverStream<Connection> {
    let (connections, taken) = mpsc::channel(BACKLOG);
    tokio::spawn(async move {
        tokio::select! {
            () = accept(&listener, &tls, &connections) => {}
            () = connections.closed() => {}
        }
    });
    ReceiverStream::new(taken)
}

async fn accept(listener: &TcpListener, tls: &Tls, connections: &mpsc::Sender<Connection>) {
    let room = Arc::new(Semaphore::new(HANDSHAKES));
    while let Ok(permit) = Arc::clone(&room).acquire_owned().await {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::debug!(%error, "a connection cannot be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let (tls, connections) = (tls.clone(), connections.clone());
        tokio::spawn(async move {
            let _permit = permit;
            if let Some(secured) = shake_hands(stream, &tls).await {
                // Nobody takes connections any more when the server has stopped.
                let _ = connections.send(Ok(secured)).await;
            }
        });
    }
}

async fn shake_hands(stream: TcpStream, tls: &Tls) -> Option<TlsStream<TcpStream>> {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection stays with delays");
    }
    match tokio::time::timeout(HANDSHAKE_TIMEOUT, tls.acceptor().accept(stream)).await {
        Ok(Ok(secured)) => Some(secured),
        Ok(Err(error)) => {
            tracing::debug!(%error, "a handshake failed");
            None
        }
        Err(_) => None,
    }
}
