//! What the search remembers of steps that worked elsewhere: killers and history.

use super::step::Step;
use crate::domain::pawns::Seat;

/// No line is searched deeper than this.
pub(super) const MAX_PLY: usize = 100;

/// A history value never leaves ±this.
const HISTORY_MAX: i32 = 1 << 14;

/// Killers by ply and history by seat, direction and to-square.
#[derive(Clone, Debug)]
pub(super) struct Heuristics {
    killers: [[Step; 2]; MAX_PLY + 1],
    history: [[[i32; 144]; 3]; 2],
}

impl Heuristics {
    pub(super) fn new() -> Self {
        Self { killers: [[Step::NONE; 2]; MAX_PLY + 1], history: [[[0; 144]; 3]; 2] }
    }

    #[inline(always)]
    pub(super) fn history(&self, seat: Seat, step: Step, n: usize) -> i32 {
        self.history[seat.index()][direction(step, n)][step.to()]
    }

    /// 2 for the latest killer of the ply, 1 for the one before, 0 for any other step.
    #[inline(always)]
    pub(super) fn killer_rank(&self, ply: usize, step: Step) -> i32 {
        match self.killers[ply] {
            [latest, _] if latest == step => 2,
            [_, before] if before == step => 1,
            _ => 0,
        }
    }

    /// Remembers that a quiet step refuted a line searched to `depth`, or that it did not (a negative depth).
    pub(super) fn learn(&mut self, seat: Seat, ply: usize, n: usize, step: Step, depth: i32) {
        if depth > 0 && self.killers[ply][0] != step {
            self.killers[ply] = [step, self.killers[ply][0]];
        }
        // One refutation weighs more than one step in vain: most steps are in vain.
        let by = if depth > 0 { depth * depth } else { depth };
        let value = &mut self.history[seat.index()][direction(step, n)][step.to()];
        *value += by - *value * by.abs() / HISTORY_MAX;
    }
}

/// 0, 1 and 2 for the two diagonals and straight ahead; which is which depends on the seat.
#[inline(always)]
fn direction(step: Step, n: usize) -> usize {
    (step.from().abs_diff(step.to()) + 1 - n).min(2)
}
