//! Why a step is not legal, in sentences that the player who tried it can act on.

use thiserror::Error;

use super::types::{Seat, Size, Square};

/// The first rule that a step breaks, in the order in which the rules are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PawnFault {
    /// A square of the move is not on this board.
    #[error("square {square} is off the board, which has rows and columns 0 to {}", size.get() - 1)]
    OffBoard {
        /// The square outside.
        square: Square,
        /// The board's size.
        size: Size,
    },
    /// Nothing stands on the from-square.
    #[error("there is no pawn on {square}")]
    NoPawn {
        /// The from-square.
        square: Square,
    },
    /// The opponent's pawn stands on the from-square.
    #[error("the pawn on {square} belongs to seat {owner}")]
    NotYourPawn {
        /// The from-square.
        square: Square,
        /// Whose pawn stands there.
        owner: Seat,
    },
    /// The to-square is not one row ahead, at most one column aside.
    #[error("a pawn steps one row forward, straight or diagonally; {from} to {to} is no such step")]
    NotOneStepForward {
        /// The from-square.
        from: Square,
        /// The to-square.
        to: Square,
    },
    /// A straight step needs an empty square.
    #[error("the way straight ahead is blocked by the pawn on {square}; captures are diagonal only")]
    Blocked {
        /// The to-square.
        square: Square,
    },
    /// A pawn never captures its own side.
    #[error("a pawn of the same seat stands on {square}")]
    OwnPawn {
        /// The to-square.
        square: Square,
    },
}
