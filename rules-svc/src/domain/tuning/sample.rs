//! A position as the fit sees it: the inputs of the evaluation, and what it should have foretold.

use crate::domain::pawns::{Bits, Down, PawnBoard, Position, Seat, Task, Up};
use crate::domain::search::{COL_CLASSES, ROW_CLASSES, Score, TERMS, Weights, patterns_of, terms_of};

/// A position, from the view of the side that moves.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Own pawns less the opponent's, by class of row and column.
    pub(super) placement: [[i8; COL_CLASSES]; ROW_CLASSES],
    /// The evaluation's terms.
    pub(super) terms: [i8; TERMS],
    /// The patterns: place + 1, negative where it counts against the side that moves.
    pub(super) patterns: Box<[i16]>,
    /// Whether the side that moves has won in the end.
    pub(super) won: bool,
    /// What the search made of it.
    pub(super) score: Score,
}

impl Sample {
    /// A position of a game, how the game ended for `to_move`, and the score that the search gave.
    #[must_use]
    pub fn new(board: &PawnBoard, to_move: Seat, won: bool, score: Score) -> Self {
        let (terms, patterns) = board.dispatch(Inputs(to_move));
        Self { placement: placement(board, to_move), terms, patterns, won, score }
    }
}

fn placement(board: &PawnBoard, to_move: Seat) -> [[i8; COL_CLASSES]; ROW_CLASSES] {
    let n = usize::from(board.size().get());
    let mut counts = [[0; COL_CLASSES]; ROW_CLASSES];
    for seat in Seat::BOTH {
        for square in board.pawns_of(seat) {
            let (row, col) = Weights::classes(n, seat, usize::from(square.row) * n + usize::from(square.col));
            counts[row][col] += if seat == to_move { 1 } else { -1 };
        }
    }
    counts
}

struct Inputs(Seat);

impl Task for Inputs {
    type Output = ([i8; TERMS], Box<[i16]>);

    fn run<B: Bits, const N: usize>(self, position: Position<B, N>) -> Self::Output {
        let (terms, sign) = match self.0 {
            Seat::One => (terms_of::<Up, B, N>(&position), 1),
            Seat::Two => (terms_of::<Down, B, N>(&position), -1),
        };
        let used = patterns_of(&position).into_iter().filter(|used| used.sign != 0);
        // Terms stay below 128 and places below 2^15.
        let patterns = used.map(|used| (sign * used.sign * (used.place as i32 + 1)) as i16).collect();
        (terms.map(|term| term as i8), patterns)
    }
}
