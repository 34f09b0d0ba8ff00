//! The proxy's HTTP side: each request is noted, handed to the platform, and answered as the script wants it.
//!
//! Not here: what goes wrong when, which the director decides; frames of WebSockets (`socket`).

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::{Stream, StreamExt as _, stream};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{
    AUTHORIZATION, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, LOCATION, RETRY_AFTER, TRANSFER_ENCODING,
    UPGRADE,
};
use hyper::http::request::Parts;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::ask::{Kind, of_request};
use super::log::{Answer, Fate, What, answer_of};
use super::script::Act;
use super::shared::Shared;
use super::{socket, strange};

/// Nothing is answered: the connection ends.
#[derive(Debug, thiserror::Error)]
#[error("the answer is lost")]
pub(crate) struct Lost;

/// An answer for the bot.
pub(crate) type Reply = Response<UnsyncBoxBody<Bytes, Lost>>;

/// Serves bots for ever.
pub(crate) async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        let service = service_fn(move |request| answer(Arc::clone(&shared), request));
        let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        // A connection that ends with an error is one whose answer was lost, or whose bot is gone.
        tokio::spawn(async move { drop(connection.with_upgrades().await) });
    }
}

/// Serves an address where no key belongs, and notes one that comes.
pub(crate) async fn serve_elsewhere(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        let service = service_fn(move |request: Request<Incoming>| {
            let key = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
            let mut director = shared.director();
            if key.is_some_and(|key| director.holds_key(key)) {
                director.note(shared.now_ms(), What::Leaked("at another address, where a redirect had led"));
            }
            std::future::ready(Ok::<_, Infallible>(reply(StatusCode::NOT_FOUND, HeaderMap::new(), Bytes::new())))
        });
        let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move { drop(connection.await) });
    }
}

async fn answer(shared: Arc<Shared>, request: Request<Incoming>) -> Result<Reply, Lost> {
    let target = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
    shared.director().check_address(shared.now_ms(), &target);
    if request.headers().contains_key(UPGRADE) {
        return socket::open(shared, request, &target).await;
    }
    let (parts, body) = request.into_parts();
    let body = body.collect().await.map_err(|_| Lost)?.to_bytes();
    let last = parts.headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let query = parts.uri.query().unwrap_or_default();
    let ask = of_request(parts.method.as_str(), parts.uri.path(), query, last, &body);
    let kind = ask.kind.clone();
    let (place, act) = shared.director().asked(shared.now_ms(), ask);
    shared.asked.notify_waiters();
    Turned { shared, parts, body, target, kind, place }.answer(act).await
}

/// A request on its way.
struct Turned {
    shared: Arc<Shared>,
    parts: Parts,
    body: Bytes,
    target: String,
    kind: Kind,
    place: usize,
}

impl Turned {
    async fn answer(self, act: Option<Act>) -> Result<Reply, Lost> {
        match act {
            None | Some(Act::CutStream) => self.pass().await,
            Some(Act::LoseAnswer) => {
                self.platform().await?;
                Err(self.lost())
            }
            Some(Act::CutAnswer) => self.cut().await,
            Some(Act::Delay(ms)) => {
                tokio::time::sleep(Duration::from_millis(ms)).await;
                self.pass().await
            }
            Some(Act::Twice) => {
                self.platform().await?.bytes().await.map_err(|_| Lost)?;
                self.pass().await
            }
            Some(Act::Refuse(status, pause_s)) => Ok(self.refuse(status, pause_s)),
            Some(Act::ResignFirst | Act::PlayOtherFirst) => {
                meddle(&self.shared, act, &self.kind).await;
                self.pass().await
            }
            Some(Act::Redirect) => Ok(self.redirect()),
        }
    }

    fn came(&self, answer: Answer) {
        self.shared.director().came(self.shared.now_ms(), self.place, Fate::Answered(answer));
    }

    fn lost(&self) -> Lost {
        self.shared.director().came(self.shared.now_ms(), self.place, Fate::Lost);
        Lost
    }

    /// What the platform says.
    async fn platform(&self) -> Result<reqwest::Response, Lost> {
        let url = format!("{}{}", self.shared.bot.base(), self.target);
        let mut headers = self.parts.headers.clone();
        [HOST, CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING].iter().for_each(|name| drop(headers.remove(name)));
        let request = self.shared.http.request(self.parts.method.clone(), url).headers(headers);
        request.body(self.body.clone()).send().await.map_err(|_| Lost)
    }

    async fn pass(self) -> Result<Reply, Lost> {
        let response = self.platform().await?;
        let (status, mut headers) = (response.status(), response.headers().clone());
        [CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING].iter().for_each(|name| drop(headers.remove(name)));
        if is_stream(&headers) {
            self.came(Answer { status: status.as_u16(), ..Answer::default() });
            return Ok(streamed(status, headers, events(self.shared, Box::pin(response.bytes_stream()))));
        }
        let body = response.bytes().await.map_err(|_| Lost)?;
        let body = self.read(status, &headers, body);
        Ok(reply(status, headers, body))
    }

    /// Notes a whole answer, and returns it as it is to be handed over.
    fn read(&self, status: StatusCode, headers: &HeaderMap, body: Bytes) -> Bytes {
        let pause_s = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let json: Option<Value> = serde_json::from_slice(&body).ok();
        let mut answer = answer_of(status.as_u16(), pause_s, json.as_ref().unwrap_or(&Value::Null));
        answer.is_stale = self.parts.method == hyper::Method::GET
            && json.as_ref().is_some_and(|json| self.shared.is_stale(&self.target, json));
        self.came(answer);
        match json.filter(|_| self.shared.director().is_strange()) {
            Some(json) => strange::answer(json).to_string().into(),
            None => body,
        }
    }

    /// Hands over the first half of the answer.
    async fn cut(self) -> Result<Reply, Lost> {
        let response = self.platform().await?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = response.bytes().await.map_err(|_| Lost)?;
        let half = body.slice(..body.len() / 2);
        Ok(streamed(status, headers, stream::iter([Ok(half), Err(self.lost())])))
    }

    fn refuse(&self, status: u16, pause_s: u64) -> Reply {
        let code = if status == 429 { "rate_limited" } else { "unavailable" };
        let problem = json!({
            "type": format!("/docs#{code}"), "title": "A scripted refusal", "status": status,
            "detail": "made up by farside conformance", "code": code, "trace_id": null,
        });
        self.came(answer_of(status, Some(pause_s), &problem));
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, pause_s.into());
        headers.insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static("application/problem+json"));
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
        reply(status, headers, problem.to_string().into())
    }

    fn redirect(&self) -> Reply {
        self.came(Answer { status: 307, ..Answer::default() });
        let mut headers = HeaderMap::new();
        if let Ok(place) = format!("{}{}", self.shared.elsewhere, self.target).parse() {
            headers.insert(LOCATION, place);
        }
        reply(StatusCode::TEMPORARY_REDIRECT, headers, Bytes::new())
    }
}

/// Changes the game under the bot's hand.
pub(crate) async fn meddle(shared: &Shared, act: Option<Act>, kind: &Kind) {
    match (act, kind) {
        (Some(Act::ResignFirst), Kind::Move(played)) => shared.resign(&played.set_id, played.game).await,
        (Some(Act::PlayOtherFirst), Kind::Move(played)) => shared.play_other(played).await,
        _ => {}
    }
}

fn is_stream(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"text/event-stream"))
}

pub(crate) fn reply(status: StatusCode, headers: HeaderMap, body: Bytes) -> Reply {
    let body = Full::new(body).map_err(|never| match never {}).boxed_unsync();
    with_head(status, headers, body)
}

fn streamed(
    status: StatusCode,
    headers: HeaderMap,
    parts: impl Stream<Item = Result<Bytes, Lost>> + Send + 'static,
) -> Reply {
    with_head(status, headers, StreamBody::new(parts.map(|part| part.map(Frame::data))).boxed_unsync())
}

fn with_head(status: StatusCode, headers: HeaderMap, body: UnsyncBoxBody<Bytes, Lost>) -> Reply {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// A stream of server-sent events on its way.
struct Events<S> {
    shared: Arc<Shared>,
    bytes: S,
    buffer: Vec<u8>,
    last_id: Option<String>,
    is_over: bool,
}

/// Hands events on one by one, until one of them is to be cut.
fn events<S>(shared: Arc<Shared>, bytes: S) -> impl Stream<Item = Result<Bytes, Lost>> + Send + 'static
where
    S: Stream<Item = reqwest::Result<Bytes>> + Send + Unpin + 'static,
{
    let events = Events { shared, bytes, buffer: Vec::new(), last_id: None, is_over: false };
    stream::unfold(events, |mut events| async move {
        let part = events.next().await?;
        Some((part, events))
    })
}

impl<S: Stream<Item = reqwest::Result<Bytes>> + Unpin> Events<S> {
    async fn next(&mut self) -> Option<Result<Bytes, Lost>> {
        if self.is_over {
            return None;
        }
        loop {
            if let Some(end) = self.buffer.windows(2).position(|pair| pair == b"\n\n") {
                let block: Vec<u8> = self.buffer.drain(..end + 2).collect();
                return Some(self.hand_on(block));
            }
            match self.bytes.next().await? {
                Ok(bytes) => self.buffer.extend_from_slice(&bytes),
                Err(_) => return None,
            }
        }
    }

    fn hand_on(&mut self, block: Vec<u8>) -> Result<Bytes, Lost> {
        let text = String::from_utf8_lossy(&block).into_owned();
        let field =
            |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned());
        if field("event:").is_none() {
            return Ok(block.into());
        }
        let mut director = self.shared.director();
        if director.cuts_event() {
            director.note(self.shared.now_ms(), What::Cut { after: self.last_id.clone() });
            self.is_over = true;
            return Err(Lost);
        }
        self.last_id = field("id:").or_else(|| self.last_id.take());
        if !director.is_strange() {
            return Ok(block.into());
        }
        let data = field("data:").and_then(|data| serde_json::from_str(&data).ok()).map(strange::answer);
        let old = field("data:").unwrap_or_default();
        let new = data.map_or(old.clone(), |data| data.to_string());
        Ok(format!("{}{}", strange::EVENT, text.replacen(&old, &new, 1)).into())
    }
}
