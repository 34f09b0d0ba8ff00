//! Whole points with checked arithmetic.
//!
//! Not here: which amounts are allowed where; that is the currency table and each posting.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A number of points, from 0 to [`Points::MAX`]. No arithmetic on it can wrap or go below zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Points(i64);

impl Points {
    /// No points.
    pub const ZERO: Self = Self(0);

    /// The most that anything here can hold: exact in every JSON reader, and nine thousand such balances still add up
    /// within 64 bits.
    pub const MAX: Self = Self(1_000_000_000_000_000);

    /// That many points, if that is a number of points.
    #[must_use]
    pub const fn new(amount_points: i64) -> Option<Self> {
        if amount_points < 0 || amount_points > Self::MAX.0 { None } else { Some(Self(amount_points)) }
    }

    /// The plain number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The sum, unless it is beyond [`Points::MAX`].
    #[must_use]
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        Self::new(self.0 + other.0)
    }

    /// The difference, unless it is below zero.
    #[must_use]
    pub const fn checked_sub(self, other: Self) -> Option<Self> {
        Self::new(self.0 - other.0)
    }

    /// This after a change, unless it leaves the range.
    #[must_use]
    pub const fn checked_change(self, change: Change) -> Option<Self> {
        match self.0.checked_add(change.0) {
            Some(amount) => Self::new(amount),
            None => None,
        }
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A signed change of a number of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Change(i64);

impl Change {
    /// No change.
    pub const ZERO: Self = Self(0);

    /// That change.
    #[must_use]
    pub const fn new(change_points: i64) -> Self {
        Self(change_points)
    }

    /// The plain number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// With that much more.
    #[must_use]
    pub const fn plus(self, amount: Points) -> Self {
        Self(self.0.saturating_add(amount.0))
    }

    /// With that much less.
    #[must_use]
    pub const fn minus(self, amount: Points) -> Self {
        Self(self.0.saturating_sub(amount.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_never_leave_their_range() {
        let one = Points::new(1).unwrap();
        assert_eq!(Points::new(-1), None);
        assert_eq!(Points::new(i64::MAX), None);
        assert_eq!(Points::MAX.checked_add(one), None);
        assert_eq!(Points::ZERO.checked_sub(one), None);
        assert_eq!(one.checked_change(Change::new(-2)), None);
        assert_eq!(one.checked_change(Change::new(i64::MAX)), None);
        assert_eq!(Points::MAX.checked_sub(one).and_then(|less| less.checked_add(one)), Some(Points::MAX));
    }
}
