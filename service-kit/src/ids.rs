//! Text of ULIDs, and where random bytes come from.
//!
//! Not here: which prefix an id has and what it names; every domain has newtypes of its own for that.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::time::UnixMs;

/// A ULID of this moment with these random bits: 26 characters of Crockford's base 32 in upper case.
///
/// Only the lower 80 bits of `random` are used. A moment before 1970 counts as 1970.
#[must_use]
pub fn new_ulid(now: UnixMs, random: u128) -> String {
    ulid::Ulid::from_parts(u64::try_from(now.0).unwrap_or(0), random).to_string()
}

/// Whether `text` is a ULID in the one spelling that this platform writes.
#[must_use]
pub fn is_ulid(text: &str) -> bool {
    ulid::Ulid::from_string(text).is_ok_and(|ulid| ulid.to_string() == text)
}

/// A source of random bits.
pub trait IdSource: Send + Sync + fmt::Debug {
    /// 128 random bits.
    fn random_u128(&self) -> u128;

    /// Fills `bytes` with random ones.
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(16) {
            let random = self.random_u128().to_le_bytes();
            chunk.copy_from_slice(&random[..chunk.len()]);
        }
    }
}

/// A source of random bits that several parts of a program share.
pub type SharedIds = Arc<dyn IdSource>;

/// `N` random bytes.
#[must_use]
pub fn random_bytes<const N: usize>(source: &dyn IdSource) -> [u8; N] {
    let mut bytes = [0; N];
    source.fill(&mut bytes);
    bytes
}

/// The operating system's random bits: fit for keys and seeds.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemIds;

impl SystemIds {
    /// A shared handle on the operating system's random bits.
    #[must_use]
    pub fn shared() -> SharedIds {
        Arc::new(Self)
    }
}

impl IdSource for SystemIds {
    fn random_u128(&self) -> u128 {
        let mut bytes = [0; 16];
        self.fill(&mut bytes);
        u128::from_le_bytes(bytes)
    }

    fn fill(&self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("an operating system that gives no random bytes cannot keep any secret");
    }
}

/// The same sequence for the same seed, for tests and simulations; never for secrets.
#[derive(Debug)]
pub struct SeededIds {
    state: AtomicU64,
}

impl SeededIds {
    /// The sequence of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: AtomicU64::new(seed) }
    }

    /// The sequence of this seed, to be shared.
    #[must_use]
    pub fn shared(seed: u64) -> SharedIds {
        Arc::new(Self::new(seed))
    }

    /// SplitMix64 (Steele, Lea, Flood 2014): a counter, mixed.
    fn next_u64(&self) -> u64 {
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        let counter = self.state.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        let mixed = (counter ^ (counter >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

impl IdSource for SeededIds {
    fn random_u128(&self) -> u128 {
        (u128::from(self.next_u64()) << 64) | u128::from(self.next_u64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ulid_is_26_upper_case_characters_in_order_of_time() {
        let early = new_ulid(UnixMs(1_700_000_000_000), u128::MAX);
        let late = new_ulid(UnixMs(1_700_000_000_001), 0);
        assert_eq!(early.len(), 26);
        assert!(is_ulid(&early));
        assert!(!is_ulid(&early.to_lowercase()));
        assert!(early < late);
    }

    #[test]
    fn equal_seeds_give_equal_sequences() {
        let (one, other) = (SeededIds::new(7), SeededIds::new(7));
        let first: Vec<u128> = (0..4).map(|_| one.random_u128()).collect();
        let second: Vec<u128> = (0..4).map(|_| other.random_u128()).collect();
        assert_eq!(first, second);
        assert_ne!(first[0], first[1]);
    }

    #[test]
    fn splitmix_follows_its_reference_sequence() {
        // The first outputs for seed 1234567, as published with the reference implementation.
        let ids = SeededIds::new(1_234_567);
        assert_eq!([ids.next_u64(), ids.next_u64()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn random_bytes_fill_every_length() {
        assert_ne!(random_bytes::<33>(&SystemIds), [0; 33]);
        assert_ne!(random_bytes::<5>(&SeededIds::new(1)), [0; 5]);
    }
}
