//! Boards in Redis: the best entries of each game, ready to be read in one round trip.
//!
//! Two keys a game. `order` is a sorted set of places, all with the same score, whose names sort as the board does: 16 hex
//! digits that fall as the rating rises, then the id. `rows` is a hash from id to the version, the place and the entry, and
//! holds the state too: `:loading` or `:ready`, the moment that the board is in step with. So whichever key is dropped or
//! evicted, it shows, and the board is loaded again. Entries are put by version: however late one arrives, it replaces
//! nothing newer. Scripts make each step one. Never the truth: nothing here is read but to show the top of a board.

use std::sync::Arc;

use farside_kit::redis::RedisHandle;
use farside_kit::time::UnixMs;
use redis::{RedisResult, Script, ScriptInvocation};

use super::fault::StoreFault;
use super::stored;
use crate::domain::board::{Entry, Place};
use crate::domain::ids::GameId;

/// A cheap handle on all boards in Redis.
#[derive(Clone, Debug)]
pub struct BoardCache {
    redis: RedisHandle,
    prefix: String,
    scripts: Arc<Scripts>,
}

#[derive(Debug)]
struct Scripts {
    put: Script,
    begin: Script,
    finish: Script,
    synced: Script,
    top: Script,
}

/// The top of a board as the cache has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Top {
    /// Everything that changed before this moment is in.
    pub synced_at: UnixMs,
    /// Best first.
    pub entries: Vec<Entry>,
}

impl BoardCache {
    /// Boards under keys that begin with `prefix`.
    #[must_use]
    pub fn new(redis: RedisHandle, prefix: impl Into<String>) -> Self {
        let scripts = Scripts {
            put: Script::new(include_str!("cache/put.lua")),
            begin: Script::new(include_str!("cache/begin.lua")),
            finish: Script::new(include_str!("cache/finish.lua")),
            synced: Script::new(include_str!("cache/synced.lua")),
            top: Script::new(include_str!("cache/top.lua")),
        };
        Self { redis, prefix: prefix.into(), scripts: Arc::new(scripts) }
    }

    /// Whether Redis answered of late.
    #[must_use]
    pub fn is_available(&self) -> bool {
        self.redis.available()
    }

    /// The best entries of a game; nothing when its board is not loaded.
    ///
    /// # Errors
    /// Faults of Redis.
    pub async fn top(&self, game: &GameId, limit: usize) -> Result<Option<Top>, StoreFault> {
        let mut call = self.call(&self.scripts.top, game);
        let answer: Vec<String> = self.send(call.arg(limit)).await?;
        let Some((synced_at, entries)) = answer.split_first() else { return Ok(None) };
        let Ok(synced_at_ms) = synced_at.parse() else { return Ok(None) };
        let entries = entries.iter().map(|entry| stored::read_entry(entry)).collect::<Result<_, _>>()?;
        Ok(Some(Top { synced_at: UnixMs(synced_at_ms), entries }))
    }

    /// Puts entries that changed; false when the board is not kept.
    ///
    /// # Errors
    /// Faults of Redis.
    pub async fn put(&self, game: &GameId, entries: &[Entry]) -> Result<bool, StoreFault> {
        self.put_for(game, "", entries).await
    }

    /// Drops a board and begins to load it under a token of its own.
    ///
    /// # Errors
    /// Faults of Redis.
    pub async fn begin(&self, game: &GameId, token: &str) -> Result<(), StoreFault> {
        let mut call = self.call(&self.scripts.begin, game);
        self.send::<i64>(call.arg(token)).await.map(drop)
    }

    /// Goes on with a load; false when it was overtaken by another or dropped.
    ///
    /// # Errors
    /// Faults of Redis.
    pub async fn load(&self, game: &GameId, token: &str, entries: &[Entry]) -> Result<bool, StoreFault> {
        self.put_for(game, token, entries).await
    }

    /// Ends a load, in step with what changed before `synced_at`; false when it was overtaken or dropped.
    ///
    /// # Errors
    /// Faults of Redis.
    pub async fn finish(&self, game: &GameId, token: &str, synced_at: UnixMs) -> Result<bool, StoreFault> {
        let mut call = self.call(&self.scripts.finish, game);
        Ok(self.send::<i64>(call.arg(token).arg(synced_at.0)).await? == 1)
    }

    /// Notes that the board is in step with what changed before `synced_at`.
    ///
    /// # Errors
    /// Faults of Redis.
    pub async fn synced(&self, game: &GameId, synced_at: UnixMs) -> Result<(), StoreFault> {
        let mut call = self.call(&self.scripts.synced, game);
        self.send::<i64>(call.arg(synced_at.0)).await.map(drop)
    }

    async fn put_for(&self, game: &GameId, token: &str, entries: &[Entry]) -> Result<bool, StoreFault> {
        let mut call = self.call(&self.scripts.put, game);
        call.arg(token);
        for entry in entries.iter().filter(|entry| entry.is_listed()) {
            let place = entry.place();
            call.arg(place.id.as_str()).arg(entry.version).arg(member(&place)).arg(stored::write_entry(entry)?);
        }
        Ok(self.send::<i64>(&call).await? >= 0)
    }

    /// The braces keep the keys of a game on one node of a cluster.
    fn call<'a>(&self, script: &'a Script, game: &GameId) -> ScriptInvocation<'a> {
        let mut call = script.prepare_invoke();
        for key in ["rows", "order"] {
            call.key(format!("{}:{{{game}}}:{key}", self.prefix));
        }
        call
    }

    async fn send<T: redis::FromRedisValue>(&self, call: &ScriptInvocation<'_>) -> Result<T, StoreFault> {
        let answer: RedisResult<T> = call.invoke_async(&mut self.redis.connection()).await;
        Ok(answer?)
    }
}

/// The name of a place in the sorted set: names sort by bytes as places do on the board.
fn member(place: &Place) -> String {
    let bits = place.rating().to_bits();
    let rising = if bits >> 63 == 1 { !bits } else { bits | (1 << 63) };
    format!("{:016x}{}", !rising, place.id)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::ids::ParticipantId;

    proptest! {
        #[test]
        fn names_sort_as_places_do(one in -1e6..1e6, other in -1e6..1e6, first in "bot_[0-9A-Z]{4}", second in "bot_[0-9A-Z]{4}") {
            let place = |rating, id: &str| Place::new(rating, ParticipantId::from_stored(id.to_owned()));
            for (one, other) in [(place(one, &first), place(other, &second)), (place(one, &first), place(one, &second))] {
                prop_assert_eq!(member(&one).cmp(&member(&other)), one.cmp(&other));
            }
        }
    }
}
