//! House bots of the pawn games, and analysis of a pawn board.

use thiserror::Error;

use crate::domain::pawns::{PawnBoard, PawnMove, Seat};
use crate::domain::search::{Limits, Report, Searcher, TableSize, Weights, estimate};
use crate::domain::seed::Stream;

/// Nodes that `hard` searches for a move.
const HARD_NODES: u64 = 30_000;
/// Nodes that `crazy` searches for a move.
const CRAZY_NODES: u64 = 1_000_000;
/// Tables are made anew for each choice, so that it follows from the position alone.
const HARD_TABLE: TableSize = TableSize::from_exponent(14);
const CRAZY_TABLE: TableSize = TableSize::from_exponent(18);
const ANALYSIS_TABLE: TableSize = TableSize::from_exponent(20);

/// A name that no level has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no level `{0}`; the levels are easy, normal, hard and crazy")]
pub struct UnknownLevel(pub String);

/// How strong a house bot plays, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Looks at its own move only and plays a third of its moves at random.
    Easy,
    /// Looks at its move and the reply; a tenth of its moves are random, most of them checked.
    Normal,
    /// Looks several moves ahead; one move in fifty is random.
    Hard,
    /// Looks furthest, never plays at random.
    Crazy,
}

impl Level {
    /// Every level, weakest first.
    pub const ALL: [Self; 4] = [Self::Easy, Self::Normal, Self::Hard, Self::Crazy];

    /// The level's name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Normal => "normal",
            Self::Hard => "hard",
            Self::Crazy => "crazy",
        }
    }

    /// How many moves in a hundred are random.
    const fn random_percent(self) -> u32 {
        match self {
            Self::Easy => 33,
            Self::Normal => 10,
            Self::Hard => 2,
            Self::Crazy => 0,
        }
    }

    /// How many random moves in a hundred are checked not to hand over a win in one.
    const fn checked_percent(self) -> u32 {
        match self {
            Self::Easy => 0,
            Self::Normal => 80,
            Self::Hard | Self::Crazy => 100,
        }
    }
}

impl std::str::FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(name: &str) -> Result<Self, UnknownLevel> {
        let found = Self::ALL.into_iter().find(|level| level.name() == name);
        found.ok_or_else(|| UnknownLevel(name.to_owned()))
    }
}

/// Searches for the best step. `None` when the game is over.
#[must_use]
pub fn analyze(board: &PawnBoard, seat: Seat, limits: Limits, should_stop: &dyn Fn() -> bool) -> Option<Report> {
    Searcher::new(ANALYSIS_TABLE).search(board, seat, limits, should_stop)
}

/// A house bot's step: a win in one if there is one, else what its level makes of the position and the stream.
/// `None` when the game is over. `should_stop` is for giving up only: a choice that was cut short cannot be replayed.
#[must_use]
pub fn choose(
    level: Level,
    stream: &mut Stream,
    board: &PawnBoard,
    seat: Seat,
    should_stop: &dyn Fn() -> bool,
) -> Option<PawnMove> {
    if board.finished(seat).is_some() {
        return None;
    }
    if let Some(step) = win_in_one(board, seat) {
        return Some(step);
    }
    if stream.below(100) < level.random_percent() {
        let checked = stream.below(100) < level.checked_percent();
        return pick(stream, &random_candidates(board, seat, checked));
    }
    match level {
        Level::Easy => pick(stream, &best_by(board, seat, |after| -value(after, seat.other()))),
        Level::Normal => pick(stream, &best_by(board, seat, |after| worst_reply(after, seat.other()))),
        Level::Hard => searched(HARD_TABLE, HARD_NODES, board, seat, should_stop),
        Level::Crazy => searched(CRAZY_TABLE, CRAZY_NODES, board, seat, should_stop),
    }
}

/// The first step that ends the game in the seat's favour.
#[must_use]
pub fn win_in_one(board: &PawnBoard, seat: Seat) -> Option<PawnMove> {
    board.legal_moves(seat).into_iter().find(|&step| wins(board, step, seat))
}

fn wins(board: &PawnBoard, step: PawnMove, seat: Seat) -> bool {
    let ended = board.apply(step, seat).ok().and_then(|after| after.finished(seat.other()));
    ended.is_some_and(|(winner, _)| winner == seat)
}

fn searched(
    table: TableSize,
    nodes: u64,
    board: &PawnBoard,
    seat: Seat,
    should_stop: &dyn Fn() -> bool,
) -> Option<PawnMove> {
    let report = Searcher::new(table).search(board, seat, Limits::nodes(nodes), should_stop)?;
    Some(report.best)
}

/// Steps for a random choice; when `checked`, only those that hand over no win in one, if there are any.
fn random_candidates(board: &PawnBoard, seat: Seat, checked: bool) -> Vec<PawnMove> {
    let all = board.legal_moves(seat);
    let hands_over =
        |step: &PawnMove| board.apply(*step, seat).is_ok_and(|after| win_in_one(&after, seat.other()).is_some());
    let careful: Vec<PawnMove> = all.iter().copied().filter(|step| !hands_over(step)).collect();
    if checked && !careful.is_empty() { careful } else { all }
}

/// The steps after which `worth` is greatest.
fn best_by(board: &PawnBoard, seat: Seat, worth: impl Fn(&PawnBoard) -> i32) -> Vec<PawnMove> {
    let rated: Vec<(PawnMove, i32)> = board
        .legal_moves(seat)
        .into_iter()
        .filter_map(|step| Some((step, worth(&board.apply(step, seat).ok()?))))
        .collect();
    let best = rated.iter().map(|&(_, worth)| worth).max();
    rated.into_iter().filter(|&(_, worth)| Some(worth) == best).map(|(step, _)| step).collect()
}

/// The value of a board to the seat that moves, without looking ahead.
fn value(board: &PawnBoard, to_move: Seat) -> i32 {
    const DECIDED: i32 = 1_000_000;
    match board.finished(to_move) {
        Some((winner, _)) if winner == to_move => DECIDED,
        Some(_) => -DECIDED,
        None => estimate(board, to_move, &Weights::TUNED),
    }
}

/// The value of a board to the other seat after the reply that suits it least.
fn worst_reply(board: &PawnBoard, replier: Seat) -> i32 {
    let replies = board.legal_moves(replier).into_iter();
    let values = replies.filter_map(|reply| Some(value(&board.apply(reply, replier).ok()?, replier.other())));
    values.min().unwrap_or_else(|| -value(board, replier))
}

fn pick(stream: &mut Stream, steps: &[PawnMove]) -> Option<PawnMove> {
    let bound = u32::try_from(steps.len()).ok()?;
    steps.get(stream.below(bound) as usize).copied()
}
