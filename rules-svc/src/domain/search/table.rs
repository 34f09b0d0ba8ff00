//! The transposition table: what is known of positions that were searched before.

use super::score::FORCED;
use super::step::Step;
use super::tree::Query;

/// How many positions a table holds, as a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSize(u8);

impl TableSize {
    /// A table of 2^`exponent` positions of 16 bytes, the exponent kept within 8 to 26.
    #[must_use]
    pub const fn from_exponent(exponent: u8) -> Self {
        Self(match exponent {
            0..8 => 8,
            8..=26 => exponent,
            _ => 26,
        })
    }
}

/// Whether a stored value is exact or only a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// One position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    pub(super) step: Step,
    value: i16,
    depth: i8,
    bound: Bound,
    age: u8,
}

impl Entry {
    const VACANT: Self = Self { key: 0, step: Step::NONE, value: 0, depth: -1, bound: Bound::AtMost, age: 0 };

    /// The value as seen from a node so many plies from the root: forced results count from there.
    #[inline(always)]
    pub(super) fn value_at(&self, ply: usize) -> i32 {
        let value = i32::from(self.value);
        match value {
            _ if value > FORCED => value - ply as i32,
            _ if value < -FORCED => value + ply as i32,
            _ => value,
        }
    }

    /// Whether the value answers a query.
    #[inline(always)]
    pub(super) fn settles(&self, query: &Query) -> bool {
        let value = self.value_at(query.ply);
        i32::from(self.depth) >= query.depth
            && match self.bound {
                Bound::Exact => true,
                Bound::AtLeast => value >= query.window.beta,
                Bound::AtMost => value <= query.window.alpha,
            }
    }
}

/// What a search has found out about a node.
pub(super) struct Finding {
    pub(super) step: Step,
    pub(super) value: i32,
    pub(super) depth: i32,
    pub(super) bound: Bound,
}

/// A table of fixed size. Pairs of entries share a place: the first keeps the deepest of a search, the second the latest.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pairs: Vec<[Entry; 2]>,
    age: u8,
}

impl Table {
    pub(super) fn new(size: TableSize) -> Self {
        Self { pairs: vec![[Entry::VACANT; 2]; 1 << (size.0 - 1)], age: 0 }
    }

    /// Starts another search: entries from before may be replaced whatever their depth.
    pub(super) fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        key as usize & (self.pairs.len() - 1)
    }

    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.pairs[self.place(key)].iter().find(|entry| entry.key == key && entry.depth >= 0).copied()
    }

    #[inline(always)]
    pub(super) fn put(&mut self, key: u64, ply: usize, finding: &Finding) {
        let Finding { step, value, depth, bound } = *finding;
        let stored = match value {
            _ if value > FORCED => value + ply as i32,
            _ if value < -FORCED => value - ply as i32,
            _ => value,
        };
        let age = self.age;
        let place = self.place(key);
        let [deepest, latest] = &mut self.pairs[place];
        let better = deepest.age != age || depth >= i32::from(deepest.depth) || deepest.key == key;
        let slot = if better { deepest } else { latest };
        let step = if step == Step::NONE && slot.key == key { slot.step } else { step };
        // Values stay within ±30,000 and depths within 100.
        *slot = Entry { key, step, value: stored as i16, depth: depth as i8, bound, age };
    }
}
