//! The keys of a player: several at a time, so that they can be changed without downtime.
//!
//! Not here: keys of bots, which `bots` has.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::change::Answered;
use super::extract::{IdempotencyKey, Path, PlayerKey};
use super::json::account::{BotKeyJson, KeyMade};
use super::json::list::BotKeyList;
use crate::app::SharedApp;
use crate::domain::key::Holder;
use crate::problem::Problem;

/// Lists my player keys, without their secrets.
#[utoipa::path(get, path = "/me/keys", tag = "identity", security(("key" = [])),
    responses((status = 200, description = "All keys that are not revoked", body = BotKeyList)))]
pub(crate) async fn list(State(app): State<SharedApp>, PlayerKey(me): PlayerKey) -> Result<Json<BotKeyList>, Problem> {
    let keys = app.identity.store().keys_of(&Holder::Player(me.id)).await?.iter().map(BotKeyJson::new).collect();
    Ok(Json(BotKeyList { keys, next_cursor: None }))
}

/// Adds a player key. It is shown this once.
#[utoipa::path(post, path = "/me/keys", tag = "identity", security(("key" = [])),
    responses((status = 201, description = "Added", body = KeyMade)))]
pub(crate) async fn add(
    State(app): State<SharedApp>,
    PlayerKey(me): PlayerKey,
    idempotency: IdempotencyKey,
) -> Answered {
    let asked = idempotency.replay(&app, me.id.as_str(), "/me/keys", &());
    let added = async { Ok(KeyMade::new(app.identity.add_player_key(&me, asked.clone()).await?)) };
    app.once(asked.clone(), StatusCode::CREATED, added).await
}

/// Revokes a player key of mine, which may be the one that asks. Its streams end within five seconds.
#[utoipa::path(delete, path = "/me/keys/{key_id}", tag = "identity", security(("key" = [])),
    params(("key_id" = String, Path, description = "`key_…`")),
    responses((status = 204, description = "Revoked")))]
pub(crate) async fn revoke(
    State(app): State<SharedApp>,
    PlayerKey(me): PlayerKey,
    Path(key): Path<String>,
) -> Result<StatusCode, Problem> {
    app.identity.revoke_key_of(&Holder::Player(me.id), &key).await?;
    Ok(StatusCode::NO_CONTENT)
}
