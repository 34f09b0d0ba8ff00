//! The lobby: what is being played, which challenges wait, who is best, and where to begin.
//!
//! What a service does not answer is left out, and the page says so. Not here: playing.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use farside_proto::matches::v1::{ChallengeStatus, GetSetRequest, ListChallengesRequest, ListSetsRequest, SetStatus};
use serde_json::Value;

use super::board;
use super::frame::{Frame, Visitor, show};
use super::me::running_sets_of;
use super::names::GameNames;
use super::rows::{ChallengeRow, SetRow, Who};
use super::words;
use crate::api::json::challenge::{ChallengeJson, ChallengeKind};
use crate::api::json::contract::{GameSummary, Tier};
use crate::api::json::list::Page;
use crate::api::json::set::SetState;
use crate::api::json::table::RowJson;
use crate::app::{App, SharedApp};
use crate::domain::account::Player;
use crate::problem::Problem;

/// Running sets that are shown with their boards.
const BOARDS: u32 = 6;
/// Rows of each table.
const ROWS: u32 = 10;
/// The game whose leaderboard is shown.
const MAIN_GAME: &str = "breakthrough";

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    frame: Frame,
    games: Vec<GameSummary>,
    own: Vec<OwnSet>,
    running: Vec<Arc<RunningSet>>,
    challenges: Vec<ChallengeRow>,
    recent: Vec<SetRow>,
    top: Vec<RowJson>,
    is_partial: bool,
}

/// A set that the visitor plays in person.
struct OwnSet {
    id: String,
    game: String,
    opponent: String,
}

/// A set that is being played, as the lobby shows it.
#[derive(Clone, Debug)]
pub(crate) struct RunningSet {
    /// `set_…`.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// Who has seat 1 in the game that is being played.
    pub one: Who,
    /// Who has seat 2.
    pub two: Who,
    /// The points of both, in that order.
    pub points: String,
    /// What each side stakes.
    pub stake: String,
    /// Which game of how many, and how many moves were made.
    pub progress: String,
    /// The boards of that game, small.
    pub boards: Vec<board::Drawn>,
}

/// The lobby.
pub(super) async fn home(State(app): State<SharedApp>, frame: Frame) -> Response {
    let (games, names) = (app.games().await.unwrap_or_default(), app.game_names().await);
    let first = Page { limit: Some(ROWS), cursor: None };
    let (own, running, challenges, recent, top) = tokio::join!(
        app.own_sets(&frame.visitor, &names),
        app.running_sets(),
        app.challenges(open_challenges()),
        app.sets(finished_sets()),
        app.leaderboard(MAIN_GAME, first)
    );
    let is_partial =
        games.is_empty() || own.is_err() || running.is_err() || challenges.is_err() || recent.is_err() || top.is_err();
    let open = challenges.map(|list| list.challenges).unwrap_or_default();
    show(&Home {
        games: games.iter().map(GameSummary::from).collect(),
        own: own.unwrap_or_default(),
        running: running.map(|sets| sets.to_vec()).unwrap_or_default(),
        challenges: challenges_for(frame.visitor.player(), &open, &names),
        recent: recent.map(|list| SetRow::all(&list.sets, &names)).unwrap_or_default(),
        top: top.map(|list| list.rows).unwrap_or_default(),
        is_partial,
        frame,
    })
}

/// Challenges to anyone, and those that concern whoever looks.
fn challenges_for(viewer: Option<&Player>, open: &[ChallengeJson], names: &GameNames) -> Vec<ChallengeRow> {
    let row = |challenge: &ChallengeJson| {
        let row = ChallengeRow::new(challenge, viewer, names);
        (challenge.kind == ChallengeKind::Open || row.is_mine || row.is_to_me).then_some(row)
    };
    open.iter().filter_map(row).collect()
}

fn open_challenges() -> ListChallengesRequest {
    let status = ChallengeStatus::Open.into();
    ListChallengesRequest { status, limit: 2 * ROWS, ..ListChallengesRequest::default() }
}

fn finished_sets() -> ListSetsRequest {
    ListSetsRequest { status: SetStatus::Finished.into(), limit: ROWS, ..ListSetsRequest::default() }
}

impl App {
    /// Sets against others that the visitor plays in person.
    async fn own_sets(&self, visitor: &Visitor, names: &GameNames) -> Result<Vec<OwnSet>, Problem> {
        let Visitor::Player(player) = visitor else { return Ok(Vec::new()) };
        let sets = self.sets(running_sets_of(player)).await?.sets;
        let against_others = sets.iter().filter(|set| set.kind != ChallengeKind::Practice);
        Ok(against_others.map(|set| OwnSet::new(set, player, names)).collect())
    }

    /// Sets that are being played, with their boards; kept for a moment, so that many who look on cost no more than one.
    async fn running_sets(&self) -> Result<Arc<Vec<Arc<RunningSet>>>, Problem> {
        if let Some(sets) = self.lobby.get(&()).await {
            return Ok(sets);
        }
        let request = ListSetsRequest { status: SetStatus::Active.into(), limit: BOARDS, ..ListSetsRequest::default() };
        let (found, names) = (self.upstream.matches.list_sets(request).await?.sets, self.game_names().await);
        let looked_at = found.into_iter().map(|set| self.running_set(set.id, &names));
        let sets = futures::future::join_all(looked_at).await.into_iter().flatten().map(Arc::new).collect();
        let sets = Arc::new(sets);
        self.lobby.insert((), Arc::clone(&sets)).await;
        Ok(sets)
    }

    /// A set as everybody may see it; nothing when it cannot be had.
    async fn running_set(&self, set_id: String, names: &GameNames) -> Option<RunningSet> {
        let request = GetSetRequest { set_id, viewer_id: String::new() };
        let set = SetState::new(self.upstream.matches.get_set(request).await.ok()?.set?, self.now_ms());
        RunningSet::new(&set, names)
    }
}

impl OwnSet {
    fn new(set: &SetState, player: &Player, names: &GameNames) -> Self {
        let is_creator = set.creator.id == player.id.as_str();
        let opponent = if is_creator { &set.acceptor } else { &set.creator };
        Self { id: set.id.clone(), game: names.of(&set.game), opponent: opponent.name.clone() }
    }
}

impl RunningSet {
    fn new(set: &SetState, names: &GameNames) -> Option<Self> {
        let game = set.games.last()?;
        let creator_is_one = game.seats.one == set.creator.id;
        let (one, two) = if creator_is_one { (&set.creator, &set.acceptor) } else { (&set.acceptor, &set.creator) };
        let points = (words::half(set.points.creator.0), words::half(set.points.acceptor.0));
        let points = if creator_is_one { points } else { (points.1, points.0) };
        let body: Value = serde_json::from_str(game.body.get()).unwrap_or_default();
        Some(Self {
            boards: board::draw(&body, &board::View { mini: true, ..board::View::default() }),
            id: set.id.clone(),
            game: names.of(&set.game),
            one: one.into(),
            two: two.into(),
            points: format!("{} – {}", points.0, points.1),
            stake: words::stake(set.stake.as_ref()),
            progress: format!("Game {} of {}, {} played", game.number, set.games_total, game.ply),
        })
    }
}
