//! A game of a set as a page shows it: boards, seats, clocks, moves, and where the game stands in words.
//!
//! Both the page of a set and the page on which a person plays practice show one. Not here: anything of the set beyond
//! its games.

use farside_proto::matches::v1 as matches;
use serde_json::Value;

use super::board::{self, Drawn, View};
use super::lines::Lines;
use super::rows::Who;
use super::words;
use crate::api::json::game::{GameState, GameStatus};
use crate::api::json::participant::ParticipantJson;
use crate::api::json::set::{SetState, SetStatus};
use crate::app::App;
use crate::problem::Problem;

/// Which position of a set is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// The game; the one that is played, or was last, when left out.
    pub game: Option<u32>,
    /// Plies played; all of them when left out.
    pub ply: Option<u32>,
}

/// A game as a page shows it.
pub(super) struct Table {
    /// The set.
    pub set: SetState,
    /// Who looks: a participant id, or empty.
    pub viewer: String,
    /// Where the viewer sits in this game.
    pub seat: Option<u32>,
    /// The position shown.
    pub state: GameState,
    /// Plies played in this game.
    pub last_ply: u32,
    /// The boards.
    pub boards: Vec<Drawn>,
    /// The seat at the top and the one at the bottom.
    pub bars: [Bar; 2],
    /// What was played.
    pub moves: Vec<MoveRow>,
    /// The games of the set.
    pub games: Vec<Tab>,
    /// Where the game stands.
    pub status: String,
}

/// A seat beside the board.
pub(super) struct Bar {
    /// 1 or 2.
    pub seat: u32,
    /// Who sits there.
    pub name: String,
    /// The page about it, if there is one.
    pub address: Option<String>,
    /// Its colour.
    pub colour: &'static str,
    /// Whether the viewer sits there.
    pub is_me: bool,
    /// Pawns left.
    pub left: Option<usize>,
    /// Enemy pawns captured.
    pub captured: Option<u64>,
    /// Time left, where there is a clock for each seat.
    pub clock: Option<String>,
}

/// One ply.
pub(super) struct MoveRow {
    /// Plies played after it.
    pub ply: u32,
    /// The seat that moved; none when both did.
    pub seat: Option<u32>,
    /// What was played.
    pub notation: String,
    /// Whether the position after it is shown.
    pub is_here: bool,
}

/// A game of the set.
pub(super) struct Tab {
    /// From 1.
    pub number: u32,
    /// How it stands.
    pub standing: String,
    /// Whether it is shown.
    pub is_here: bool,
    /// Whether it has started.
    pub has_started: bool,
}

impl App {
    /// A position of a set as `viewer` may see it.
    ///
    /// # Errors
    ///
    /// `not_found`: no such set, or no such game or ply of it; what match-svc says.
    pub(super) async fn table(&self, set_id: String, viewer: String, place: Place) -> Result<Table, Problem> {
        let request = matches::GetSetRequest { set_id, viewer_id: viewer.clone() };
        let set = self.upstream.matches.get_set(request).await?.set.unwrap_or_default();
        let lines = self.lines(&set).await?;
        Table::new(SetState::new(set, self.now_ms()), &lines, viewer, place)
    }
}

impl Table {
    fn new(set: SetState, lines: &Lines, viewer: String, place: Place) -> Result<Self, Problem> {
        let started = set.games.iter().find(|game| place.game.is_none_or(|number| game.number == number));
        let latest = if place.game.is_none() { set.games.last() } else { started };
        let latest = latest.ok_or_else(|| Problem::not_found("game of this set"))?.clone();
        let state = match place.ply {
            Some(ply) if ply > latest.ply => return Err(Problem::not_found("ply of this game")),
            Some(ply) if ply < latest.ply => {
                lines.at(latest.number, ply).cloned().ok_or_else(|| Problem::not_found("ply of this game"))?
            }
            _ => latest.clone(),
        };
        let seat = seat_of(&latest, &viewer);
        let moves = lines.played(latest.number).filter_map(|played| row(played, state.ply)).collect();
        let status = standing(&set, &latest, seat);
        let games = (1..=set.games_total).map(|number| tab(&set, number, latest.number)).collect();
        let bodies = json(state.body.get());
        let bottom = seat.unwrap_or(1);
        let bars = [3 - bottom, bottom].map(|seat| bar(&set, &state, &bodies, &viewer, seat));
        let boards = draw(&state, &bodies, bottom == 2);
        Ok(Self { viewer, seat, last_ply: latest.ply, boards, bars, moves, games, status, state, set })
    }

    /// Whether the last position is shown, as it comes.
    pub(super) fn is_latest(&self) -> bool {
        self.state.ply == self.last_ply
    }

    /// The ply before the one shown; the first one at the start.
    pub(super) fn previous_ply(&self) -> u32 {
        self.state.ply.saturating_sub(1)
    }

    /// The ply after the one shown; the last one at the end.
    pub(super) fn next_ply(&self) -> u32 {
        self.last_ply.min(self.state.ply + 1)
    }

    /// Whether the set is being played.
    pub(super) fn is_active(&self) -> bool {
        self.set.status == SetStatus::Active
    }

    /// Whether the game shown waits to be resumed.
    pub(super) fn is_paused(&self) -> bool {
        self.state.status == GameStatus::Paused
    }

    /// Whether both sides act at once, each on boards of their own.
    pub(super) fn has_two_boards(&self) -> bool {
        self.boards.len() > 1
    }

    /// Who plays, as a title.
    pub(super) fn title(&self) -> String {
        format!("{} – {}", self.set.creator.name, self.set.acceptor.name)
    }

    /// Whose board this is, to the one who looks.
    pub(super) fn owner(&self, board: &Drawn) -> String {
        match (board.seat, self.seat) {
            (Some(maker), Some(me)) if maker == me => "Your board".to_owned(),
            (Some(_), Some(_)) => "Their board".to_owned(),
            (Some(maker), None) => format!("{}’s board", self.name(maker)),
            (None, _) => String::new(),
        }
    }

    /// Which board the round is played on, in words.
    pub(super) fn round(&self) -> Option<String> {
        let round = json(self.state.body.get())["round"].as_u64()?;
        let own = !round.is_multiple_of(2);
        let place = match (self.seat, own) {
            (Some(_), true) => "place on your own board",
            (Some(_), false) => "place on their board",
            (None, true) => "both place on their own boards",
            (None, false) => "both place on each other’s boards",
        };
        Some(if self.state.result.is_some() {
            format!("Ended in round {round}")
        } else {
            format!("Round {round}: {place}")
        })
    }

    /// The first board that stands: the viewer's own is where they look first.
    pub(super) fn ordered_boards(&self) -> Vec<&Drawn> {
        let mut boards: Vec<&Drawn> = self.boards.iter().collect();
        if self.seat == Some(2) {
            boards.reverse();
        }
        boards
    }

    /// Both seats, the viewer's own first.
    pub(super) fn score_line(&self) -> [&Bar; 2] {
        let [top, bottom] = &self.bars;
        [bottom, top]
    }

    fn name(&self, seat: u32) -> &str {
        &participant(&self.set, &self.state, seat).name
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

fn seat_of(game: &GameState, viewer: &str) -> Option<u32> {
    [(1, &game.seats.one), (2, &game.seats.two)].into_iter().find(|(_, id)| *id == viewer).map(|(seat, _)| seat)
}

fn participant<'a>(set: &'a SetState, game: &GameState, seat: u32) -> &'a ParticipantJson {
    let id = if seat == 1 { &game.seats.one } else { &game.seats.two };
    if set.creator.id == *id { &set.creator } else { &set.acceptor }
}

fn draw(state: &GameState, body: &Value, turned: bool) -> Vec<Drawn> {
    let played = state.last_move.as_ref().map(|last| (json(last.move_.get()), last.ply));
    let last = played.as_ref().map(|(played, ply)| (played, *ply));
    board::draw(body, &View { turned, live: true, last, ..View::default() })
}

fn bar(set: &SetState, state: &GameState, body: &Value, viewer: &str, seat: u32) -> Bar {
    let who = participant(set, state, seat);
    let remaining = state.clocks.as_ref().map(|clocks| if seat == 1 { clocks.one } else { clocks.two }.remaining_ms);
    Bar {
        seat,
        name: who.name.clone(),
        address: Some(Who::from(who).address).filter(|address| !address.is_empty()),
        colour: words::colour(seat),
        is_me: who.id == viewer,
        left: pawns_left(body, seat),
        captured: body["captured"][seat.to_string()].as_u64(),
        clock: remaining.map(words::remaining),
    }
}

fn pawns_left(body: &Value, seat: u32) -> Option<usize> {
    let rows = body["cells"].as_array()?;
    let of_row = |row: &Value| row.as_array().map_or(0, |cells| cells.iter().filter(|cell| **cell == seat).count());
    Some(rows.iter().map(of_row).sum())
}

fn row(played: &GameState, shown: u32) -> Option<MoveRow> {
    let last = played.last_move.as_ref()?;
    let notation = last.notation.clone();
    Some(MoveRow { ply: played.ply, seat: last.seat, notation, is_here: played.ply == shown })
}

fn tab(set: &SetState, number: u32, shown: u32) -> Tab {
    let game = set.games.iter().find(|game| game.number == number);
    let standing = game.map_or_else(|| "to come".to_owned(), |game| brief(set, game));
    Tab { number, standing, is_here: number == shown, has_started: game.is_some() }
}

fn brief(set: &SetState, game: &GameState) -> String {
    match (&game.result, game.status) {
        (Some(result), _) => match result.winner {
            Some(seat) => format!("{} won", participant(set, game, seat).name),
            None => "drawn".to_owned(),
        },
        (None, GameStatus::Paused) => "paused".to_owned(),
        (None, GameStatus::Active) => "being played".to_owned(),
        (None, _) => "without a result".to_owned(),
    }
}

/// Where a game stands, as it concerns the one who looks.
fn standing(set: &SetState, game: &GameState, me: Option<u32>) -> String {
    if let Some(result) = &game.result {
        let why = words::reason(&result.reason);
        return match result.winner {
            Some(seat) if me == Some(seat) => format!("You won: {why}."),
            Some(_) if me.is_some() && result.reason == "resignation" => "You resigned.".to_owned(),
            Some(_) if me.is_some() => format!("You lost: {why}."),
            Some(seat) => format!("{} won: {why}.", participant(set, game, seat).name),
            None => format!("Drawn: {why}."),
        };
    }
    match game.status {
        GameStatus::Paused => "Paused.".to_owned(),
        GameStatus::Active => turn(set, game, me),
        GameStatus::Finished | GameStatus::Aborted => "The set was ended without a result.".to_owned(),
    }
}

fn turn(set: &SetState, game: &GameState, me: Option<u32>) -> String {
    if game.submitted {
        return "Your piece is in. It is shown when theirs is in, too.".to_owned();
    }
    match (me, game.to_move.as_slice()) {
        (Some(me), acting) if acting.contains(&me) => "Your move.".to_owned(),
        (_, [seat]) => format!("{} is to move.", participant(set, game, *seat).name),
        _ => "Both are to place a piece.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::json::scalar::Timestamp;
    use crate::streams::EventData;

    fn set() -> SetState {
        let participant = |id: &str, name: &str| matches::Participant {
            id: id.to_owned(),
            name: name.to_owned(),
            ..matches::Participant::default()
        };
        let game = |number: u32| matches::Game {
            number,
            seat_1: if number == 1 { "b" } else { "a" }.to_owned(),
            seat_2: if number == 1 { "a" } else { "b" }.to_owned(),
            ply: 2,
            to_move: vec![1],
            body_json: r#"{"size": 6, "cells": [[1,1,0],[0,2,0],[0,0,0]], "captured": {"1": 3, "2": 4}}"#.to_owned(),
            ..matches::Game::default()
        };
        let set = matches::Set {
            options_json: "{}".to_owned(),
            creator: Some(participant("a", "Ada")),
            acceptor: Some(participant("b", "Bob")),
            games: vec![game(1), game(2)],
            games_total: 2,
            ..matches::Set::default()
        };
        SetState::new(set, 0)
    }

    fn table(viewer: &str, place: Place) -> Result<Table, Problem> {
        Table::new(set(), &Lines::default(), viewer.to_owned(), place)
    }

    #[test]
    fn ones_own_side_is_at_the_bottom_in_both_games() {
        for (game, seat) in [(1, 2), (2, 1)] {
            let table = table("a", Place { game: Some(game), ply: None }).unwrap();
            assert_eq!((table.seat, table.bars[1].name.as_str(), table.bars[1].is_me), (Some(seat), "Ada", true));
            assert_eq!(table.boards[0].svg.contains("data-turned"), seat == 2);
        }
    }

    #[test]
    fn spectators_see_seat_one_below_and_the_game_that_is_played() {
        let table = table("", Place::default()).unwrap();
        assert_eq!((table.state.number, table.seat, table.bars[1].seat), (2, None, 1));
        assert_eq!((table.bars[1].left, table.bars[1].captured), (Some(2), Some(3)));
        assert_eq!(table.status, "Ada is to move.");
    }

    #[test]
    fn each_seat_shows_its_own_clock_in_every_position_and_at_the_end() {
        let position = |ply: u32, left_ms: [i64; 2]| {
            let clocks = [1, 2].into_iter().zip(left_ms);
            let clocks = clocks.map(|(seat, remaining_ms)| matches::SeatClock { seat, remaining_ms }).collect();
            let game = matches::Game { number: 1, ply, body_json: "{}".to_owned(), clocks, ..matches::Game::default() };
            GameState::new(game, 0)
        };
        let played = [position(0, [60_000; 2]), position(1, [60_000; 2]), position(2, [60_000, 47_300])];
        let end = GameState { status: GameStatus::Finished, ..position(3, [31_900, 47_300]) };
        let mut lines = Lines::default();
        for state in played.into_iter().chain([end.clone()]) {
            lines.take(EventData::Game { set_id: String::new(), seq: 1, at: Timestamp(0), state });
        }
        for (ply, one, two) in
            [(Some(1), "1:00", "1:00"), (Some(2), "1:00", "0:47"), (Some(3), "0:31", "0:47"), (None, "0:31", "0:47")]
        {
            let set = SetState { games: vec![end.clone()], ..set() };
            let table = Table::new(set, &lines, String::new(), Place { game: None, ply }).unwrap();
            let clocks = [1, 0].map(|bar: usize| table.bars[bar].clock.as_deref().unwrap());
            assert_eq!(clocks, [one, two], "after {ply:?} plies");
        }
    }

    #[test]
    fn what_was_never_played_is_not_found() {
        for place in [Place { game: Some(3), ply: None }, Place { game: None, ply: Some(3) }] {
            assert!(table("", place).is_err(), "{place:?}");
        }
    }

    #[test]
    fn a_game_that_is_over_says_to_each_how() {
        let set = set();
        let mut game = set.games[0].clone();
        game.result = Some(crate::api::json::game::GameResult { winner: Some(2), reason: "resignation".to_owned() });
        let says = |me| standing(&set, &game, me);
        assert_eq!(says(Some(2)), "You won: the other side resigned.");
        assert_eq!(says(Some(1)), "You resigned.");
        assert_eq!(says(None), "Ada won: the other side resigned.");
    }
}
