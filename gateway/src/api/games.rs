//! The catalogue, the tables of a game, and its rules as a service.

use axum::Json;
use axum::extract::State;
use farside_proto::matches::v1::ListSetsRequest;
use farside_proto::rating::v1::ListLeaderboardRequest;
use farside_proto::rules::v1::{AnalyzeRequest, GameContract as Contract, GameStart, Ply, Position, ReplayRequest};

use super::extract::{Body, Key, LARGE_BODY_BYTES, Path, Query};
use super::guard;
use super::json::contract::{GameContract, GameSummary};
use super::json::list::{self, GameList, Page, RowList, SetList};
use super::json::scalar::Raw;
use super::json::set::SetState;
use super::json::table::{AnalysisBody, AnalysisJson, PositionBody, PositionJson, RowJson};
use crate::app::{App, SharedApp};
use crate::problem::{Code, Problem};

/// Nodes of an analysis when nothing is said.
const NODES_DEFAULT: u64 = 200_000;
/// Most nodes of an analysis.
const NODES_MAX: u64 = 2_000_000;
/// How long a search may wait and think: it then answers the best that it has found.
const ANALYSIS_TIME_MS: u32 = 15_000;
/// Most plies of a line.
const PLIES_MAX: usize = 10_000;
/// Bytes of a seed.
const SEED_BYTES: usize = 32;

/// Lists the games.
#[utoipa::path(get, path = "/games", tag = "games",
    responses((status = 200, description = "The catalogue", body = GameList)))]
pub(crate) async fn list(State(app): State<SharedApp>) -> Result<Json<GameList>, Problem> {
    let games = app.games().await?.iter().map(GameSummary::from).collect();
    Ok(Json(GameList { games, next_cursor: None }))
}

/// Returns a game's contract.
#[utoipa::path(get, path = "/games/{game}", tag = "games", params(("game" = String, Path, description = "Game id")),
    responses((status = 200, description = "The contract", body = GameContract)))]
pub(crate) async fn get(State(app): State<SharedApp>, Path(game): Path<String>) -> Result<Json<GameContract>, Problem> {
    let (contract, currencies) = (app.contract(&game).await?, app.currencies().await?);
    Ok(Json(GameContract::new(contract, &currencies)))
}

impl App {
    /// The contract of one game.
    ///
    /// # Errors
    ///
    /// `not_found`; what rules-svc says.
    pub async fn contract(&self, game: &str) -> Result<Contract, Problem> {
        let games = self.games().await?;
        games.iter().find(|contract| contract.id == game).cloned().ok_or_else(|| Problem::not_found("game"))
    }

    /// A page of a game's leaderboard.
    ///
    /// # Errors
    ///
    /// `not_found`, `malformed_request`; what rating-svc says.
    pub(crate) async fn leaderboard(&self, game: &str, page: Page) -> Result<RowList, Problem> {
        let limit = page.limit()?;
        let game = self.contract(game).await?.id;
        let request = ListLeaderboardRequest { game, limit, cursor: page.cursor.unwrap_or_default() };
        let answer = self.upstream.rating.list_leaderboard(request).await?;
        let rows = answer.rows.into_iter().map(RowJson::from).collect();
        Ok(RowList { rows, next_cursor: list::next(answer.next_cursor) })
    }

    /// A page of a game's sets.
    ///
    /// # Errors
    ///
    /// `not_found`, `malformed_request`; what match-svc says.
    pub(crate) async fn sets_of(&self, game: &str, page: Page) -> Result<SetList, Problem> {
        let limit = page.limit()?;
        let game = self.contract(game).await?.id;
        let cursor = page.cursor.unwrap_or_default();
        self.sets(ListSetsRequest { game, limit, cursor, ..Default::default() }).await
    }

    /// A page of sets.
    ///
    /// # Errors
    ///
    /// What match-svc says.
    pub(crate) async fn sets(&self, request: ListSetsRequest) -> Result<SetList, Problem> {
        let answer = self.upstream.matches.list_sets(request).await?;
        let sets = answer.sets.into_iter().map(|set| SetState::new(set, self.now_ms())).collect();
        Ok(SetList { sets, next_cursor: list::next(answer.next_cursor) })
    }
}

/// Lists the leaderboard of a game, best first.
#[utoipa::path(get, path = "/games/{game}/leaderboard", tag = "tables",
    params(("game" = String, Path, description = "Game id"), Page),
    responses((status = 200, description = "A page", body = RowList)))]
pub(crate) async fn leaderboard(
    State(app): State<SharedApp>,
    Path(game): Path<String>,
    Query(page): Query<Page>,
) -> Result<Json<RowList>, Problem> {
    app.leaderboard(&game, page).await.map(Json)
}

/// Lists the sets of a game, newest first.
#[utoipa::path(get, path = "/games/{game}/sets", tag = "tables",
    params(("game" = String, Path, description = "Game id"), Page),
    responses((status = 200, description = "A page", body = SetList)))]
pub(crate) async fn sets(
    State(app): State<SharedApp>,
    Path(game): Path<String>,
    Query(page): Query<Page>,
) -> Result<Json<SetList>, Problem> {
    app.sets_of(&game, page).await.map(Json)
}

/// Plays a line from the start and describes the position reached.
#[utoipa::path(post, path = "/games/{game}/positions", tag = "games", request_body = PositionBody,
    params(("game" = String, Path, description = "Game id")),
    responses((status = 200, description = "The position", body = PositionJson)))]
pub(crate) async fn positions(
    State(app): State<SharedApp>,
    Path(game): Path<String>,
    body: Body<PositionBody, LARGE_BODY_BYTES>,
) -> Result<Json<PositionJson>, Problem> {
    let PositionBody { options, seed, moves, game_number, creator_seat } = body.value;
    let line = Line { game, options, seed, moves, game_number, creator_seat };
    Ok(Json(app.replay(line).await?.into()))
}

/// Searches for the best move after a line, for 15 seconds at most: `nodes` says how many it got to.
#[utoipa::path(post, path = "/games/{game}/analysis", tag = "games", request_body = AnalysisBody, security(("key" = [])),
    params(("game" = String, Path, description = "Game id")),
    responses((status = 200, description = "What the search found", body = AnalysisJson)))]
pub(crate) async fn analysis(
    State(app): State<SharedApp>,
    Path(game): Path<String>,
    key: Key,
    body: Body<AnalysisBody, LARGE_BODY_BYTES>,
) -> Result<Json<AnalysisJson>, Problem> {
    let AnalysisBody { options, seed, moves, game_number, creator_seat, nodes, seat } = body.value;
    let (max_nodes, seat) = (nodes_asked(nodes)?, seat_asked("/seat", seat)?);
    guard::count(&app, app.quotas.analysis, key.0.key_id.as_str()).await?;
    let line = Line { game: game.clone(), options, seed, moves, game_number, creator_seat };
    let state = app.replay(line).await?.state.into();
    let request = AnalyzeRequest { game, state, seat, max_nodes, max_time_ms: ANALYSIS_TIME_MS };
    Ok(Json(app.upstream.rules.analyze(request).await?.into()))
}

fn nodes_asked(nodes: Option<u64>) -> Result<u64, Problem> {
    match nodes.unwrap_or(NODES_DEFAULT) {
        nodes @ 1..=NODES_MAX => Ok(nodes),
        _ => Err(Problem::malformed("/nodes", "from 1 to 2000000")),
    }
}

/// A seat; 0 when nothing is said.
fn seat_asked(pointer: &str, seat: Option<u32>) -> Result<u32, Problem> {
    match seat {
        None => Ok(0),
        Some(seat @ 1..=2) => Ok(seat),
        Some(_) => Err(Problem::malformed(pointer, "1 or 2")),
    }
}

/// A line of play from the start.
struct Line {
    game: String,
    options: Option<Raw>,
    seed: Option<String>,
    moves: Vec<Raw>,
    game_number: Option<u32>,
    creator_seat: Option<u32>,
}

impl Line {
    fn into_request(self) -> Result<ReplayRequest, Problem> {
        if self.moves.len() > PLIES_MAX {
            return Err(Problem::malformed("/moves", "at most 10000 plies"));
        }
        let start = GameStart {
            game: self.game,
            options_json: self.options.map(|options| options.get().to_owned()).unwrap_or_default(),
            seed: seed(self.seed)?,
            game_number: game_number(self.game_number)?,
            creator_seat: seat_asked("/creator_seat", self.creator_seat)?,
        };
        let moves = self.moves.into_iter().map(|ply| Ply { ply_json: ply.get().to_owned() }).collect();
        Ok(ReplayRequest { start: Some(start), moves })
    }
}

fn seed(text: Option<String>) -> Result<Vec<u8>, Problem> {
    let Some(text) = text else { return Ok(Vec::new()) };
    let bytes = hex::decode(text).ok().filter(|bytes| bytes.len() == SEED_BYTES);
    bytes.ok_or_else(|| Problem::malformed("/seed", "64 hex digits"))
}

fn game_number(number: Option<u32>) -> Result<u32, Problem> {
    match number.unwrap_or(1) {
        number @ 1..=2 => Ok(number),
        _ => Err(Problem::malformed("/game_number", "1 or 2")),
    }
}

impl App {
    async fn replay(&self, line: Line) -> Result<Position, Problem> {
        let answer = self.upstream.rules.replay(line.into_request()?).await?;
        answer.position.ok_or_else(|| Problem::new(Code::Internal, "something went wrong on our side"))
    }
}
