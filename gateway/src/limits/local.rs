//! Limits in this process: moments in sharded maps, swept as they grow.
//!
//! Not here: the arithmetic.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

use super::gcra::{Quota, Verdict};

/// Maps that are locked apart from each other.
const SHARDS: usize = 16;
/// A shard is swept when it has grown to so many subjects.
const SWEEP_AT: usize = 8_192;

#[derive(Debug, Default)]
struct Shard {
    whole_at_us: HashMap<String, i64>,
    sweep_at: usize,
}

/// Moments of every subject in this process.
#[derive(Debug)]
pub(super) struct LocalLimits {
    hasher: RandomState,
    shards: [Mutex<Shard>; SHARDS],
}

impl Default for LocalLimits {
    fn default() -> Self {
        Self { hasher: RandomState::new(), shards: std::array::from_fn(|_| Mutex::default()) }
    }
}

impl LocalLimits {
    pub(super) fn count(&self, quota: &Quota, key: String, now_ms: i64) -> Verdict {
        let now_us = now_ms.saturating_mul(1_000);
        let index = usize::try_from(self.hasher.hash_one(&key) % SHARDS as u64).unwrap_or(0);
        let mut shard = self.shards[index].lock().unwrap_or_else(PoisonError::into_inner);
        let (verdict, kept) = quota.decide(shard.whole_at_us.get(&key).copied(), now_us);
        shard.whole_at_us.insert(key, kept);
        shard.sweep(now_us);
        verdict
    }
}

impl Shard {
    /// Forgets subjects whose allowance is whole; the next sweep comes when the rest has doubled.
    fn sweep(&mut self, now_us: i64) {
        if self.whole_at_us.len() >= self.sweep_at.max(SWEEP_AT) {
            self.whole_at_us.retain(|_, whole_at_us| *whole_at_us > now_us);
            self.sweep_at = self.whole_at_us.len() * 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_do_not_share_an_allowance() {
        let (limits, quota) = (LocalLimits::default(), Quota::per_second("t", 1, 1));
        assert!(limits.count(&quota, "a".to_owned(), 0).allowed);
        assert!(!limits.count(&quota, "a".to_owned(), 0).allowed);
        assert!(limits.count(&quota, "b".to_owned(), 0).allowed);
    }

    #[test]
    fn memory_stays_bounded_under_ever_new_subjects() {
        let (limits, quota) = (LocalLimits::default(), Quota::per_second("t", 1_000, 1));
        for subject in 0..400_000_i64 {
            limits.count(&quota, subject.to_string(), subject);
        }
        let kept: usize = limits.shards.iter().map(|shard| shard.lock().unwrap().whole_at_us.len()).sum();
        assert!(kept <= SHARDS * SWEEP_AT, "{kept}");
    }
}
