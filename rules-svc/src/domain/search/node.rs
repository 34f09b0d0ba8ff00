//! A position inside the tree, with what is kept up to date from move to move instead of computed anew.

use super::evaluate::Evaluator;
use super::keys::{SEAT_TWO_TO_MOVE, key_of};
use super::step::Step;
use crate::domain::pawns::{Bits, Position, Seat, Side};

/// A position, its key and the value of how its pawns stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<B, const N: usize> {
    pub(super) position: Position<B, N>,
    pub(super) key: u64,
    /// The worth of placement and patterns from seat one's view.
    pub(super) standing: i32,
    /// The worth of the patterns on each row and the next.
    bands: [i32; N],
}

impl<B: Bits, const N: usize> Node<B, N> {
    pub(super) fn new(position: Position<B, N>, to_move: Seat, evaluator: &Evaluator) -> Self {
        let mut key = match to_move {
            Seat::One => 0,
            Seat::Two => SEAT_TWO_TO_MOVE,
        };
        let mut standing = 0;
        for seat in Seat::BOTH {
            for square in position.of_seat(seat).squares() {
                key ^= key_of(seat, square as usize);
                standing += evaluator.placement.signed(seat, square as usize);
            }
        }
        let mut bands = [0; N];
        for (row, band) in bands.iter_mut().enumerate().take(N - 1) {
            *band = evaluator.patterns.band(&position, row);
            standing += *band;
        }
        Self { position, key, standing, bands }
    }

    /// The node after a step of side `S`.
    #[inline(always)]
    pub(super) fn after<S: Side>(&self, step: Step, evaluator: &Evaluator) -> Self {
        let (from, to) = (step.from(), step.to());
        let to_bit = B::of(to as u32);
        let mut key = self.key ^ SEAT_TWO_TO_MOVE ^ key_of(S::SEAT, from) ^ key_of(S::SEAT, to);
        let placement = &evaluator.placement;
        let mut standing = self.standing + placement.signed(S::SEAT, to) - placement.signed(S::SEAT, from);
        if self.position.own::<S::Other>().meets(to_bit) {
            let loser = S::SEAT.other();
            key ^= key_of(loser, to);
            standing -= placement.signed(loser, to);
        }
        let position = self.position.moved::<S>(B::of(from as u32), to_bit);
        let mut bands = self.bands;
        let lower = from.min(to) / N;
        let (first, end) = (lower.saturating_sub(1), (lower + 2).min(N - 1));
        for (row, kept) in bands.iter_mut().enumerate().take(end).skip(first) {
            let band = evaluator.patterns.band(&position, row);
            standing += band - *kept;
            *kept = band;
        }
        Self { position, key, standing, bands }
    }

    /// The same pawns with the other side to move.
    #[inline(always)]
    pub(super) fn passed(&self) -> Self {
        Self { key: self.key ^ SEAT_TWO_TO_MOVE, ..*self }
    }
}
