//! Limits: how many requests of a kind a key or an address may send, by GCRA.
//!
//! In this process, or shared by all replicas through Redis when that is configured. While Redis is away limits go local
//! and play goes on. Not here: which requests count against which limit.

mod gcra;
mod headers;
mod local;

use farside_kit::redis::RedisHandle;
use farside_kit::time::SharedClock;

pub use gcra::{Quota, Verdict};
use local::LocalLimits;

use crate::store::SharedLimits;

/// Counts requests against quotas.
#[derive(Debug)]
pub struct Limits {
    clock: SharedClock,
    local: LocalLimits,
    shared: Option<SharedLimits>,
}

impl Limits {
    /// Limits in this process, and through Redis when there is one.
    #[must_use]
    pub fn new(clock: SharedClock, redis: Option<RedisHandle>) -> Self {
        Self { clock, local: LocalLimits::default(), shared: redis.map(SharedLimits::new) }
    }

    /// Counts one request of `subject` against `quota`.
    pub async fn count(&self, quota: &Quota, subject: &str) -> Verdict {
        let key = format!("{}:{subject}", quota.name);
        if let Some(shared) = &self.shared
            && let Some(verdict) = shared.count(quota, &key).await
        {
            return verdict;
        }
        self.local.count(quota, key, self.clock.now().0)
    }
}
