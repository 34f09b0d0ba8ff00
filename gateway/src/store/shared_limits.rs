//! Limits that all replicas share: the same arithmetic as a script in Redis, by Redis's own clock.
//!
//! An answer that does not come at once is not waited for: the limit is then counted in this process.

use std::time::Duration;

use farside_kit::redis::RedisHandle;
use redis::Script;

use crate::limits::{Quota, Verdict};

/// How long Redis may take.
const TIMEOUT: Duration = Duration::from_millis(50);

/// Decides and keeps the moment in one step. Returns what is used of the capacity and how far the request is over.
const SCRIPT: &str = r"
local now = redis.call('TIME')
local now_us = now[1] * 1000000 + now[2]
local interval, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])
local before = tonumber(redis.call('GET', KEYS[1]) or now_us)
if before < now_us then before = now_us end
local after = before + interval
local over = after - now_us - capacity
if over > 0 then return {before - now_us, over} end
redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', math.ceil((after - now_us) / 1000) + 1)
return {after - now_us, over}
";

/// Limits in Redis.
pub struct SharedLimits {
    redis: RedisHandle,
    script: Script,
}

impl std::fmt::Debug for SharedLimits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedLimits").finish_non_exhaustive()
    }
}

impl SharedLimits {
    /// Limits in this Redis.
    #[must_use]
    pub fn new(redis: RedisHandle) -> Self {
        Self { redis, script: Script::new(SCRIPT) }
    }

    /// The verdict, or nothing while Redis does not answer.
    pub async fn count(&self, quota: &Quota, key: &str) -> Option<Verdict> {
        if !self.redis.available() {
            return None;
        }
        let mut connection = self.redis.connection();
        let mut call = self.script.key(format!("farside:limit:{key}"));
        call.arg(quota.interval_us).arg(quota.capacity_us());
        let answer = tokio::time::timeout(TIMEOUT, call.invoke_async::<(i64, i64)>(&mut connection)).await;
        match answer {
            Ok(Ok((used_us, over_us))) => Some(quota.verdict(used_us, over_us)),
            Ok(Err(error)) => {
                tracing::debug!(%error, "limits are counted in this process");
                None
            }
            Err(_) => None,
        }
    }
}
