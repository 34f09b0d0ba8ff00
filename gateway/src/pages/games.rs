//! Games: the catalogue, each game with its contract in words, and its tables.
//!
//! The pages say what the contract says. Not here: a word about any one game.

use askama::Template;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use serde_json::Value;

use super::frame::{Frame, show};
use super::pager::{Pager, page};
use super::play::place_of;
use super::rows::SetRow;
use super::{markdown, session, words};
use crate::api::extract::Path;
use crate::api::json::contract::{ClockContract, ClockKind, GameContract, GameSummary, RangeJson, Tier};
use crate::api::json::list::Page;
use crate::api::json::table::RowJson;
use crate::app::SharedApp;
use crate::problem::Problem;

/// Rows of the tables on a game's page.
const ROWS: u32 = 10;
/// Rows of a page of a table of its own.
const TABLE_ROWS: u32 = 50;

#[derive(Template)]
#[template(path = "games.html")]
struct GamesPage {
    frame: Frame,
    games: Vec<GameSummary>,
}

/// The catalogue.
pub(super) async fn list(State(app): State<SharedApp>, frame: Frame) -> Result<Response, Problem> {
    let games = app.games().await?.iter().map(GameSummary::from).collect();
    Ok(show(&GamesPage { frame, games }))
}

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage {
    frame: Frame,
    game: GameContract,
    play: String,
    guide: String,
    rules: String,
    clock: String,
    clock_range: String,
    options: Vec<OptionRow>,
    schemas: Vec<(&'static str, String)>,
    rows: Vec<RowJson>,
    sets: Vec<SetRow>,
}

/// An option of a game.
struct OptionRow {
    name: String,
    title: String,
    kind: String,
    range: String,
    default: String,
}

/// A game.
pub(super) async fn game(
    State(app): State<SharedApp>,
    frame: Frame,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let (names, currencies) = (app.game_names().await, app.currencies().await?);
    let first = || Page { limit: Some(ROWS), cursor: None };
    let (rows, sets) = tokio::try_join!(app.leaderboard(&id, first()), app.sets_of(&id, first()))?;
    let game = GameContract::new(app.contract(&id).await?, &currencies);
    Ok(show(&GamePage {
        frame,
        play: play(&game),
        guide: markdown::render(&game.guide),
        rules: markdown::render(&game.rules),
        clock: words::clock(Some(game.clock.default)),
        clock_range: clock_range(&game.clock),
        options: options(&game),
        schemas: schemas(&game),
        rows: rows.rows,
        sets: SetRow::all(&sets.sets, &names),
        game,
    }))
}

impl GamePage {
    fn is_ranked(&self) -> bool {
        self.game.tier == Tier::Ranked
    }

    fn has_two_games(&self) -> bool {
        self.game.games_per_set == 2
    }

    fn is_fischer(&self) -> bool {
        self.game.clock.kind == ClockKind::Fischer
    }
}

/// Where the game is played against the house: on a page for it, or by a challenge to the weakest house bot.
fn play(game: &GameContract) -> String {
    let challenge = || {
        let level = game.house_levels.first().map(|level| format!("&opponent=house:{level}"));
        format!("/challenges/new?game={}{}", game.id, level.unwrap_or_default())
    };
    place_of(&game.id).map_or_else(challenge, str::to_owned)
}

fn clock_range(clock: &ClockContract) -> String {
    let range =
        |range: Option<RangeJson>| range.map_or_else(String::new, |range| format!("{} to {} s", range.min, range.max));
    match clock.kind {
        ClockKind::Fischer => {
            format!("{} at the start, {} after a move", range(clock.initial_s), range(clock.increment_s))
        }
        ClockKind::PerRound => format!("{} for a round", range(clock.per_round_s)),
    }
}

fn options(game: &GameContract) -> Vec<OptionRow> {
    let schema: Value = serde_json::from_str(game.options_schema.get()).unwrap_or_default();
    let defaults: Value = serde_json::from_str(game.default_options.get()).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let row = |(name, option): (&String, &Value)| OptionRow {
        name: name.clone(),
        title: text(&option["title"]),
        kind: kind(option),
        range: range(option),
        default: match &defaults[name] {
            Value::Null => "–".to_owned(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        },
    };
    schema["properties"].as_object().into_iter().flatten().map(row).collect()
}

fn kind(option: &Value) -> String {
    match &option["type"] {
        Value::String(kind) => kind.clone(),
        _ if !choices(option).is_empty() => "string".to_owned(),
        other => other.as_array().and_then(|kinds| kinds.first()?.as_str()).unwrap_or("any").to_owned(),
    }
}

/// The words that an option may be, by its schema; none when it is no word.
pub(super) fn choices(option: &Value) -> Vec<String> {
    let listed = option["enum"].as_array().into_iter().flatten();
    let described = option["oneOf"].as_array().into_iter().flatten().map(|one| &one["const"]);
    listed.chain(described).filter_map(Value::as_str).map(str::to_owned).collect()
}

fn range(option: &Value) -> String {
    let choices = choices(option);
    if !choices.is_empty() {
        return choices.join(" or ");
    }
    match (&option["minimum"], &option["maximum"]) {
        (Value::Number(min), Value::Number(max)) => format!("{min} to {max}"),
        _ => "–".to_owned(),
    }
}

fn schemas(game: &GameContract) -> Vec<(&'static str, String)> {
    [
        ("default_options", &game.default_options),
        ("options_schema", &game.options_schema),
        ("move_schema", &game.move_schema),
        ("body_schema", &game.body_schema),
        ("examples", &game.examples),
    ]
    .into_iter()
    .map(|(name, raw)| (name, pretty(raw.get())))
    .collect()
}

fn pretty(json: &str) -> String {
    let value: Value = serde_json::from_str(json).unwrap_or_default();
    serde_json::to_string_pretty(&value).unwrap_or_default()
}

#[derive(Template)]
#[template(path = "leaderboard.html")]
struct LeaderboardPage {
    frame: Frame,
    id: String,
    name: String,
    rows: Vec<RowJson>,
    pager: Pager,
}

/// A game's leaderboard.
pub(super) async fn leaderboard(
    State(app): State<SharedApp>,
    frame: Frame,
    Path(id): Path<String>,
    uri: Uri,
) -> Result<Response, Problem> {
    let name = app.contract(&id).await?.name;
    let asked = page(&session::query(&uri), TABLE_ROWS);
    let found = app.leaderboard(&id, asked.clone()).await?;
    let pager = Pager::new(uri.path(), &asked, found.next_cursor.as_deref());
    Ok(show(&LeaderboardPage { frame, id, name, rows: found.rows, pager }))
}

#[derive(Template)]
#[template(path = "game_sets.html")]
struct GameSetsPage {
    frame: Frame,
    id: String,
    name: String,
    sets: Vec<SetRow>,
    pager: Pager,
}

/// A game's sets.
pub(super) async fn sets(
    State(app): State<SharedApp>,
    frame: Frame,
    Path(id): Path<String>,
    uri: Uri,
) -> Result<Response, Problem> {
    let (names, name) = (app.game_names().await, app.contract(&id).await?.name);
    let asked = page(&session::query(&uri), TABLE_ROWS);
    let found = app.sets_of(&id, asked.clone()).await?;
    let pager = Pager::new(uri.path(), &asked, found.next_cursor.as_deref());
    Ok(show(&GameSetsPage { frame, id, name, sets: SetRow::all(&found.sets, &names), pager }))
}
