//! The caller: who it is, what it has, what it is to do.

use axum::Json;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::HeaderMap;
use axum::http::header::ORIGIN;
use axum::response::Response;
use farside_kit::fault::{Kind, Remote};
use farside_proto::ledger::v1::{GetBalanceRequest, ListEntriesRequest};
use farside_proto::matches::v1::{ListTurnsRequest, WatchParticipantRequest};
use farside_proto::rating::v1::GetPracticeRequest;
use serde::Deserialize;
use utoipa::IntoParams;

use super::extract::{Key, PlayerKey, Query};
use super::guard;
use super::json::account::Me;
use super::json::ledger::{Balances, EntryJson};
use super::json::list::{self, EntryList, Page, PracticeList};
use super::json::participant::Kind as ParticipantKind;
use super::json::table::{PracticeJson, Turns};
use super::sets::last_event_id;
use crate::app::{App, SharedApp};
use crate::domain::account::{Account, Player};
use crate::problem::{Code, Problem};
use crate::streams::{Feed, Source, socket, sse};

/// Longest wait of a long poll, in seconds.
const WAIT_MAX_S: u32 = 60;
/// Largest frame of a client, in bytes.
const FRAME_BYTES: usize = 64 * 1024;

/// Tells who calls.
#[utoipa::path(get, path = "/me", tag = "me", security(("key" = [])),
    responses((status = 200, description = "Who calls", body = Me)))]
pub(crate) async fn me(State(app): State<SharedApp>, key: Key) -> Result<Json<Me>, Problem> {
    let key_id = key.0.key_id.to_string();
    let me = match key.account() {
        Account::Player(player) => {
            let player = app.player_profile(player).await?;
            Me { kind: ParticipantKind::Human, player, bot: None, key_id }
        }
        Account::Bot(bot) => {
            let owner =
                app.identity.store().player(&bot.owner_id).await?.ok_or_else(|| Problem::not_found("player"))?;
            let (player, bot) = tokio::try_join!(app.player_profile(&owner), app.bot_profile(bot))?;
            Me { kind: ParticipantKind::Bot, player, bot: Some(bot), key_id }
        }
    };
    Ok(Json(me))
}

/// Returns the owner's balance by currency.
#[utoipa::path(get, path = "/me/balance", tag = "me", security(("key" = [])),
    responses((status = 200, description = "By currency", body = Balances)))]
pub(crate) async fn balance(State(app): State<SharedApp>, key: Key) -> Result<Json<Balances>, Problem> {
    app.balances(key.account()).await.map(Json)
}

/// An owner whose grant has not arrived yet has nothing; that is no fault.
fn empty_when_missing<T: Default>(answer: Result<T, Remote>) -> Result<T, Remote> {
    match answer {
        Err(fault) if fault.kind == Kind::NotFound => Ok(T::default()),
        other => other,
    }
}

/// Lists the owner's statement, newest first.
#[utoipa::path(get, path = "/me/ledger", tag = "me", security(("key" = [])), params(Page),
    responses((status = 200, description = "A page", body = EntryList)))]
pub(crate) async fn ledger(
    State(app): State<SharedApp>,
    key: Key,
    Query(page): Query<Page>,
) -> Result<Json<EntryList>, Problem> {
    app.statement(key.account(), page).await.map(Json)
}

/// Lists my practice in person against house bots, by game, board and level.
#[utoipa::path(get, path = "/me/practice", tag = "me", security(("key" = [])),
    responses((status = 200, description = "One entry for each board and level played", body = PracticeList)))]
pub(crate) async fn practice(
    State(app): State<SharedApp>,
    PlayerKey(me): PlayerKey,
) -> Result<Json<PracticeList>, Problem> {
    app.practice_of(&me).await.map(Json)
}

/// How to wait for turns.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TurnQuery {
    /// Seconds to wait when there is nothing new.
    #[param(minimum = 0, maximum = 60, default = 0)]
    wait: Option<u32>,
    /// `cursor` of an answer before: wait for something newer than that.
    after: Option<String>,
}

/// Lists every game in which I am to act; waits for one when there is none.
#[utoipa::path(get, path = "/me/turns", tag = "me", security(("key" = [])), params(TurnQuery),
    responses((status = 200, description = "Turns, most urgent first", body = Turns)))]
pub(crate) async fn turns(
    State(app): State<SharedApp>,
    key: Key,
    Query(query): Query<TurnQuery>,
) -> Result<Json<Turns>, Problem> {
    let wait_s = query.wait.unwrap_or(0);
    if wait_s > WAIT_MAX_S {
        return Err(Problem::malformed("/wait", "from 0 to 60"));
    }
    let after_cursor = query.after.unwrap_or_default();
    let request = ListTurnsRequest { participant_id: key.id(), after_cursor, wait_ms: wait_s * 1_000 };
    let at_once = ListTurnsRequest { wait_ms: 0, ..request.clone() };
    let ticket = app.streams.poll_for_key(key.0.key_id.as_str());
    let answer = tokio::select! {
        answer = app.upstream.matches.list_turns(request) => answer,
        () = ticket.replaced() => app.upstream.matches.list_turns(at_once).await,
        () = app.shutdown.requested() => return Err(Problem::new(Code::Unavailable, "the gateway restarts")),
    };
    let turns = answer.map_err(|fault| Problem::from(fault).renamed("/cursor", "/after"))?;
    Ok(Json(Turns::new(turns, app.now_ms())))
}

/// Streams everything that concerns me as server-sent events: a snapshot first, or exactly what came after `Last-Event-ID`.
#[utoipa::path(get, path = "/me/events", tag = "streams", security(("key" = [])),
    params(("last-event-id" = Option<String>, Header, description = "The id of the last event seen")),
    responses((status = 200, description = "Events", content_type = "text/event-stream", body = String)))]
pub(crate) async fn events(State(app): State<SharedApp>, key: Key, headers: HeaderMap) -> Result<Response, Problem> {
    let after = last_event_id(&headers)?.unwrap_or_default();
    Ok(sse::response(app.my_events(&key, after, "/Last-Event-ID").await?))
}

/// Where a socket begins.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SocketQuery {
    /// The id of the last event seen.
    after: Option<String>,
}

/// Opens a WebSocket: my events, and moves in the other direction.
#[utoipa::path(get, path = "/me/socket", tag = "streams", security(("key" = [])), params(SocketQuery),
    responses((status = 101, description = "A WebSocket")))]
pub(crate) async fn socket(
    State(app): State<SharedApp>,
    key: Key,
    headers: HeaderMap,
    Query(query): Query<SocketQuery>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let upgrade = upgrade.map_err(|_| Problem::malformed("/Upgrade", "this address is for WebSockets"))?;
    if headers.contains_key(ORIGIN) && !guard::is_same_origin(&headers) {
        return Err(Problem::new(Code::Forbidden, "a page elsewhere may not open this socket"));
    }
    let source = app.my_events(&key, query.after.unwrap_or_default(), "/after").await?;
    let answer = move |frame| super::frames::answer(app.clone(), key.clone(), frame);
    Ok(upgrade
        .max_message_size(FRAME_BYTES)
        .max_frame_size(FRAME_BYTES)
        .on_upgrade(|ws| socket::serve(ws, source, answer)))
}

impl App {
    /// What an account's owner has.
    ///
    /// # Errors
    ///
    /// What ledger-svc says.
    pub(crate) async fn balances(&self, account: &Account) -> Result<Balances, Problem> {
        self.identity.ensure_granted(account).await;
        let account_id = account.owner_id().to_string();
        let currencies = self.currencies().await?;
        let answer = self.upstream.ledger.get_balance(GetBalanceRequest { account_id }).await;
        let balances = empty_when_missing(answer)?.balances;
        Ok(Balances::new(&balances, &currencies))
    }

    /// A page of an account's statement.
    ///
    /// # Errors
    ///
    /// `malformed_request`; what ledger-svc says.
    pub(crate) async fn statement(&self, account: &Account, page: Page) -> Result<EntryList, Problem> {
        self.identity.ensure_granted(account).await;
        let limit = page.limit()?;
        let account_id = account.owner_id().to_string();
        let request = ListEntriesRequest { account_id, limit, cursor: page.cursor.unwrap_or_default() };
        let answer = empty_when_missing(self.upstream.ledger.list_entries(request).await)?;
        let entries = answer.entries.into_iter().map(EntryJson::from).collect();
        Ok(EntryList { entries, next_cursor: list::next(answer.next_cursor) })
    }

    /// A person's practice against house bots.
    ///
    /// # Errors
    ///
    /// What rating-svc says.
    pub(crate) async fn practice_of(&self, player: &Player) -> Result<PracticeList, Problem> {
        let request = GetPracticeRequest { player_id: player.id.to_string() };
        let answer = self.upstream.rating.get_practice(request).await?;
        let practice = answer.statistics.into_iter().map(PracticeJson::from).collect();
        Ok(PracticeList { practice, next_cursor: None })
    }

    /// Events of the caller after a cursor, which the client knows by this pointer.
    async fn my_events(self: &SharedApp, key: &Key, after_cursor: String, pointer: &str) -> Result<Source, Problem> {
        let ticket = self.streams.open_for_key(key.0.key_id.as_str());
        let feed = Feed::Participant(WatchParticipantRequest { participant_id: key.id(), after_cursor });
        let source = Source::open(self.clone(), feed, ticket, Some(key.0.clone())).await;
        source.map_err(|fault| Problem::from(fault).renamed("/cursor", pointer))
    }
}
