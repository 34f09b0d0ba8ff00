//! Bots and their keys.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use farside_proto::rating::v1::ListHistoryRequest;
use serde::Deserialize;
use utoipa::IntoParams;

use super::change::Answered;
use super::extract::{Body, IdempotencyKey, Path, PlayerKey, Query};
use super::json::account::{self, BotJson, BotKeyJson, BotMade, BotPatch, KeyMade, NewBotBody};
use super::json::list::{self, BotKeyList, BotList, HistoryList};
use super::json::table::HistoryJson;
use crate::app::SharedApp;
use crate::domain::account::{Account, Bot, BotChange, DEFAULT_MAX_STAKE_POINTS};
use crate::domain::ids::BotId;
use crate::domain::name::Name;
use crate::domain::policy::Acceptance;
use crate::identity::NewBot;
use crate::problem::Problem;

/// Which bots.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct BotQuery {
    /// Only those of this player, by id or name.
    owner: Option<String>,
    /// Most entries to return.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

/// Makes a bot. The answer holds its first key, this once.
#[utoipa::path(post, path = "/bots", tag = "identity", request_body = NewBotBody, security(("key" = [])),
    responses((status = 201, description = "Made", body = BotMade)))]
pub(crate) async fn create(
    State(app): State<SharedApp>,
    PlayerKey(owner): PlayerKey,
    idempotency: IdempotencyKey,
    body: Body<NewBotBody>,
) -> Answered {
    let asked = idempotency.replay(&app, owner.id.as_str(), "/bots", &body.value);
    let new = new_bot(body.value)?;
    let made = async {
        app.knows_games(Some(&new.accepts)).await?;
        let made = app.identity.make_bot(&owner, new, asked.clone()).await?;
        let (bot, key_id) = (BotJson::listed(&made.what), made.key_id.to_string());
        Ok(BotMade { bot, key: made.key.map(|key| key.reveal().to_owned()), key_id })
    };
    app.once(asked.clone(), StatusCode::CREATED, made).await
}

/// A bot as it was asked for, checked.
///
/// # Errors
///
/// `malformed_request` with the pointer of what does not fit.
pub(crate) fn new_bot(body: NewBotBody) -> Result<NewBot, Problem> {
    Ok(NewBot {
        name: name(&body.name)?,
        description: account::description(body.description.unwrap_or_default())?,
        max_stake_points: account::max_stake(body.max_stake.unwrap_or(DEFAULT_MAX_STAKE_POINTS))?,
        accepts: body.accepts.unwrap_or_default().into_domain()?,
    })
}

fn name(text: &str) -> Result<Name, Problem> {
    Name::parse(text).map_err(|fault| Problem::malformed("/name", fault.to_string()))
}

/// Changes a bot of one's own.
#[utoipa::path(patch, path = "/bots/{bot}", tag = "identity", request_body = BotPatch, security(("key" = [])),
    params(("bot" = String, Path, description = "Id or name")),
    responses((status = 200, description = "The bot as it is now", body = BotJson)))]
pub(crate) async fn change(
    State(app): State<SharedApp>,
    PlayerKey(owner): PlayerKey,
    Path(bot): Path<String>,
    body: Body<BotPatch>,
) -> Result<Json<BotJson>, Problem> {
    let change = bot_change(body.value)?;
    app.knows_games(change.accepts.as_ref()).await?;
    let bot = app.identity.change_bot(&owner, &bot, change).await?;
    Ok(Json(app.bot_profile(&bot).await?))
}

/// Changes as they were asked for, checked.
///
/// # Errors
///
/// `malformed_request` with the pointer of what does not fit.
pub(crate) fn bot_change(patch: BotPatch) -> Result<BotChange, Problem> {
    Ok(BotChange {
        name: patch.name.as_deref().map(name).transpose()?,
        description: patch.description.map(account::description).transpose()?,
        max_stake_points: patch.max_stake.map(account::max_stake).transpose()?,
        accepts: patch.accepts.map(|accepts| accepts.unwrap_or_default().into_domain()).transpose()?,
    })
}

/// Lists bots, newest first, without ratings and strikes.
#[utoipa::path(get, path = "/bots", tag = "identity", params(BotQuery),
    responses((status = 200, description = "A page", body = BotList)))]
pub(crate) async fn list(
    State(app): State<SharedApp>,
    Query(query): Query<BotQuery>,
) -> Result<Json<BotList>, Problem> {
    let (limit, after) = (list::limit(query.limit)?, list::id_cursor(query.cursor, BotId::PREFIX)?);
    let owner = match query.owner {
        Some(owner) => Some(app.identity.account(&owner, "player").await?.owner_id().clone()),
        None => None,
    };
    let found = app.identity.store().list_bots(owner.as_ref(), limit.into(), after).await?;
    let bots = found.bots.iter().map(BotJson::listed).collect();
    Ok(Json(BotList { bots, next_cursor: found.next }))
}

/// Returns a bot by id or name.
#[utoipa::path(get, path = "/bots/{bot}", tag = "identity", params(("bot" = String, Path, description = "Id or name")),
    responses((status = 200, description = "The bot", body = BotJson)))]
pub(crate) async fn get(State(app): State<SharedApp>, Path(bot): Path<String>) -> Result<Json<BotJson>, Problem> {
    match app.identity.account(&bot, "bot").await? {
        Account::Bot(bot) => Ok(Json(app.bot_profile(&bot).await?)),
        Account::Player(_) => Err(Problem::not_found("bot")),
    }
}

impl crate::app::App {
    /// Checks that a policy names games that there are.
    async fn knows_games(&self, accepts: Option<&Acceptance>) -> Result<(), Problem> {
        let Some(accepts) = accepts.filter(|accepts| !accepts.games.is_empty()) else { return Ok(()) };
        let games = self.games().await?;
        match accepts.games.iter().position(|named| games.iter().all(|game| game.id != *named)) {
            Some(place) => Err(Problem::malformed(format!("/accepts/games/{place}"), "there is no such game")),
            None => Ok(()),
        }
    }

    /// A bot with everything that is known about it.
    ///
    /// # Errors
    ///
    /// What a service says.
    pub async fn bot_profile(&self, bot: &Bot) -> Result<BotJson, Problem> {
        Ok(BotJson::new(bot, self.reputation(bot.id.as_str(), bot.owner_id.as_str()).await?))
    }

    /// A page of a participant's ratings.
    ///
    /// # Errors
    ///
    /// What rating-svc says.
    pub(crate) async fn history(&self, request: ListHistoryRequest) -> Result<HistoryList, Problem> {
        let answer = self.upstream.rating.list_history(request).await?;
        let points = answer.points.into_iter().map(HistoryJson::from).collect();
        Ok(HistoryList { points, next_cursor: list::next(answer.next_cursor) })
    }
}

/// Which rating history.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct HistoryQuery {
    /// Game id.
    game: String,
    /// Most entries to return.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

/// Lists a bot's rating after each of its rated sets, newest first.
#[utoipa::path(get, path = "/bots/{bot}/history", tag = "tables",
    params(("bot" = String, Path, description = "Id or name"), HistoryQuery),
    responses((status = 200, description = "A page", body = HistoryList)))]
pub(crate) async fn history(
    State(app): State<SharedApp>,
    Path(bot): Path<String>,
    Query(query): Query<HistoryQuery>,
) -> Result<Json<HistoryList>, Problem> {
    let participant_id = app.identity.account(&bot, "bot").await?.id().to_owned();
    let (limit, cursor) = (list::limit(query.limit)?, query.cursor.unwrap_or_default());
    app.history(ListHistoryRequest { participant_id, game: query.game, limit, cursor }).await.map(Json)
}

/// Lists the keys of a bot of one's own, without their secrets.
#[utoipa::path(get, path = "/bots/{bot}/keys", tag = "identity", security(("key" = [])),
    params(("bot" = String, Path, description = "Id or name")),
    responses((status = 200, description = "All keys that are not revoked", body = BotKeyList)))]
pub(crate) async fn keys(
    State(app): State<SharedApp>,
    PlayerKey(owner): PlayerKey,
    Path(bot): Path<String>,
) -> Result<Json<BotKeyList>, Problem> {
    let keys = app.identity.keys(&owner, &bot).await?.iter().map(BotKeyJson::new).collect();
    Ok(Json(BotKeyList { keys, next_cursor: None }))
}

/// Adds a key to a bot of one's own, so that keys can be changed without downtime. It is shown this once.
#[utoipa::path(post, path = "/bots/{bot}/keys", tag = "identity", security(("key" = [])),
    params(("bot" = String, Path, description = "Id or name")),
    responses((status = 201, description = "Added", body = KeyMade)))]
pub(crate) async fn add_key(
    State(app): State<SharedApp>,
    PlayerKey(owner): PlayerKey,
    Path(bot): Path<String>,
    idempotency: IdempotencyKey,
) -> Answered {
    let asked = idempotency.replay(&app, owner.id.as_str(), &format!("/bots/{bot}/keys"), &());
    let added = async { Ok(KeyMade::new(app.identity.add_key(&owner, &bot, asked.clone()).await?)) };
    app.once(asked.clone(), StatusCode::CREATED, added).await
}

/// Revokes a key of a bot of one's own. Its streams end within five seconds.
#[utoipa::path(delete, path = "/bots/{bot}/keys/{key_id}", tag = "identity", security(("key" = [])),
    params(("bot" = String, Path, description = "Id or name"), ("key_id" = String, Path, description = "`key_…`")),
    responses((status = 204, description = "Revoked")))]
pub(crate) async fn revoke_key(
    State(app): State<SharedApp>,
    PlayerKey(owner): PlayerKey,
    Path((bot, key)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    app.identity.revoke_key(&owner, &bot, &key).await?;
    Ok(StatusCode::NO_CONTENT)
}
