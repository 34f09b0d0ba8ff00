//! The only place that names sea-orm and redis: domain types in and out.

mod cache;
mod entities;
mod fault;
mod history;
mod json;
mod log;
mod migrations;
mod practice;
mod rebuild;
mod record;
mod refold;
mod standings;
mod stored;

use std::collections::BTreeSet;
use std::sync::Arc;

use farside_kit::db::Database;
use farside_kit::operator::{Operation, OperatorLog};
use farside_kit::time::{SharedClock, UnixMs};

use crate::domain::board::{Entry, Place};
use crate::domain::ids::{GameId, ParticipantId};
use crate::domain::set::{FinishedSet, SetOrder};
use crate::domain::standing::Standing;

use log::PracticeKey;
use rebuild::Job;
use record::AttemptFault;

pub use cache::{BoardCache, Top};
pub use fault::StoreFault;
pub use history::HistoryPoint;
pub use practice::PracticeStatistics;
pub use rebuild::Rebuilt;
pub use record::{How, Recorded};
pub use standings::Touched;

/// The log of sets and everything that follows from it.
#[derive(Clone, Debug)]
pub struct Store {
    db: Database,
    clock: SharedClock,
}

impl Store {
    /// Brings the tables of `db` up to date.
    ///
    /// # Errors
    /// When a migration fails.
    pub async fn open(db: Database, clock: SharedClock) -> Result<Self, StoreFault> {
        db.migrate::<migrations::Migrations>().await?;
        Ok(Self { db, clock })
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), StoreFault> {
        Ok(self.db.ping().await?)
    }

    /// Records a set, exactly once.
    ///
    /// # Errors
    /// [`crate::domain::error::Refusal::IdempotencyMismatch`] when it was recorded with other content; faults of the database.
    pub async fn record(&self, set: FinishedSet) -> Result<Recorded, StoreFault> {
        let mut known = BTreeSet::new();
        loop {
            match self.attempt(set.clone(), known).await {
                Ok(recorded) => return Ok(recorded),
                Err(AttemptFault::Widen(wider)) => known = wider,
                Err(AttemptFault::Store(fault)) => return Err(fault),
            }
        }
    }

    async fn attempt(&self, set: FinishedSet, known: BTreeSet<ParticipantId>) -> Result<Recorded, AttemptFault> {
        let clock = self.clock.clone();
        self.db
            .write(move |tx| {
                let (set, known, clock) = (set.clone(), known.clone(), clock.clone());
                Box::pin(async move { record::attempt(tx, &set, &known, &clock).await })
            })
            .await
    }

    /// Where a participant stands in each game, by game.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn standings(&self, participant: &str) -> Result<Vec<(GameId, Standing)>, StoreFault> {
        standings::of_participant(self.db.read(), participant).await
    }

    /// The entries of a game's board after a place, best first.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn board(&self, game: &GameId, after: Option<&Place>, limit: usize) -> Result<Vec<Entry>, StoreFault> {
        standings::board(self.db.read(), game, after, limit).await
    }

    /// Entries of a board that changed at or after `since`, in a fixed order, after where the last call ended; and where this
    /// one ended.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn touched(
        &self,
        game: &GameId,
        since: UnixMs,
        after: Option<&Touched>,
        limit: usize,
    ) -> Result<(Vec<Entry>, Option<Touched>), StoreFault> {
        let limit = u64::try_from(limit).unwrap_or(u64::MAX);
        standings::touched(self.db.read(), game, since, after, limit).await
    }

    /// A participant's ratings before a place, newest first.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn history(
        &self,
        participant: &str,
        game: &str,
        before: Option<&SetOrder>,
        limit: usize,
    ) -> Result<Vec<HistoryPoint>, StoreFault> {
        let limit = u64::try_from(limit).unwrap_or(u64::MAX);
        history::page(self.db.read(), game, participant, before, limit).await
    }

    /// A person's practice statistics, by game, board and level.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn practice(&self, player: &str) -> Result<Vec<PracticeStatistics>, StoreFault> {
        practice::of_player(self.db.read(), player).await
    }

    /// Every game of which there are sets.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn games(&self) -> Result<Vec<GameId>, StoreFault> {
        log::games(self.db.read()).await
    }

    /// Makes everything anew from the log of sets, game by game, and corrects what differs. Each game is written down in
    /// the log of operations in its own transaction, so that a rebuild that was cut off goes on where it was, and one that
    /// was carried out is not carried out again under the same key.
    ///
    /// # Errors
    /// What is wrong with the operation; faults of the database: what was done before stays done.
    pub async fn rebuild(&self, log: &OperatorLog, operation: Operation) -> Result<Rebuilt, StoreFault> {
        let seen = log.seen(&operation).await?;
        if let Some(detail) = seen.whole() {
            return rebuild::read(detail);
        }
        let job = Job { log: log.clone(), operation: Arc::new(operation) };
        let mut rebuilt = Rebuilt::default();
        for game in self.games().await? {
            rebuilt = rebuilt.and(match seen.step(&rebuild::game_step(&game)) {
                Some(detail) => rebuild::read(detail)?,
                None => self.rebuild_game(&job, game).await?,
            });
        }
        for key in log::practices(self.db.read()).await? {
            rebuilt = rebuilt.and(match seen.step(&rebuild::practice_step(&key)) {
                Some(detail) => rebuild::read(detail)?,
                None => self.rebuild_practice(&job, key).await?,
            });
        }
        let whole = self.db.write(move |tx| {
            let job = job.clone();
            Box::pin(async move { job.done(tx, "", rebuilt).await })
        });
        whole.await
    }

    async fn rebuild_game(&self, job: &Job, game: GameId) -> Result<Rebuilt, StoreFault> {
        let (clock, job) = (self.clock.clone(), job.clone());
        self.db
            .write(move |tx| {
                let (game, clock, job) = (game.clone(), clock.clone(), job.clone());
                Box::pin(async move {
                    let rebuilt = rebuild::game(tx, &game, &clock).await?;
                    job.done(tx, &rebuild::game_step(&game), rebuilt).await
                })
            })
            .await
    }

    /// Only a practice that was wrong is written down: there is one for each person, board and level.
    async fn rebuild_practice(&self, job: &Job, key: PracticeKey) -> Result<Rebuilt, StoreFault> {
        let job = job.clone();
        self.db
            .write(move |tx| {
                let (key, job) = (key.clone(), job.clone());
                Box::pin(async move {
                    match rebuild::practice(tx, &key).await? {
                        rebuilt if rebuilt.corrected == 0 => Ok(rebuilt),
                        rebuilt => job.done(tx, &rebuild::practice_step(&key), rebuilt).await,
                    }
                })
            })
            .await
    }
}
