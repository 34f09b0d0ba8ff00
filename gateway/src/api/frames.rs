//! Frames that a client sends over its WebSocket, and their answers: the same calls as over HTTP, with the same codes.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tracing::Instrument;
use utoipa::ToSchema;

use super::extract::{self, Key, is_plain};
use super::guard;
use super::json::scalar::Raw;
use super::sets::MoveBody;
use crate::app::SharedApp;
use crate::problem::{Problem, ProblemBody};
use crate::streams::socket::json;

/// A frame of the client.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Frame {
    /// Plays a move.
    Move {
        /// Comes back as `re`.
        #[serde(default)]
        id: Value,
        /// `set_…`.
        set_id: String,
        /// Game number.
        game: u32,
        /// Plies played.
        ply: u32,
        /// The move.
        #[serde(rename = "move")]
        #[schema(value_type = Object)]
        move_: Value,
    },
    /// Resigns a game.
    Resign {
        /// Comes back as `re`.
        #[serde(default)]
        id: Value,
        /// `set_…`.
        set_id: String,
        /// Game number.
        game: u32,
    },
    /// Asks for a sign of life.
    Ping {
        /// Comes back as `re`.
        #[serde(default)]
        id: Value,
    },
}

/// The answer to a frame.
#[derive(Serialize)]
struct Answer {
    re: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<ProblemBody>,
}

/// Answers one frame; it counts as one request of the key, and is a trace of its own.
pub(crate) async fn answer(app: SharedApp, key: Key, frame: String) -> String {
    let span = tracing::info_span!(target: "farside::http", parent: None, "socket.frame", otel.kind = "server");
    reply(app, key, frame).instrument(span).await
}

async fn reply(app: SharedApp, key: Key, frame: String) -> String {
    let received_at_ms = app.now_ms();
    let re = called(&frame);
    let outcome = match extract::parse::<Frame>(frame.as_bytes()) {
        Ok(frame) => carry_out(&app, &key, frame, received_at_ms).await,
        Err(problem) => Err(problem),
    };
    let answer = match outcome {
        Ok(value) => Answer { re, ok: Some(value), problem: None },
        Err(problem) => Answer { re, ok: None, problem: Some(problem.into_body()) },
    };
    json(&answer)
}

/// What the client calls its frame, whatever else is wrong with it.
fn called(frame: &str) -> Value {
    let mut fields: Value = serde_json::from_str(frame).unwrap_or_default();
    fields.get_mut("id").map(Value::take).unwrap_or_default()
}

async fn carry_out(app: &SharedApp, key: &Key, frame: Frame, received_at_ms: i64) -> Result<Value, Problem> {
    guard::count(app, app.quotas.key, key.0.key_id.as_str()).await?;
    match frame {
        Frame::Ping { .. } => Ok(Value::Bool(true)),
        Frame::Move { set_id, game, ply, move_, .. } => {
            let body = MoveBody { game, ply, move_: Raw::from_json(move_.to_string()) };
            let state = app.play_move(&key.id(), plain(set_id)?, body, received_at_ms).await?;
            Ok(serde_json::to_value(state).unwrap_or_default())
        }
        Frame::Resign { set_id, game, .. } => {
            let request_id = app.identity.request_id();
            let set = app.resign_game(&key.id(), plain(set_id)?, game, request_id).await?;
            Ok(serde_json::to_value(set).unwrap_or_default())
        }
    }
}

fn plain(set_id: String) -> Result<String, Problem> {
    if is_plain(&set_id) { Ok(set_id) } else { Err(Problem::not_found("set")) }
}
