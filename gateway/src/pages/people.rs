//! Bots and players: the list, and a page about each with ratings, history, sets and strikes.
//!
//! Not here: what an owner changes, which `me` has.

use askama::Template;
use axum::extract::State;
use axum::http::Uri;
use axum::response::{IntoResponse, Redirect, Response};
use farside_proto::matches::v1::ListSetsRequest;
use farside_proto::rating::v1::ListHistoryRequest;
use farside_proto::rules::v1::GameContract;

use super::frame::{Frame, show};
use super::pager::{Pager, page};
use super::rows::{self, SetRow, Who};
use super::{graph, session, words};
use crate::api::extract::{Path, is_plain};
use crate::api::json::account::{BotJson, StrikeJson};
use crate::api::json::scalar::Timestamp;
use crate::api::json::table::{HistoryJson, StandingJson};
use crate::app::{App, SharedApp};
use crate::domain::account::Account;
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
    name: String,
    is_bot: bool,
    is_guest: bool,
    is_mine: bool,
    id: String,
    description: String,
    owner: Option<Who>,
    bots: Vec<Who>,
    max_stake: Option<i64>,
    since: String,
    standings: Vec<Standing>,
    strikes: Vec<StrikeJson>,
    suspended_until: Option<Timestamp>,
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
    let Account::Bot(bot) = app.identity.account(&id, "bot").await? else { return Err(Problem::not_found("bot")) };
    let profile = app.bot_profile(&bot).await?;
    let rest = app.about(&profile.id, profile.ratings, &uri).await?;
    Ok(show(&ParticipantPage {
        name: profile.name,
        is_bot: true,
        is_guest: false,
        is_mine: frame.visitor.player().is_some_and(|player| player.id == bot.owner_id),
        description: profile.description,
        owner: Some(Who::player(&profile.owner)),
        bots: Vec::new(),
        max_stake: Some(profile.max_stake),
        since: words::moment(profile.created_at),
        strikes: profile.strikes,
        suspended_until: profile.suspended_until,
        id: profile.id,
        frame,
        standings: rest.standings,
        sets: rest.sets,
        pager: rest.pager,
    }))
}

/// A player.
pub(super) async fn player(
    State(app): State<SharedApp>,
    frame: Frame,
    Path(id): Path<String>,
    uri: Uri,
) -> Result<Response, Problem> {
    let Account::Player(player) = app.identity.account(&id, "player").await? else {
        return Err(Problem::not_found("player"));
    };
    let profile = app.player_profile(&player).await?;
    let rest = app.about(&profile.id, profile.ratings, &uri).await?;
    Ok(show(&ParticipantPage {
        name: profile.name,
        is_bot: false,
        is_guest: player.is_guest,
        is_mine: frame.visitor.player().is_some_and(|visitor| visitor.id == player.id),
        description: String::new(),
        owner: None,
        bots: profile.bots.iter().map(Who::bot).collect(),
        max_stake: None,
        since: words::moment(profile.created_at),
        strikes: profile.strikes,
        suspended_until: profile.suspended_until,
        id: profile.id,
        frame,
        standings: rest.standings,
        sets: rest.sets,
        pager: rest.pager,
    }))
}

/// What a bot's page and a player's page have in common.
struct About {
    standings: Vec<Standing>,
    sets: Vec<SetRow>,
    pager: Pager,
}

impl App {
    async fn about(&self, id: &str, ratings: Vec<StandingJson>, uri: &Uri) -> Result<About, Problem> {
        let (games, asked) = (self.games().await?, page(&session::query(uri), SETS));
        let request = ListSetsRequest {
            participant_id: id.to_owned(),
            limit: SETS,
            cursor: asked.cursor.clone().unwrap_or_default(),
            ..ListSetsRequest::default()
        };
        let sets = self.sets(request).await?;
        let pager = Pager::new(uri.path(), &asked, sets.next_cursor.as_deref());
        let sets = sets.sets.iter().map(|set| SetRow::new(set, &games)).collect();
        Ok(About { standings: self.standings(id, ratings, &games).await?, sets, pager })
    }

    async fn standings(
        &self,
        id: &str,
        ratings: Vec<StandingJson>,
        games: &[GameContract],
    ) -> Result<Vec<Standing>, Problem> {
        let mut standings = Vec::with_capacity(ratings.len());
        for now in ratings {
            let (participant_id, game) = (id.to_owned(), now.game.clone());
            let request = ListHistoryRequest { participant_id, game, limit: POINTS, cursor: String::new() };
            let history = self.history(request).await?.points;
            let (graph, game_name) = (graph::draw(&history), rows::game_name(&now.game, games));
            standings.push(Standing { game: now.game.clone(), game_name, now, graph, history });
        }
        Ok(standings)
    }
}
