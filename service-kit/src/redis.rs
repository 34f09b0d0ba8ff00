//! A connection to Redis that may be away: opening it never waits, and one can ask whether it is there.
//!
//! Not here: what is kept in Redis; stores and limiters send their own commands. Nothing in Redis is ever the truth.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ::redis::aio::{ConnectionManager, ConnectionManagerConfig};
use ::redis::{Cmd, FromRedisValue, RedisError, RedisResult};

/// How often the connection is looked at.
const PULSE: Duration = Duration::from_secs(1);
/// How long an answer may take before Redis counts as away: callers go on without it.
const RESPONSE_TIMEOUT: Duration = Duration::from_millis(500);

/// A cheap handle on one multiplexed connection that repairs itself.
#[derive(Clone)]
pub struct RedisHandle {
    manager: ConnectionManager,
    available: Arc<AtomicBool>,
}

impl fmt::Debug for RedisHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisHandle").field("available", &self.available()).finish_non_exhaustive()
    }
}

impl RedisHandle {
    /// Makes the handle without waiting for Redis. Needs a running tokio runtime.
    ///
    /// # Errors
    ///
    /// When `url` is not the address of a Redis.
    pub fn connect(url: &str) -> Result<Self, RedisError> {
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(1)
            .set_connection_timeout(Some(RESPONSE_TIMEOUT))
            .set_response_timeout(Some(RESPONSE_TIMEOUT));
        let manager = ConnectionManager::new_lazy_with_config(::redis::Client::open(url)?, config)?;
        let handle = Self { manager, available: Arc::new(AtomicBool::new(false)) };
        tokio::spawn(watch(handle.manager.clone(), Arc::downgrade(&handle.available)));
        Ok(handle)
    }

    /// Whether Redis answered the last time that it was asked.
    #[must_use]
    pub fn available(&self) -> bool {
        self.available.load(Ordering::Relaxed)
    }

    /// The connection, for scripts and pipelines.
    #[must_use]
    pub fn connection(&self) -> ConnectionManager {
        self.manager.clone()
    }

    /// Sends one command and notes whether Redis is there.
    ///
    /// # Errors
    ///
    /// Those of Redis, and of the way there.
    pub async fn query<T: FromRedisValue>(&self, command: &Cmd) -> RedisResult<T> {
        let answer = command.query_async(&mut self.connection()).await;
        note(&self.available, &answer);
        answer
    }
}

/// An answer that refuses a command still shows that Redis is there.
fn note<T>(available: &AtomicBool, answer: &RedisResult<T>) {
    let there = match answer {
        Ok(_) => true,
        Err(error) => !(error.is_io_error() || error.is_timeout() || error.is_connection_dropped()),
    };
    if available.swap(there, Ordering::Relaxed) != there {
        tracing::info!(available = there, "redis");
    }
}

/// Asks Redis for a sign of life until nobody holds the handle.
async fn watch(mut manager: ConnectionManager, available: std::sync::Weak<AtomicBool>) {
    let mut pulse = tokio::time::interval(PULSE);
    pulse.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        pulse.tick().await;
        let answer: RedisResult<String> = ::redis::cmd("PING").query_async(&mut manager).await;
        let Some(available) = available.upgrade() else { return };
        note(&available, &answer);
    }
}
