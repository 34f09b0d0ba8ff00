//! Events as server-sent events: `event`, `id` and one line of `data`; a comment every 15 seconds keeps them alive.

use std::convert::Infallible;
use std::time::Duration;

use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, HeaderName};
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;

use super::{Event, Source};

/// How often a stream shows that it is alive.
pub const HEARTBEAT: Duration = Duration::from_secs(15);
/// Asks proxies that understand it not to hold events back.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The answer that carries these events.
#[must_use]
pub fn response(source: Source) -> Response {
    let events = source.events().map(|event| Ok::<_, Infallible>(line(&event)));
    let keep_alive = KeepAlive::new().interval(HEARTBEAT).text("still here");
    let mut response = Sse::new(events).keep_alive(keep_alive).into_response();
    response.headers_mut().insert(BUFFERING, HeaderValue::from_static("no"));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn line(event: &Event) -> sse::Event {
    let data = serde_json::to_string(&event.data).unwrap_or_default();
    let line = sse::Event::default().event(event.event).data(data);
    match &event.id {
        Some(id) => line.id(id),
        None => line,
    }
}
