//! The numbers that the evaluation multiplies its terms with.

use super::evaluate::TERMS;
use crate::domain::pawns::{Seat, Size};

/// Classes of rows, from a side's own edge to the far one. An 8×8 board has one row in each.
pub const ROW_CLASSES: usize = 8;

/// Classes of columns, from the edge to the middle.
pub const COL_CLASSES: usize = 4;

/// Weights of the evaluation, in hundredths of a pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// A pawn's worth by class of row and of column.
    pub placement: [[i32; COL_CLASSES]; ROW_CLASSES],
    /// The weight of each term, in the order of [`terms_of`](super::terms_of).
    pub terms: [i32; TERMS],
}

impl Weights {
    /// What the tuner found; see `examples/tune.rs`.
    pub const TUNED: Self = Self {
        placement: [
            [104, 118, 112, 110],
            [96, 98, 98, 98],
            [90, 95, 98, 100],
            [95, 102, 106, 110],
            [108, 118, 124, 128],
            [140, 155, 160, 165],
            [220, 240, 245, 250],
            [400, 400, 400, 400],
        ],
        terms: [8, 4, 4, 2, 2, 3, -10, 5, -25, 45, 20, 40, 12, -12],
    };

    /// The class of row and of column of a seat's pawn on a square of a board of `n` columns.
    #[must_use]
    pub fn classes(n: usize, seat: Seat, square: usize) -> (usize, usize) {
        let (row, col) = (square / n, square % n);
        let to_go = match seat {
            Seat::One => n - 1 - row,
            Seat::Two => row,
        };
        let near_home = (n - 1 - to_go).min(3);
        let row_class = if to_go <= 3 && to_go < n / 2 { 7 - to_go } else { near_home };
        (row_class, col.min(n - 1 - col).min(COL_CLASSES - 1))
    }
}

/// The weights of placement spread over the squares of one board, signed from seat one's view.
#[derive(Clone, Debug)]
pub(super) struct Placement([[i32; 144]; 2]);

impl Placement {
    pub(super) fn new(size: Size, weights: &Weights) -> Self {
        let n = usize::from(size.get());
        let mut squares = [[0; 144]; 2];
        for (seat, sign) in [(Seat::One, 1), (Seat::Two, -1)] {
            for (square, value) in squares[seat.index()].iter_mut().enumerate().take(n * n) {
                let (row, col) = Weights::classes(n, seat, square);
                *value = sign * weights.placement[row][col];
            }
        }
        Self(squares)
    }

    /// The worth of a seat's pawn on a square: positive for seat one, negative for seat two.
    #[inline(always)]
    pub(super) fn signed(&self, seat: Seat, square: usize) -> i32 {
        self.0[seat.index()][square]
    }
}
