//! What a position is worth to the side that moves: hundredths of a pawn, or a forced result so many plies away.

/// A value from the view of the side to move, in hundredths of a pawn. Beyond ±29,000 the result is forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub i32);

/// The value of having won already.
pub(super) const WON: i32 = 30_000;

/// Larger than every value.
pub(super) const INFINITE: i32 = 30_001;

/// No estimate goes as far as this; forced results lie beyond.
pub(super) const FORCED: i32 = 29_000;

impl Score {
    /// How many plies away a forced result is; `None` when nothing is forced.
    #[must_use]
    pub fn plies_to_end(self) -> Option<u32> {
        (self.0.abs() > FORCED).then(|| (WON - self.0.abs()).unsigned_abs())
    }

    /// Whether the side to move wins by force.
    #[must_use]
    pub fn is_won(self) -> bool {
        self.0 > FORCED
    }

    /// Whether the side to move loses by force.
    #[must_use]
    pub fn is_lost(self) -> bool {
        self.0 < -FORCED
    }
}

/// The value of winning `plies` after the root.
pub(super) const fn won_in(plies: usize) -> i32 {
    WON - plies as i32
}

/// The value of losing `plies` after the root.
pub(super) const fn lost_in(plies: usize) -> i32 {
    -won_in(plies)
}
