//! Moves and bodies of the pawn games as JSON. Squares here fit the schema, not necessarily the board.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::state::PawnState;
use crate::domain::json::Whole;
use crate::domain::pawns::{PawnMove, Seat, Square};

/// A square as JSON: `[row, col]`, both 0 to 11.
pub type Cell = [Whole<0, 11>; 2];

/// A step of one pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepMove {
    /// Where the pawn stands: row and column, from 0.
    pub from: Cell,
    /// Where it steps to: row and column, from 0.
    pub to: Cell,
}

impl From<StepMove> for PawnMove {
    fn from(step: StepMove) -> Self {
        Self::new(square(step.from), square(step.to))
    }
}

impl From<PawnMove> for StepMove {
    fn from(step: PawnMove) -> Self {
        Self { from: cell(step.from), to: cell(step.to) }
    }
}

/// The square that a cell names.
#[must_use]
pub fn square(cell: Cell) -> Square {
    Square::new(cell[0].get(), cell[1].get())
}

/// A square of a board as JSON.
///
/// # Panics
/// Never for a square of a board: no board has more than 12 rows.
#[must_use]
pub fn cell(square: Square) -> Cell {
    [square.row, square.col].map(|at| Whole::new(at).expect("no board has more than 12 rows"))
}

/// What viewers see of a pawn game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PawnBody {
    /// Rows and columns of the board.
    pub size: Whole<6, 12>,
    /// The board by row and column: 0 is empty, 1 and 2 are a pawn of that seat.
    pub cells: Vec<Vec<Whole<0, 2>>>,
    /// How many enemy pawns each seat has captured.
    pub captured: Captured,
}

/// Captures by seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Captured {
    /// Seat 1's captures.
    #[serde(rename = "1")]
    pub one: Whole<0, 36>,
    /// Seat 2's captures.
    #[serde(rename = "2")]
    pub two: Whole<0, 36>,
}

impl PawnBody {
    /// The body of a position.
    ///
    /// # Panics
    /// Never: sizes and counts of a state are in these ranges.
    #[must_use]
    pub fn of(state: &PawnState) -> Self {
        let size = state.board.size().get();
        let row = |row| (0..size).map(|col| mark(state.board.cell(Square::new(row, col)))).collect();
        let captured = |seat: Seat| Whole::new(state.captured[seat.index()]).expect("at most 36 pawns a side");
        Self {
            size: Whole::new(size).expect("a board has 6 to 12 rows"),
            cells: (0..size).map(row).collect(),
            captured: Captured { one: captured(Seat::One), two: captured(Seat::Two) },
        }
    }
}

fn mark(owner: Option<Seat>) -> Whole<0, 2> {
    let number = owner.map_or(0, Seat::number);
    Whole::new(number).expect("seats are 1 and 2")
}
