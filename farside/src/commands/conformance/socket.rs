//! The proxy's WebSocket side: frames in both directions, one by one. Not here: HTTP.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::{SinkExt as _, StreamExt as _};
use hyper::body::Incoming;
use hyper::header::{
    AUTHORIZATION, CONNECTION, HeaderMap, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, UPGRADE,
};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use super::ask::{of_frame, of_request};
use super::log::{Answer, Fate, What, answer_of};
use super::proxy::{Lost, Reply, meddle, reply};
use super::script::Act;
use super::shared::Shared;
use super::strange;

type Platform = WebSocketStream<MaybeTlsStream<TcpStream>>;
type Bot = WebSocketStream<TokioIo<hyper::upgrade::Upgraded>>;

/// Opens a socket on both sides.
pub(crate) async fn open(shared: Arc<Shared>, request: Request<Incoming>, target: &str) -> Result<Reply, Lost> {
    let uri = request.uri();
    let ask = of_request(request.method().as_str(), uri.path(), uri.query().unwrap_or_default(), None, b"");
    let (place, _) = shared.director().asked(shared.now_ms(), ask);
    shared.asked.notify_waiters();
    let platform = match connect(&shared, request.headers().get(AUTHORIZATION).cloned(), target).await {
        Ok(platform) => platform,
        Err(refusal) => {
            let status = refusal.as_ref().map_or(0, |reply| reply.status().as_u16());
            shared.director().came(shared.now_ms(), place, Fate::Answered(Answer { status, ..Answer::default() }));
            return refusal.map(|reply| *reply).ok_or(Lost);
        }
    };
    shared.director().came(shared.now_ms(), place, Fate::Answered(Answer { status: 101, ..Answer::default() }));
    let headers = accepted(request.headers());
    tokio::spawn(async move {
        if let Ok(upgraded) = hyper::upgrade::on(request).await {
            let bot = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, None).await;
            // Either side going away ends both.
            let _gone = Relay { shared, bot, platform, asked: HashMap::new(), lost: None, last_id: None }.run().await;
        }
    });
    Ok(reply(StatusCode::SWITCHING_PROTOCOLS, headers, Bytes::new()))
}

fn accepted(headers: &HeaderMap) -> HeaderMap {
    let key = headers.get(SEC_WEBSOCKET_KEY).map(|key| derive_accept_key(key.as_bytes())).unwrap_or_default();
    let mut answer = HeaderMap::new();
    answer.insert(CONNECTION, HeaderValue::from_static("upgrade"));
    answer.insert(UPGRADE, HeaderValue::from_static("websocket"));
    if let Ok(key) = HeaderValue::try_from(key) {
        answer.insert(SEC_WEBSOCKET_ACCEPT, key);
    }
    answer
}

/// Connects to the platform with the bot's key; else what the bot is to be answered, if anything.
async fn connect(shared: &Shared, key: Option<HeaderValue>, target: &str) -> Result<Platform, Option<Box<Reply>>> {
    let url = format!("{}{target}", shared.bot.base().replacen("http", "ws", 1));
    let mut onward = url.into_client_request().map_err(|_| None)?;
    if let Some(key) = key {
        onward.headers_mut().insert(AUTHORIZATION, key);
    }
    match tokio_tungstenite::connect_async(onward).await {
        Ok((platform, _)) => Ok(platform),
        Err(Error::Http(refusal)) => {
            let (parts, body) = (*refusal).into_parts();
            Err(Some(Box::new(reply(parts.status, parts.headers, body.unwrap_or_default().into()))))
        }
        Err(_) => Err(None),
    }
}

struct Relay {
    shared: Arc<Shared>,
    bot: Bot,
    platform: Platform,
    /// Places of requests by what the bot calls them.
    asked: HashMap<String, usize>,
    /// The request whose answer is to be lost.
    lost: Option<String>,
    last_id: Option<String>,
}

impl Relay {
    async fn run(mut self) -> Result<(), Error> {
        loop {
            tokio::select! {
                message = self.bot.next() => match message {
                    Some(message) => self.onward(message?).await?,
                    None => return Ok(()),
                },
                message = self.platform.next() => match message {
                    Some(message) => if !self.back(message?).await? { return Ok(()) },
                    None => return Ok(()),
                },
            }
        }
    }

    async fn onward(&mut self, message: Message) -> Result<(), Error> {
        if let Message::Text(text) = &message {
            let (ask, id) = of_frame(text);
            let kind = ask.kind.clone();
            let (place, act) = self.shared.director().asked(self.shared.now_ms(), ask);
            self.asked.insert(id.to_string(), place);
            match act {
                Some(Act::LoseAnswer) => self.lost = Some(id.to_string()),
                Some(Act::Delay(ms)) => tokio::time::sleep(Duration::from_millis(ms)).await,
                act => meddle(&self.shared, act, &kind).await,
            }
        }
        self.platform.send(message).await
    }

    /// Hands a frame to the bot; whether the socket goes on.
    async fn back(&mut self, message: Message) -> Result<bool, Error> {
        let Message::Text(text) = &message else {
            let goes_on = !message.is_close();
            self.bot.send(message).await?;
            return Ok(goes_on);
        };
        let frame: Value = serde_json::from_str(text).unwrap_or_default();
        let goes_on = match frame.get("re") {
            Some(re) => self.note_answer(&re.to_string(), &frame),
            None => self.note_event(&frame),
        };
        if goes_on {
            let is_strange = self.shared.director().is_strange();
            let message = if is_strange { Message::text(strange::answer(frame).to_string()) } else { message };
            self.bot.send(message).await?;
        }
        Ok(goes_on)
    }

    fn note_answer(&mut self, re: &str, frame: &Value) -> bool {
        let is_lost = self.lost.as_deref() == Some(re);
        let problem = frame.get("problem").filter(|problem| !problem.is_null());
        let status = problem.map_or(200, |problem| problem["status"].as_u64().unwrap_or(500));
        let answer = answer_of(u16::try_from(status).unwrap_or(500), None, problem.unwrap_or(&Value::Null));
        if let Some(place) = self.asked.remove(re) {
            let fate = if is_lost { Fate::Lost } else { Fate::Answered(answer) };
            self.shared.director().came(self.shared.now_ms(), place, fate);
        }
        !is_lost
    }

    fn note_event(&mut self, frame: &Value) -> bool {
        let mut director = self.shared.director();
        if director.cuts_event() {
            director.note(self.shared.now_ms(), What::Cut { after: self.last_id.clone() });
            return false;
        }
        self.last_id = frame["id"].as_str().map(str::to_owned).or_else(|| self.last_id.take());
        true
    }
}
