//! Chance that can be had again: everything follows from one number. Good enough to spread calls, not to keep secrets.

/// A stream of numbers (SplitMix64, Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// The stream of this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Another stream, which goes on by itself.
    #[must_use]
    pub fn fork(&mut self) -> Self {
        Self::new(self.next())
    }

    /// 0 to `count` - 1.
    ///
    /// # Panics
    ///
    /// When there is nothing to choose from.
    pub fn below(&mut self, count: usize) -> usize {
        assert!(count > 0, "something to choose from");
        let count = u64::try_from(count).expect("a count");
        usize::try_from(self.next() % count).expect("less than a count")
    }

    /// True once in `count` times.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
