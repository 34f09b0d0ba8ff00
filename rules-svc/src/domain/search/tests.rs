//! What every search must do, whatever its weights, against a plain search that shares nothing with it but the rules.

use std::cell::Cell;

use proptest::prelude::*;

use super::score::{Score, lost_in, won_in};
use super::sight::{Sight, look};
use super::{Limits, Searcher, TableSize};
use crate::domain::pawns::{Bits, Down, PawnBoard, Position, Seat, Size, Square, Task, Up};

/// The plain search is asked no deeper than this.
const PROVED_PLIES: u32 = 7;

fn any_seat() -> impl Strategy<Value = Seat> {
    prop_oneof![Just(Seat::One), Just(Seat::Two)]
}

/// Boards with a few pawns of each seat, none of them on its far row.
fn sparse_board() -> impl Strategy<Value = PawnBoard> {
    let squares = || proptest::collection::vec((0u8..5, 0u8..7), 1..5);
    (6u8..=7, squares(), squares()).prop_map(|(n, ones, twos)| {
        let board = PawnBoard::empty(Size::new(n).unwrap());
        let place = |board: PawnBoard, (row, col): (u8, u8), seat| {
            let row = if seat == Seat::One { row } else { n - 1 - row };
            board.with_pawn(Square::new(row, col % n), seat).unwrap()
        };
        let board = ones.into_iter().fold(board, |board, at| place(board, at, Seat::One));
        twos.into_iter().fold(board, |board, at| place(board, at, Seat::Two))
    })
}

/// Whether `seat`, to move, can win within so many plies.
fn wins_within(board: &PawnBoard, seat: Seat, plies: u32) -> bool {
    if let Some((winner, _)) = board.finished(seat) {
        return winner == seat;
    }
    plies > 0
        && board
            .legal_moves(seat)
            .into_iter()
            .any(|step| loses_within(&board.apply(step, seat).unwrap(), seat.other(), plies - 1))
}

/// Whether `seat`, to move, is beaten within so many plies whatever it does.
fn loses_within(board: &PawnBoard, seat: Seat, plies: u32) -> bool {
    if let Some((winner, _)) = board.finished(seat) {
        return winner != seat;
    }
    plies > 0
        && board
            .legal_moves(seat)
            .into_iter()
            .all(|step| wins_within(&board.apply(step, seat).unwrap(), seat.other(), plies - 1))
}

fn agrees_with_a_plain_search(board: &PawnBoard, seat: Seat, score: Score) -> bool {
    match score.plies_to_end() {
        Some(plies) if plies <= PROVED_PLIES && score.is_won() => wins_within(board, seat, plies),
        Some(plies) if plies <= PROVED_PLIES => loses_within(board, seat, plies),
        _ => true,
    }
}

struct Look(Seat);

impl Task for Look {
    type Output = Score;

    fn run<B: Bits, const N: usize>(self, position: Position<B, N>) -> Score {
        let sight = match self.0 {
            Seat::One => look::<Up, B, N>(&position, 0),
            Seat::Two => look::<Down, B, N>(&position, 0),
        };
        match sight {
            Sight::Settled(value) => Score(value),
            Sight::Forced(_) | Sight::Open => Score(0),
        }
    }
}

fn searched(board: &PawnBoard, seat: Seat, limits: Limits) -> super::Report {
    Searcher::new(TableSize::from_exponent(12)).search(board, seat, limits, &|| false).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_settled_at_sight_is_so(board in sparse_board(), seat in any_seat()) {
        prop_assume!(board.finished(seat).is_none());
        let score = board.dispatch(Look(seat));
        prop_assert!(agrees_with_a_plain_search(&board, seat, score), "{:?} {board:?}", score);
    }

    #[test]
    fn a_forced_result_is_so(board in sparse_board(), seat in any_seat()) {
        prop_assume!(board.finished(seat).is_none());
        let report = searched(&board, seat, Limits::nodes(3_000));
        prop_assert!(agrees_with_a_plain_search(&board, seat, report.score), "{:?} {board:?}", report);
    }

    #[test]
    fn a_short_win_is_found(board in sparse_board(), seat in any_seat()) {
        prop_assume!(board.finished(seat).is_none());
        let report = searched(&board, seat, Limits { max_nodes: 200_000, max_depth: 6 });
        prop_assert_eq!(wins_within(&board, seat, 5) && !report.score.is_won(), false, "{:?}", report);
    }

    #[test]
    fn the_line_is_legal_and_begins_with_the_best_step(board in sparse_board(), seat in any_seat(), nodes in 0u64..3_000) {
        prop_assume!(board.finished(seat).is_none());
        let report = searched(&board, seat, Limits::nodes(nodes));
        prop_assert!(report.nodes <= nodes.max(1));
        prop_assert_eq!(report.pv.first(), Some(&report.best));
        let (mut board, mut seat) = (board, seat);
        for step in report.pv {
            prop_assert_eq!(board.finished(seat), None);
            board = board.apply(step, seat).unwrap();
            seat = seat.other();
        }
    }
}

#[test]
fn the_same_bound_on_nodes_gives_the_same_report() {
    for size in Size::all() {
        let board = PawnBoard::two_rows(size);
        let limits = Limits::nodes(20_000);
        assert_eq!(searched(&board, Seat::One, limits), searched(&board, Seat::One, limits));
    }
}

#[test]
fn both_seats_see_the_start_alike() {
    let board = PawnBoard::two_rows(Size::CLASSIC);
    let limits = Limits { max_nodes: u64::MAX, max_depth: 4 };
    assert_eq!(searched(&board, Seat::One, limits).score, searched(&board, Seat::Two, limits).score);
}

#[test]
fn the_stop_condition_ends_a_search_without_bounds() {
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() >= 3
    };
    let board = PawnBoard::two_rows(Size::MAX);
    let report = Searcher::new(TableSize::from_exponent(12)).search(&board, Seat::One, Limits::NONE, &stop).unwrap();
    assert_eq!(asked.get(), 3);
    assert!(report.nodes < 4_000);
    assert!(board.apply(report.best, Seat::One).is_ok());
}

#[test]
fn a_finished_game_has_no_best_step() {
    let rows = ["......", "......", "......", "2.....", "......", "...1.."];
    let board = PawnBoard::from_rows(&rows).unwrap();
    let report = Searcher::new(TableSize::from_exponent(8)).search(&board, Seat::Two, Limits::NONE, &|| false);
    assert_eq!(report, None);
}

#[test]
fn a_forced_score_tells_how_many_plies_are_left() {
    assert_eq!(Score(won_in(3)).plies_to_end(), Some(3));
    assert_eq!(Score(lost_in(4)).plies_to_end(), Some(4));
    assert_eq!(Score(500).plies_to_end(), None);
}
