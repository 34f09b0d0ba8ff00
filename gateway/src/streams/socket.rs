//! Events and moves over one WebSocket. A frame from the server is an event, or the answer to a frame from the client.
//!
//! Client frames: `{"id", "type": "move", "set_id", "game", "ply", "move"}`, `{"id", "type": "resign", "set_id", "game"}`,
//! `{"id", "type": "ping"}`. Answers: `{"re": id, "ok": …}` or `{"re": id, "problem": …}`. Not here: what a move does.

use std::future::Future;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use serde::Serialize;
use tokio::time::MissedTickBehavior;

use super::{Event, Source};

/// How often a socket shows that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// A client that has sent nothing, not even the answer to a ping, for so many heartbeats is gone.
const SILENT_BEATS: u32 = 4;
/// How long a frame may take to be written before the client counts as too slow.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// Serves a socket until either side ends it. `answer` answers a text frame of the client.
pub async fn serve<F, Fut>(mut socket: WebSocket, mut source: Source, answer: F)
where
    F: Fn(String) -> Fut,
    Fut: Future<Output = String>,
{
    let mut beat = tokio::time::interval(HEARTBEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut silent = 0;
    loop {
        let outcome = tokio::select! {
            event = source.next() => match event {
                Some(told) => send(&mut socket, text(&told.event)).await,
                None => break,
            },
            frame = socket.recv() => match frame {
                Some(Ok(Message::Text(frame))) => {
                    silent = 0;
                    let reply = answer(frame.to_string()).await;
                    send(&mut socket, Message::text(reply)).await
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => { silent = 0; Ok(()) }
                Some(Ok(Message::Binary(_))) => break,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            _ = beat.tick() => {
                silent += 1;
                if silent > SILENT_BEATS { return }
                send(&mut socket, Message::Ping(bytes::Bytes::new())).await
            }
        };
        if outcome.is_err() {
            return;
        }
    }
    let close = CloseFrame { code: close_code::NORMAL, reason: Utf8Bytes::from_static("over") };
    // A client that is gone needs no farewell.
    let _ = send(&mut socket, Message::Close(Some(close))).await;
}

fn text(event: &Event) -> Message {
    Message::text(json(event))
}

/// JSON of something that always has one.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

struct Gone;

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), Gone> {
    match tokio::time::timeout(WRITE_TIMEOUT, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(Gone),
    }
}
