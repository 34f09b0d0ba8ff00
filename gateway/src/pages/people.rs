//! Bots and players: the list, and a page about each with ratings, history, sets and strikes.
//!
//! Not here: what an owner changes, which `me` has.

use askama::Template;
use axum::extract::State;
use axum::http::Uri;
use axum::response::{IntoResponse, Redirect, Response};
use farside_proto::matches::v1::ListSetsRequest;
use farside_proto::rating::v1::{self as rating, ListHistoryRequest};

use super::frame::{Frame, Visitor, show};
use super::names::GameNames;
use super::pager::{Pager, page};
use super::rows::{SetRow, Who};
use super::{graph, session, words};
use crate::api::extract::{Path, is_plain};
use crate::api::json::account::{BotJson, StrikeJson};
use crate::api::json::list::Page;
use crate::api::json::scalar::Timestamp;
use crate::api::json::table::{HistoryJson, StandingJson};
use crate::app::{App, SharedApp};
use crate::domain::account::{Account, Bot};
use crate::problem::Problem;

/// Bots on a page of the list.
const BOTS: u32 = 50;
/// Sets on the page of a participant.
const SETS: u32 = 10;
/// Points of a graph.
const POINTS: u32 = 100;

#[derive(Template)]
#[template(path = "bots.html")]
struct BotsPage {
    frame: Frame,
    bots: Vec<BotJson>,
    find: String,
    is_unknown: bool,
    pager: Pager,
}

/// Bots, newest first; `?find=NAME` leads to the one with that name.
pub(super) async fn bots(State(app): State<SharedApp>, frame: Frame, uri: Uri) -> Result<Response, Problem> {
    let query = session::query(&uri);
    let find = query.get("find").to_owned();
    if let Some(found) = app.find(&find).await? {
        return Ok(Redirect::to(&found).into_response());
    }
    let asked = page(&query, BOTS);
    let found = app.identity.store().list_bots(None, asked.limit()?.into(), asked.cursor.clone()).await?;
    let bots = found.bots.iter().map(BotJson::listed).collect();
    let pager = Pager::new(uri.path(), &asked, found.next.as_deref());
    Ok(show(&BotsPage { frame, bots, is_unknown: !find.is_empty(), find, pager }))
}

impl App {
    /// The address of the page about the bot or player with this id or name.
    async fn find(&self, id_or_name: &str) -> Result<Option<String>, Problem> {
        if !is_plain(id_or_name) {
            return Ok(None);
        }
        Ok(self.identity.store().account_by(id_or_name).await?.map(|account| match account {
            Account::Bot(bot) => format!("/bots/{}", bot.id),
            Account::Player(player) => format!("/players/{}", player.id),
        }))
    }
}

/// How a participant stands in one game, with its graph.
pub(super) struct Standing {
    game: String,
    game_name: String,
    now: StandingJson,
    graph: String,
    history: Vec<HistoryJson>,
}

#[derive(Template)]
#[template(path = "participant.html")]
struct ParticipantPage {
    frame: Frame,
    about: About,
    is_bot: bool,
    is_guest: bool,
    description: String,
    owner: Option<Who>,
    bots: Vec<Who>,
    max_stake: Option<i64>,
}

/// What a bot's page and a player's page have in common.
struct About {
    name: String,
    id: String,
    since: String,
    is_mine: bool,
    standings: Vec<Standing>,
    strikes: Vec<StrikeJson>,
    suspended_until: Option<Timestamp>,
    suspended_since: Option<Timestamp>,
    sets: Vec<SetRow>,
    pager: Pager,
}

/// A bot.
pub(super) async fn bot(
    State(app): State<SharedApp>,
    frame: Frame,
    Path(id): Path<String>,
    uri: Uri,
) -> Result<Response, Problem> {
    let account = app.identity.account(&id, "bot").await?;
    let Account::Bot(bot) = &account else { return Err(Problem::not_found("bot")) };
    Ok(show(&ParticipantPage {
        about: app.about(&account, &frame.visitor, &uri).await?,
        is_bot: true,
        is_guest: false,
        description: bot.description.clone(),
        owner: Some(Who::owner_of(bot)),
        bots: Vec::new(),
        max_stake: Some(bot.max_stake_points),
        frame,
    }))
}

/// A player.
pub(super) async fn player(
    State(app): State<SharedApp>,
    frame: Frame,
    Path(id): Path<String>,
    uri: Uri,
) -> Result<Response, Problem> {
    let account = app.identity.account(&id, "player").await?;
    let Account::Player(player) = &account else { return Err(Problem::not_found("player")) };
    Ok(show(&ParticipantPage {
        about: app.about(&account, &frame.visitor, &uri).await?,
        is_bot: false,
        is_guest: player.is_guest,
        description: String::new(),
        owner: None,
        bots: app.identity.store().bots_of(&player.id).await?.iter().map(Who::bot).collect(),
        max_stake: None,
        frame,
    }))
}

fn sets_of(id: &str, page: &Page) -> ListSetsRequest {
    let (participant_id, cursor) = (id.to_owned(), page.cursor.clone().unwrap_or_default());
    ListSetsRequest { participant_id, limit: SETS, cursor, ..ListSetsRequest::default() }
}

impl App {
    async fn about(&self, account: &Account, visitor: &Visitor, uri: &Uri) -> Result<About, Problem> {
        let (id, owner, asked) = (account.id(), account.owner_id(), page(&session::query(uri), SETS));
        let (names, request) = (self.game_names().await, sets_of(id, &asked));
        let (reputation, sets) = tokio::try_join!(self.reputation(id, owner.as_str()), self.sets(request))?;
        Ok(About {
            name: account.name().to_string(),
            id: id.to_owned(),
            since: words::moment(Timestamp(created_at_ms(account))),
            is_mine: visitor.player().is_some_and(|player| player.id == *owner),
            strikes: reputation.strikes(),
            suspended_until: reputation.standing.suspended_until_ms.map(Timestamp),
            suspended_since: reputation.standing.suspended_since_ms.map(Timestamp),
            standings: self.standings(id, reputation.standings, &names).await?,
            sets: SetRow::all(&sets.sets, &names),
            pager: Pager::new(uri.path(), &asked, sets.next_cursor.as_deref()),
        })
    }

    async fn standings(
        &self,
        id: &str,
        ratings: Vec<rating::Standing>,
        names: &GameNames,
    ) -> Result<Vec<Standing>, Problem> {
        let mut standings = Vec::with_capacity(ratings.len());
        for now in ratings.into_iter().map(StandingJson::from) {
            let (participant_id, game) = (id.to_owned(), now.game.clone());
            let request = ListHistoryRequest { participant_id, game, limit: POINTS, cursor: String::new() };
            let history = self.history(request).await?.points;
            let (graph, game_name) = (graph::draw(&history), names.of(&now.game));
            standings.push(Standing { game: now.game.clone(), game_name, now, graph, history });
        }
        Ok(standings)
    }
}

fn created_at_ms(account: &Account) -> i64 {
    match account {
        Account::Bot(bot) => bot.created_at_ms,
        Account::Player(player) => player.created_at_ms,
    }
}

impl Who {
    fn bot(bot: &Bot) -> Self {
        Self { name: bot.name.to_string(), address: format!("/bots/{}", bot.id) }
    }

    fn owner_of(bot: &Bot) -> Self {
        Self { name: bot.owner_name.to_string(), address: format!("/players/{}", bot.owner_id) }
    }
}
