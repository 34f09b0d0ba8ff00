//! Clock arithmetic of a record, as `docs/fairness.md` states it: what a ply may take and what is left after it.

use super::entry::{BySeat, Clock};
use crate::domain::json::Violation;
use crate::domain::pawns::Seat;

const MS_PER_S: u64 = 1_000;

/// The clocks of one game.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    setting: Option<Clock>,
    first_move_ms: u64,
    turn_began_ms: u64,
    remaining_ms: BySeat<u64>,
    moves: BySeat<u32>,
}

/// A move that a seat made, in time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Charge {
    pub(super) seat: Seat,
    pub(super) received_ms: u64,
}

impl Clocks {
    /// Full clocks; the first turn begins.
    pub(super) fn start(setting: Option<Clock>, first_move_s: u32, at_ms: u64) -> Self {
        let initial_ms = match setting {
            Some(Clock::Fischer { initial_s, .. }) => u64::from(initial_s) * MS_PER_S,
            _ => 0,
        };
        Self {
            setting,
            first_move_ms: u64::from(first_move_s) * MS_PER_S,
            turn_began_ms: at_ms,
            remaining_ms: BySeat { one: initial_ms, two: initial_ms },
            moves: BySeat { one: 0, two: 0 },
        }
    }

    /// Moves that a seat has made.
    pub(super) fn moves(&self, seat: Seat) -> u32 {
        *self.moves.get(seat)
    }

    /// Whether a seat's next move is its first under a first-move deadline.
    pub(super) fn is_first_move(&self, seat: Seat) -> bool {
        matches!(self.setting, Some(Clock::Fischer { .. })) && self.moves(seat) == 0
    }

    /// Gives time back: the running turn counts as having begun later.
    pub(super) fn credit(&mut self, credit_ms: u64) {
        self.turn_began_ms = self.turn_began_ms.saturating_add(credit_ms);
    }

    /// How long a seat may take for its next move; `None` when it may take for ever.
    fn allowed_ms(&self, seat: Seat) -> Option<u64> {
        match self.setting? {
            Clock::Fischer { .. } if self.moves(seat) == 0 => Some(self.first_move_ms),
            Clock::Fischer { .. } => Some(*self.remaining_ms.get(seat)),
            Clock::PerRound { per_round_s } => Some(u64::from(per_round_s) * MS_PER_S),
        }
    }

    /// Whether a seat to act has used up its time.
    pub(super) fn is_out_of_time(&self, seat: Seat, at_ms: u64) -> bool {
        self.allowed_ms(seat).is_some_and(|allowed| at_ms.saturating_sub(self.turn_began_ms) >= allowed)
    }

    /// Charges a move.
    ///
    /// # Errors
    /// It came too late.
    pub(super) fn charge(&mut self, charge: Charge, ends_game: bool) -> Result<(), Violation> {
        let Charge { seat, received_ms } = charge;
        let elapsed_ms = received_ms.saturating_sub(self.turn_began_ms);
        if let Some(allowed_ms) = self.allowed_ms(seat)
            && elapsed_ms > allowed_ms
        {
            let detail = format!("seat {seat} took {elapsed_ms} ms for this move and had {allowed_ms} ms");
            return Err(Violation::new("/received_ms", detail));
        }
        let is_first = self.is_first_move(seat);
        if let (Some(Clock::Fischer { increment_s, .. }), false) = (self.setting, is_first) {
            let earned_ms = if ends_game { 0 } else { u64::from(increment_s) * MS_PER_S };
            let remaining_ms = self.remaining_ms.get_mut(seat);
            *remaining_ms = *remaining_ms - elapsed_ms + earned_ms;
        }
        *self.moves.get_mut(seat) += 1;
        Ok(())
    }

    /// Begins the next turn and compares what is left with what the record says.
    ///
    /// # Errors
    /// The clocks differ.
    pub(super) fn next_turn(&mut self, at_ms: u64, recorded: Option<&BySeat<u64>>) -> Result<(), Violation> {
        self.turn_began_ms = at_ms;
        match (self.setting, recorded) {
            (Some(Clock::Fischer { .. }), Some(recorded)) => self.compare(recorded),
            (Some(Clock::Fischer { .. }), None) => Err(Violation::new("/clocks", "is missing")),
            (_, Some(_)) => Err(Violation::new("/clocks", "must be null: this clock leaves nothing over")),
            (_, None) => Ok(()),
        }
    }

    fn compare(&self, recorded: &BySeat<u64>) -> Result<(), Violation> {
        for seat in Seat::BOTH {
            let (expected, found) = (self.remaining_ms.get(seat), recorded.get(seat));
            if expected != found {
                let detail = format!("seat {seat} has {expected} ms left after this ply, not {found}");
                return Err(Violation::new(format!("/clocks/{seat}"), detail));
            }
        }
        Ok(())
    }
}
