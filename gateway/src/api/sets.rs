//! Sets: state, moves, resigning, pausing, events, records.

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use farside_kit::fault::Remote;
use farside_proto::matches::v1 as matches;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::change::{Answered, Asked, Change};
use super::extract::{Body, Key, Path, Query, Viewer};
use super::guard::ClientAddress;
use super::json::game::GameState;
use super::json::list::{self, SetList};
use super::json::scalar::Raw;
use super::json::set::{SetState, SetStatus};
use crate::app::{App, SharedApp};
use crate::problem::{Code, Problem};
use crate::streams::{Feed, Source, sse};
use crate::upstream::carried;

/// A move to play.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveBody {
    /// Game number within the set: 1 or 2.
    pub game: u32,
    /// Plies (rounds) already played.
    pub ply: u32,
    /// The move, by `move_schema` of the contract.
    #[serde(rename = "move")]
    pub move_: Raw,
}

/// A game to resign.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResignBody {
    /// Game number within the set: 1 or 2.
    pub game: u32,
}

/// Which sets.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SetQuery {
    /// Only those of this bot, player or house bot, by id or name.
    bot: Option<String>,
    /// Only of this game.
    game: Option<String>,
    /// Only with this status.
    #[param(inline)]
    status: Option<SetStatus>,
    /// Most entries to return.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

/// Where a stream begins.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct EventsQuery {
    /// As `Last-Event-ID`, which comes first where both are sent: for clients that cannot set a header.
    after: Option<u64>,
}

/// Returns a set as the caller may see it.
#[utoipa::path(get, path = "/sets/{id}", tag = "sets", params(("id" = String, Path, description = "`set_…`")),
    responses((status = 200, description = "The set", body = SetState)))]
pub(crate) async fn get(
    State(app): State<SharedApp>,
    viewer: Viewer,
    Path(set_id): Path<String>,
) -> Result<Json<SetState>, Problem> {
    let answer = app.upstream.matches.get_set(matches::GetSetRequest { set_id, viewer_id: viewer.id() }).await?;
    Ok(Json(app.set_state(answer.set, None)))
}

/// Lists sets, newest first, without their games.
#[utoipa::path(get, path = "/sets", tag = "sets", params(SetQuery),
    responses((status = 200, description = "A page", body = SetList)))]
pub(crate) async fn list(
    State(app): State<SharedApp>,
    Query(query): Query<SetQuery>,
) -> Result<Json<SetList>, Problem> {
    let request = matches::ListSetsRequest {
        limit: list::limit(query.limit)?,
        game: query.game.unwrap_or_default(),
        status: query.status.map_or(matches::SetStatus::Unspecified, matches::SetStatus::from).into(),
        participant_id: app.participant_id(query.bot).await?,
        cursor: query.cursor.unwrap_or_default(),
    };
    app.sets(request).await.map(Json)
}

/// Plays a move. The same move for the same `ply` again gets the first answer again.
#[utoipa::path(post, path = "/sets/{id}/moves", tag = "sets", request_body = MoveBody, security(("key" = [])),
    params(("id" = String, Path, description = "`set_…`")),
    responses((status = 200, description = "The game just after the move", body = GameState)))]
pub(crate) async fn play(
    State(app): State<SharedApp>,
    key: Key,
    Path(set_id): Path<String>,
    body: Result<Body<MoveBody>, Problem>,
) -> Result<Json<GameState>, Problem> {
    let body = app.fitting(&key, &set_id, body).await?;
    app.play_move(&key.id(), set_id, body.value, body.received_at_ms).await.map(Json)
}

/// Resigns one game of a set.
#[utoipa::path(post, path = "/sets/{id}/resign", tag = "sets", request_body = ResignBody, security(("key" = [])),
    params(("id" = String, Path, description = "`set_…`")),
    responses((status = 200, description = "The set after it", body = SetState)))]
pub(crate) async fn resign(change: Change, body: Result<Body<ResignBody>, Problem>) -> Answered {
    let body = change.fitting(body).await?.value;
    let game = body.game;
    let resigned =
        |asked: Asked| async move { asked.app.resign_game(&asked.key.id(), asked.id, game, asked.request_id).await };
    change.once(&body, resigned).await
}

/// Pauses untimed practice.
#[utoipa::path(post, path = "/sets/{id}/pause", tag = "sets", security(("key" = [])),
    params(("id" = String, Path, description = "`set_…`")),
    responses((status = 200, description = "The set, paused", body = SetState)))]
pub(crate) async fn pause(change: Change) -> Answered {
    let paused = |Asked { app, key, id, request_id }: Asked| async move {
        let request = matches::PauseSetRequest { request_id, actor_id: key.id(), set_id: id };
        let answer = app.upstream.matches.pause_set(request).await?;
        Ok(app.set_state(answer.set, answer.as_of_ms))
    };
    change.once(&(), paused).await
}

/// Resumes paused practice.
#[utoipa::path(post, path = "/sets/{id}/resume", tag = "sets", security(("key" = [])),
    params(("id" = String, Path, description = "`set_…`")),
    responses((status = 200, description = "The set, resumed", body = SetState)))]
pub(crate) async fn resume(change: Change) -> Answered {
    let resumed = |Asked { app, key, id, request_id }: Asked| async move {
        let request = matches::ResumeSetRequest { request_id, actor_id: key.id(), set_id: id };
        let answer = app.upstream.matches.resume_set(request).await?;
        Ok(app.set_state(answer.set, answer.as_of_ms))
    };
    change.once(&(), resumed).await
}

/// Streams a set as server-sent events: a snapshot first, or exactly the events after `Last-Event-ID`.
#[utoipa::path(get, path = "/sets/{id}/events", tag = "streams",
    params(("id" = String, Path, description = "`set_…`"), EventsQuery,
        ("last-event-id" = Option<String>, Header, description = "The id of the last event seen; 0 for all events")),
    responses((status = 200, description = "Events; the stream ends after `set_finished`", content_type = "text/event-stream", body = String)))]
pub(crate) async fn events(
    State(app): State<SharedApp>,
    Extension(address): Extension<ClientAddress>,
    viewer: Viewer,
    Path(set_id): Path<String>,
    Query(query): Query<EventsQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let after_seq = last_event_id(&headers)?.map(|id| number(&id)).transpose()?.or(query.after);
    let ticket = match &viewer.0 {
        Some(caller) => app.streams.open_for_key(caller.key_id.as_str()),
        None => app.streams.open_for_address(&address.subject()),
    };
    let feed = Feed::Set(matches::WatchSetRequest { set_id, after_seq, viewer_id: viewer.id() });
    Ok(sse::response(Source::open(app, feed, ticket, viewer.0).await?))
}

/// The `Last-Event-ID` of a request.
///
/// # Errors
///
/// `malformed_request` when it is not visible ASCII.
pub(crate) fn last_event_id(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get("last-event-id") else { return Ok(None) };
    let text = value.to_str().ok().filter(|text| text.len() <= 256);
    text.map(|text| Some(text.to_owned())).ok_or_else(|| Problem::malformed("/Last-Event-ID", "not an id of an event"))
}

fn number(id: &str) -> Result<u64, Problem> {
    id.trim().parse().map_err(|_| Problem::malformed("/Last-Event-ID", "an integer from 0"))
}

/// Returns the signed record of a finished set.
#[utoipa::path(get, path = "/sets/{id}/record", tag = "records", params(("id" = String, Path, description = "`set_…`")),
    responses((status = 200, description = "The record", body = Value)))]
pub(crate) async fn record(State(app): State<SharedApp>, Path(set_id): Path<String>) -> Result<Response, Problem> {
    let answer = app.upstream.matches.get_record(matches::GetRecordRequest { set_id }).await?;
    let json = HeaderValue::from_static("application/json");
    Ok(([(CONTENT_TYPE, json)], answer.record_json).into_response())
}

impl App {
    fn set_state(&self, set: Option<matches::Set>, as_of_ms: Option<i64>) -> SetState {
        SetState::new(set.unwrap_or_default(), as_of_ms.unwrap_or_else(|| self.now_ms()))
    }

    /// Plays a move for a participant.
    ///
    /// # Errors
    ///
    /// What match-svc says; `game_over` and `stale_ply` with the game as it stands.
    pub(crate) async fn play_move(
        &self,
        actor: &str,
        set_id: String,
        body: MoveBody,
        received_at_ms: i64,
    ) -> Result<GameState, Problem> {
        let request = matches::PlayMoveRequest {
            actor_id: actor.to_owned(),
            set_id,
            game: body.game,
            ply: body.ply,
            move_json: body.move_.get().to_owned(),
            received_at_ms,
            request_id: self.identity.request_id(),
        };
        match self.upstream.matches.play_move(request).await {
            Ok(answer) => {
                let as_of_ms = answer.as_of_ms.unwrap_or_else(|| self.now_ms());
                Ok(GameState::new(answer.game.unwrap_or_default(), as_of_ms))
            }
            Err(fault) => Err(self.explain(fault)),
        }
    }

    /// Resigns a game for a participant.
    ///
    /// # Errors
    ///
    /// What match-svc says; `game_over` with the game as it stands.
    pub(crate) async fn resign_game(
        &self,
        actor: &str,
        set_id: String,
        game: u32,
        request_id: String,
    ) -> Result<SetState, Problem> {
        let request = matches::ResignRequest { request_id, actor_id: actor.to_owned(), set_id, game };
        match self.upstream.matches.resign(request).await {
            Ok(answer) => Ok(self.set_state(answer.set, answer.as_of_ms)),
            Err(fault) => Err(self.explain(fault)),
        }
    }

    /// A refusal with the state to go on from, where it carries one.
    fn explain(&self, fault: Remote) -> Problem {
        let game = carried::game(&fault);
        let problem = Problem::from(fault);
        let Some(game) = game else { return problem };
        let state = GameState::new(game, self.now_ms());
        let ply = Value::from(state.ply);
        problem.with("ply", ply).with("state", serde_json::to_value(&state).unwrap_or_default())
    }

    /// Takes the body of a request about a set; one that does not fit is refused after whatever there is to say about the
    /// set and about who plays in it.
    ///
    /// # Errors
    ///
    /// `not_found`, `not_in_set`; that of the body.
    pub(crate) async fn fitting<T>(&self, key: &Key, set_id: &str, body: Result<T, Problem>) -> Result<T, Problem> {
        if let Err(problem) = &body
            && problem.status() == StatusCode::UNPROCESSABLE_ENTITY
        {
            self.check_in_set(key, set_id).await?;
        }
        body
    }

    async fn check_in_set(&self, key: &Key, set_id: &str) -> Result<(), Problem> {
        let request = matches::GetSetRequest { set_id: set_id.to_owned(), viewer_id: key.id() };
        let set = self.upstream.matches.get_set(request).await?.set.unwrap_or_default();
        let is_in = [set.creator, set.acceptor].into_iter().flatten().any(|participant| participant.id == key.id());
        if is_in { Ok(()) } else { Err(Problem::new(Code::NotInSet, "you have no seat in this set")) }
    }
}
