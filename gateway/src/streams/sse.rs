//! Events as server-sent events: `event`, `id` and one line of `data`; a comment every 15 seconds keeps them alive.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::Stream;

use super::Source;

/// How often a stream shows that it is alive.
pub const HEARTBEAT: Duration = Duration::from_secs(15);
/// A comment, which clients pass over.
const STILL_HERE: Bytes = Bytes::from_static(b": still here\n\n");
/// Asks proxies that understand it not to hold events back.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The answer that carries these events.
#[must_use]
pub fn response(source: Source) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (BUFFERING, HeaderValue::from_static("no")),
    ];
    (headers, Body::from_stream(lines(source))).into_response()
}

fn lines(source: Source) -> impl Stream<Item = Result<Bytes, Infallible>> + Send {
    futures::stream::unfold(source, |mut source| async move {
        let line = match tokio::time::timeout(HEARTBEAT, source.next()).await {
            Ok(told) => told?.line(),
            Err(_) => STILL_HERE,
        };
        Some((Ok(line), source))
    })
}
