//! A step as the search keeps it: two square indices in two bytes.

use crate::domain::pawns::{PawnMove, Square};

/// A step by from- and to-square index. [`Step::NONE`] stands for no step: no pawn steps from square 0 to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step(u16);

impl Step {
    pub(super) const NONE: Self = Self(0);

    #[inline(always)]
    pub(super) fn new(from: u32, to: u32) -> Self {
        // Both are below 144.
        Self((from | to << 8) as u16)
    }

    #[inline(always)]
    pub(super) fn from(self) -> usize {
        usize::from(self.0 & 0xff)
    }

    #[inline(always)]
    pub(super) fn to(self) -> usize {
        usize::from(self.0 >> 8)
    }

    pub(super) fn to_move(self, n: usize) -> PawnMove {
        let square = |index: usize| Square::new((index / n) as u8, (index % n) as u8);
        PawnMove::new(square(self.from()), square(self.to()))
    }
}
