//! The numbers that the evaluation multiplies its terms with.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::patterns::PATTERNS;
use super::terms::TERMS;
use crate::domain::pawns::{Seat, Size};

/// Classes of rows, from a side's own edge to the far one. An 8×8 board has one row in each.
pub const ROW_CLASSES: usize = 8;

/// Classes of columns, from the edge to the middle.
pub const COL_CLASSES: usize = 4;

/// Weights of the evaluation, in hundredths of a pawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// A pawn's worth by class of row and of column.
    pub placement: [[i32; COL_CLASSES]; ROW_CLASSES],
    /// The weight of each term, in the order of [`terms_of`](super::terms_of).
    pub terms: [i32; TERMS],
    /// The weight of each pattern, at the place that [`patterns_of`](super::patterns_of) tells.
    pub patterns: Vec<i32>,
}

impl Weights {
    /// What the tuner found: see `examples/tune.rs`.
    ///
    /// # Panics
    /// When the file in the source tree is not one of weights, which every test of the engine would see.
    #[must_use]
    pub fn tuned() -> &'static Self {
        static TUNED: LazyLock<Weights> = LazyLock::new(|| {
            let weights: Weights = serde_json::from_str(include_str!("weights.json")).expect("the file holds weights");
            assert_eq!(weights.patterns.len(), PATTERNS, "the file has a weight for every pattern");
            weights
        });
        &TUNED
    }

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
