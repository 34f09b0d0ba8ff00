//! The body of a request, read to its end even when the handler has answered without it: a client that is still sending
//! would otherwise lose the answer with the connection.
//!
//! Not here: limits of what a handler takes.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};

/// The most that is read for nobody, in bytes; beyond it the connection is closed.
const LEFT_OVER_BYTES: usize = 2 * 1024 * 1024;
/// How long that may take.
const LEFT_OVER_TIMEOUT: Duration = Duration::from_secs(5);

/// A body that is read to its end when it is dropped before.
pub(crate) struct Whole(Option<Incoming>);

impl Whole {
    pub(crate) fn new(body: Incoming) -> Self {
        Self(Some(body))
    }
}

impl Body for Whole {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        match &mut self.0 {
            Some(body) => Pin::new(body).poll_frame(cx),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.0.as_ref().is_none_or(Incoming::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.0.as_ref().map_or_else(|| SizeHint::with_exact(0), Incoming::size_hint)
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        let Some(body) = self.0.take().filter(|body| !body.is_end_stream()) else { return };
        // Without a runtime the process is ending, and the connection with it.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(tokio::time::timeout(LEFT_OVER_TIMEOUT, discard(body)));
        }
    }
}

async fn discard(mut body: Incoming) {
    let mut left = LEFT_OVER_BYTES;
    while let Some(Ok(frame)) = body.frame().await {
        match left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}
