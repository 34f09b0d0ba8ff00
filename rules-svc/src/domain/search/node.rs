//! A position inside the tree, with what is kept up to date from move to move instead of computed anew.

use super::keys::{SEAT_TWO_TO_MOVE, key_of};
use super::step::Step;
use super::weights::Placement;
use crate::domain::pawns::{Bits, Position, Seat, Side};

/// A position, its key and the value of where its pawns stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<B, const N: usize> {
    pub(super) position: Position<B, N>,
    pub(super) key: u64,
    /// Seat one's placement less seat two's.
    pub(super) placed: i32,
}

impl<B: Bits, const N: usize> Node<B, N> {
    pub(super) fn new(position: Position<B, N>, to_move: Seat, placement: &Placement) -> Self {
        let mut key = match to_move {
            Seat::One => 0,
            Seat::Two => SEAT_TWO_TO_MOVE,
        };
        let mut placed = 0;
        for seat in Seat::BOTH {
            for square in position.of_seat(seat).squares() {
                key ^= key_of(seat, square as usize);
                placed += placement.signed(seat, square as usize);
            }
        }
        Self { position, key, placed }
    }

    /// The node after a step of side `S`.
    #[inline(always)]
    pub(super) fn after<S: Side>(&self, step: Step, placement: &Placement) -> Self {
        let (from, to) = (step.from(), step.to());
        let to_bit = B::of(to as u32);
        let mut key = self.key ^ SEAT_TWO_TO_MOVE ^ key_of(S::SEAT, from) ^ key_of(S::SEAT, to);
        let mut placed = self.placed + placement.signed(S::SEAT, to) - placement.signed(S::SEAT, from);
        if self.position.own::<S::Other>().meets(to_bit) {
            let loser = S::SEAT.other();
            key ^= key_of(loser, to);
            placed -= placement.signed(loser, to);
        }
        Self { position: self.position.moved::<S>(B::of(from as u32), to_bit), key, placed }
    }

    /// The same pawns with the other side to move.
    #[inline(always)]
    pub(super) fn passed(&self) -> Self {
        Self { key: self.key ^ SEAT_TWO_TO_MOVE, ..*self }
    }
}
