//! Keeps the boards in Redis in step with the database.
//!
//! Entries are put after each transaction. A put may be lost (Redis away, a process that dies in between), so a board that is
//! read is also synchronised now and then with whatever changed in the database since it was last in step; and a board that
//! is not there is loaded, in the background, while readers are served from the database. Nothing here can fail a request.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use farside_kit::fault::Chain;
use farside_kit::ids::SharedIds;
use farside_kit::shutdown::Tasks;
use farside_kit::time::{DurationMs, SharedClock, UnixMs};

use crate::domain::board::Entry;
use crate::domain::ids::GameId;
use crate::store::{BoardCache, Store, StoreFault, Top};

/// A board that was in step longer ago is synchronised when it is read.
const SYNC_AFTER: DurationMs = DurationMs(5_000);
/// A board that was in step longer ago is not shown.
const STALE_AFTER: DurationMs = DurationMs(60_000);
/// How long before a moment a change that is seen only after it may be stamped.
const SYNC_MARGIN: DurationMs = DurationMs(60_000);
/// Entries that are copied at once.
const COPY_ENTRIES: usize = 500;

/// The boards in Redis and what keeps them in step.
#[derive(Clone, Debug)]
pub(crate) struct Boards {
    cache: BoardCache,
    store: Store,
    clock: SharedClock,
    ids: SharedIds,
    tasks: Tasks,
    busy: Arc<Mutex<HashSet<GameId>>>,
}

impl Boards {
    /// Keeps the boards of `store` in `cache`.
    pub(crate) fn new(cache: BoardCache, store: Store, clock: SharedClock, ids: SharedIds, tasks: Tasks) -> Self {
        Self { cache, store, clock, ids, tasks, busy: Arc::default() }
    }

    /// The top of a board, if it can be shown.
    pub(crate) async fn top(&self, game: &GameId, limit: usize) -> Option<Top> {
        if !self.cache.is_available() {
            return None;
        }
        let top = match self.cache.top(game, limit).await {
            Ok(top) => top,
            Err(fault) => {
                note("reading a board", &fault);
                return None;
            }
        };
        let age = top.as_ref().map(|top| self.clock.now().since(top.synced_at));
        if age.is_none_or(|age| age > SYNC_AFTER) {
            self.catch_up(game, top.as_ref().map(|top| top.synced_at));
        }
        top.filter(|_| age.is_some_and(|age| age <= STALE_AFTER))
    }

    /// Puts what changed.
    pub(crate) async fn put(&self, game: &GameId, changed: &[Entry]) {
        if changed.is_empty() || !self.cache.is_available() {
            return;
        }
        if let Err(fault) = self.cache.put(game, changed).await {
            note("putting entries", &fault);
        }
    }

    /// Loads every board of these games anew.
    pub(crate) async fn reload(&self, games: &[GameId]) {
        for game in games {
            if let Err(fault) = self.load(game).await {
                note("loading a board", &fault);
            }
        }
    }

    /// Loads or synchronises a board in the background, unless this process is at it.
    fn catch_up(&self, game: &GameId, synced_at: Option<UnixMs>) {
        if !self.busy.lock().unwrap_or_else(PoisonError::into_inner).insert(game.clone()) {
            return;
        }
        let (boards, game) = (self.clone(), game.clone());
        self.tasks.spawn("leaderboard cache", async move {
            let done = match synced_at {
                Some(synced_at) => boards.synchronise(&game, synced_at).await,
                None => boards.load(&game).await,
            };
            if let Err(fault) = done {
                note("catching up", &fault);
            }
            boards.busy.lock().unwrap_or_else(PoisonError::into_inner).remove(&game);
        });
    }

    async fn load(&self, game: &GameId) -> Result<(), StoreFault> {
        let token = format!("{:032x}", self.ids.random_u128());
        let synced_at = self.clock.now();
        self.cache.begin(game, &token).await?;
        if self.copy(game, UnixMs(0), &token).await? {
            self.cache.finish(game, &token, synced_at).await?;
        }
        Ok(())
    }

    async fn synchronise(&self, game: &GameId, last: UnixMs) -> Result<(), StoreFault> {
        let synced_at = self.clock.now();
        if self.copy(game, last.minus(SYNC_MARGIN), "").await? {
            self.cache.synced(game, synced_at).await?;
        }
        Ok(())
    }

    /// Copies what changed since a moment; false when the board is not there any more.
    async fn copy(&self, game: &GameId, since: UnixMs, token: &str) -> Result<bool, StoreFault> {
        let mut after = None;
        loop {
            let (entries, last) = self.store.touched(game, since, after.as_ref(), COPY_ENTRIES).await?;
            if !entries.is_empty() && !self.cache.load(game, token, &entries).await? {
                return Ok(false);
            }
            if entries.len() < COPY_ENTRIES {
                return Ok(true);
            }
            after = last;
        }
    }
}

/// A fault of the cache is told to nobody but the operator.
fn note(step: &'static str, fault: &StoreFault) {
    tracing::warn!(step, chain = %Chain(fault), "the leaderboard cache is left alone");
}
