//! A position of a pawn game: board, plies and captures. Whose turn it is follows from the plies.

use crate::domain::error::Illegal;
use crate::domain::game::Outcome;
use crate::domain::pawns::{EndReason, PawnBoard, PawnMove, Seat};

/// No pawn game has more plies: every ply brings a pawn one row forward.
pub const MAX_PLIES: u16 = 800;

/// Most pawns of a side.
pub const MAX_PAWNS: u8 = 36;

/// A position of a pawn game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PawnState {
    /// The board.
    pub board: PawnBoard,
    /// Pawn moves made; a handicap's placing is not one.
    pub steps: u16,
    /// Enemy pawns that each seat has captured.
    pub captured: [u8; 2],
}

impl PawnState {
    /// A board before the first move.
    #[must_use]
    pub fn start(board: PawnBoard) -> Self {
        Self { board, steps: 0, captured: [0; 2] }
    }

    /// The seat whose turn it is: seat 1 begins.
    #[must_use]
    pub fn next(&self) -> Seat {
        if self.steps.is_multiple_of(2) { Seat::One } else { Seat::Two }
    }

    /// How the game ended on the board.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let (winner, end) = self.board.finished(self.next())?;
        let reason = match end {
            EndReason::FarRow => "far_row",
            EndReason::NoPawns => "no_pawns",
            EndReason::NoMoves => "no_moves",
        };
        Some(Outcome { winner: Some(winner), reason })
    }

    /// The legal steps of a seat; none when it is not its turn.
    #[must_use]
    pub fn legal(&self, seat: Seat) -> Vec<PawnMove> {
        if seat != self.next() || self.outcome().is_some() {
            return Vec::new();
        }
        self.board.legal_moves(seat)
    }

    /// The position after a step of the seat whose turn it is.
    ///
    /// # Errors
    /// The first rule that the step breaks.
    pub fn step(&self, step: PawnMove) -> Result<Self, Illegal> {
        let seat = self.next();
        let board = self.board.apply(step, seat).map_err(|fault| Illegal(fault.to_string()))?;
        let taken = self.board.count(seat.other()) - board.count(seat.other());
        let mut captured = self.captured;
        captured[seat.index()] += u8::from(taken > 0);
        Ok(Self { board, steps: self.steps + 1, captured })
    }

    /// Checks that the position can come about on a board of a game with at most so many pawns a side.
    ///
    /// # Errors
    /// What contradicts what.
    pub fn validate(&self) -> Result<(), String> {
        if self.steps > MAX_PLIES {
            return Err(format!("no game has more than {MAX_PLIES} moves"));
        }
        for seat in Seat::BOTH {
            let all = self.board.count(seat) + u32::from(self.captured[seat.other().index()]);
            let most = (3 * u32::from(self.board.size().get())).min(u32::from(MAX_PAWNS));
            if all == 0 || all > most {
                return Err(format!("seat {seat} cannot have begun with {all} pawns"));
            }
            let moved = (self.steps + u16::from(seat == Seat::One)) / 2;
            if u16::from(self.captured[seat.index()]) > moved {
                return Err(format!("seat {seat} has captured more pawns than it has made moves"));
            }
        }
        self.validate_end()
    }

    fn validate_end(&self) -> Result<(), String> {
        let next = self.next();
        if let Some((winner, _)) = self.board.finished(next)
            && (winner == next || self.steps == 0)
        {
            return Err("the game was over before its last move".to_owned());
        }
        let far = |seat: Seat| {
            let row = if seat == Seat::One { self.board.size().get() - 1 } else { 0 };
            self.board.pawns_of(seat).filter(|square| square.row == row).count()
        };
        if far(next) > 0 || far(next.other()) > 1 {
            return Err("the game went on after a pawn had reached the far row".to_owned());
        }
        Ok(())
    }
}
