//! Moves and bodies of Maker and Breaker as JSON.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::board::{Board, Piece, SIDE, Spot};
use super::state::{MakerBreakerState, Placement, Status};
use crate::domain::json::Whole;
use crate::domain::pawns::Seat;

/// A symbol as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub enum PieceName {
    /// A cross.
    X,
    /// A nought.
    O,
}

/// A placement; the round says on which board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlacementMove {
    /// The square: row and column, from 0.
    pub at: [Whole<0, 5>; 2],
    /// The symbol to place.
    pub piece: PieceName,
}

impl From<Piece> for PieceName {
    fn from(piece: Piece) -> Self {
        match piece {
            Piece::X => Self::X,
            Piece::O => Self::O,
        }
    }
}

impl From<PieceName> for Piece {
    fn from(piece: PieceName) -> Self {
        match piece {
            PieceName::X => Self::X,
            PieceName::O => Self::O,
        }
    }
}

impl From<PlacementMove> for Placement {
    fn from(mv: PlacementMove) -> Self {
        let spot = Spot::new(mv.at[0].get(), mv.at[1].get()).expect("rows and columns of a move are 0 to 5");
        Self { spot, piece: mv.piece.into() }
    }
}

impl From<Placement> for PlacementMove {
    fn from(placement: Placement) -> Self {
        let at = [placement.spot.row(), placement.spot.col()];
        let at = at.map(|at| Whole::new(at).expect("rows and columns of a board are 0 to 5"));
        Self { at, piece: placement.piece.into() }
    }
}

/// What viewers see: never a placement that waits for the other seat's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MakerBreakerBody {
    /// The round being played, from 1; after the end the last one played.
    pub round: Whole<1, 36>,
    /// The boards by maker.
    pub boards: Boards,
}

/// Both boards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Boards {
    /// Seat 1's: it is the maker there.
    #[serde(rename = "1")]
    pub one: BoardBody,
    /// Seat 2's: it is the maker there.
    #[serde(rename = "2")]
    pub two: BoardBody,
}

/// One board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoardBody {
    /// The board by row and column: null is empty.
    pub cells: Vec<Vec<Option<PieceName>>>,
    /// The round in which five in a row stood on it; null while it is not made.
    #[schemars(with = "RoundOrNull")]
    pub rounds: Option<Whole<1, 36>>,
    /// Whether pieces are still placed on it, its maker has made it, or its breaker has held it.
    pub status: StatusName,
}

/// The schema of a round count that is always there and may be null.
struct RoundOrNull;

impl JsonSchema for RoundOrNull {
    fn schema_name() -> Cow<'static, str> {
        "RoundOrNull".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["integer", "null"], "minimum": 1, "maximum": 36 })
    }
}

/// A board's status as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum StatusName {
    /// Pieces are still placed on it.
    Open,
    /// Five in a row: its maker's.
    Made,
    /// Full without a line: its breaker's.
    Held,
}

impl MakerBreakerBody {
    /// The body of a position.
    ///
    /// # Panics
    /// Never: rounds of a state are 1 to 36.
    #[must_use]
    pub fn of(state: &MakerBreakerState) -> Self {
        let board = |maker| BoardBody::of(state.board(maker), state.status(maker));
        Self {
            round: Whole::new(state.round()).expect("rounds are 1 to 36"),
            boards: Boards { one: board(Seat::One), two: board(Seat::Two) },
        }
    }
}

impl BoardBody {
    fn of(board: &Board, status: Status) -> Self {
        let cell = |row, col| Spot::new(row, col).and_then(|spot| board.at(spot)).map(PieceName::from);
        let (status, rounds) = match status {
            Status::Open => (StatusName::Open, None),
            Status::Made { round } => (StatusName::Made, Whole::new(round)),
            Status::Held => (StatusName::Held, None),
        };
        let cells = (0..SIDE).map(|row| (0..SIDE).map(|col| cell(row, col)).collect()).collect();
        Self { cells, rounds, status }
    }
}
