//! House bots of the pawn games, and analysis of a pawn board.

use thiserror::Error;

use crate::domain::pawns::{PawnBoard, PawnMove, Seat};
use crate::domain::search::{Limits, Report, Searcher, TableSize, estimate};
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

/// The first step that ends the game in the seat's favour. `None` when the game is over.
#[must_use]
pub fn win_in_one(board: &PawnBoard, seat: Seat) -> Option<PawnMove> {
    if board.finished(seat).is_some() {
        return None;
    }
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
        None => estimate(board, to_move),
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Level, choose, win_in_one};
    use crate::domain::pawns::{PawnBoard, Seat, Size};
    use crate::domain::seed::{Purpose, SEED_BYTES, SetSeed, Stream};

    fn stream(number: u8) -> Stream {
        SetSeed([number; SEED_BYTES]).stream(Purpose::HouseChoice { game_number: 1, ply: u16::from(number) })
    }

    /// A position of a random game, so many plies from its end.
    fn near_the_end(n: u8, number: u8, before_end: usize) -> (PawnBoard, Seat) {
        let mut stream = SetSeed([number; SEED_BYTES]).stream(Purpose::StartPosition);
        let mut game = vec![(PawnBoard::two_rows(Size::new(n).unwrap()), Seat::One)];
        while let Some(&(board, seat)) = game.last().filter(|(board, seat)| board.finished(*seat).is_none()) {
            let step = stream.choose(board.legal_moves(seat), 1)[0];
            game.push((board.apply(step, seat).unwrap(), seat.other()));
        }
        game[game.len() - 2 - before_end.min(game.len() - 2)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]

        #[test]
        fn every_level_takes_a_win_in_one(n in 6u8..=12, number in any::<u8>()) {
            let (board, seat) = near_the_end(n, number, 0);
            prop_assert!(win_in_one(&board, seat).is_some());
            for level in Level::ALL {
                let step = choose(level, &mut stream(number), &board, seat, &|| false).unwrap();
                let ended = board.apply(step, seat).unwrap().finished(seat.other());
                prop_assert_eq!(ended.map(|(winner, _)| winner), Some(seat));
            }
        }

        #[test]
        fn a_careful_level_hands_over_no_win_in_one_that_it_can_avoid(n in 6u8..=8, number in any::<u8>(), back in 1usize..6) {
            let (board, seat) = near_the_end(n, number, back);
            let safe = |step| win_in_one(&board.apply(step, seat).unwrap(), seat.other()).is_none();
            prop_assume!(board.legal_moves(seat).into_iter().any(safe));
            for level in [Level::Hard, Level::Crazy] {
                let step = choose(level, &mut stream(number), &board, seat, &|| false).unwrap();
                prop_assert!(safe(step));
            }
        }

        #[test]
        fn a_choice_follows_from_stream_and_position(n in 6u8..=12, number in any::<u8>(), back in 0usize..40) {
            let (board, seat) = near_the_end(n, number, back);
            for level in [Level::Easy, Level::Normal, Level::Hard] {
                let choice = || choose(level, &mut stream(number), &board, seat, &|| false);
                prop_assert_eq!(choice(), choice());
            }
        }
    }

    #[test]
    fn every_level_is_found_by_its_name() {
        for level in Level::ALL {
            assert_eq!(level.name().parse(), Ok(level));
        }
        assert!("brutal".parse::<Level>().is_err());
    }
}
