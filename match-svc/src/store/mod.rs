//! The tables of match-svc: the only place that names the database. Domain types in and out; the engine knows them by
//! the trait [`Storage`]. Not here: decisions.

mod beats;
mod challenges;
mod codec;
mod commit;
mod events;
mod keys;
mod lists;
#[cfg(feature = "simulation")]
mod memory;
mod migrations;
mod outbox;
mod participants;
mod pending;
mod requests;
mod retention;
mod sets;
mod sql;
mod storage;
mod suspensions;

use farside_kit::db::{Database, DbProblem, classify};
use farside_kit::operator::OperationFault;
use sea_orm::{DatabaseConnection, DbErr};

use crate::domain::fault::{MatchFault, Refusal};

pub use challenges::{Accepting, Created, NewChallenge};
pub use codec::{FramedLogged, FramedSet, Hydrate};
pub use commit::{Commit, Guard, Prepared, prepare};
pub use keys::StoredKey;
pub use lists::{ChallengeFilter, SetFilter, SetSummary};
#[cfg(feature = "simulation")]
pub use memory::{Gate, MemoryStore};
pub use outbox::{DueErrand, Errand, OutboxItem, SettlementMark};
pub use participants::RecentSets;
pub use pending::{PendingMove, PendingRound, RunningRound};
pub use requests::{FirstAnswer, Request, Seen};
pub use sets::TimedSet;
pub use storage::{SharedStore, Storage};

/// A cheap handle on the tables.
#[derive(Clone, Debug)]
pub struct Store {
    db: Database,
}

impl Store {
    /// Opens the tables in `db`, bringing them up to date.
    ///
    /// # Errors
    ///
    /// When a migration fails.
    pub async fn open(db: Database) -> Result<Self, DbErr> {
        db.migrate::<migrations::Migrator>().await?;
        Ok(Self { db })
    }

    fn reader(&self) -> &DatabaseConnection {
        self.db.read()
    }

    /// The database, for the log of operations.
    #[must_use]
    pub const fn database(&self) -> &Database {
        &self.db
    }

    /// Whether the database answers.
    ///
    /// # Errors
    ///
    /// When it does not.
    pub async fn ping(&self) -> Result<(), MatchFault> {
        Ok(self.db.ping().await?)
    }
}

impl From<DbErr> for MatchFault {
    fn from(error: DbErr) -> Self {
        match classify(&error) {
            DbProblem::Unavailable | DbProblem::SerializationFailure | DbProblem::Deadlock | DbProblem::LockTimeout => {
                Self::Unavailable(Box::new(error))
            }
            _ => Self::Internal(Box::new(error)),
        }
    }
}

impl From<OperationFault> for MatchFault {
    fn from(fault: OperationFault) -> Self {
        match fault {
            OperationFault::Invalid(problem) => Refusal::OperationInvalid(problem).into(),
            OperationFault::IdempotencyMismatch => Refusal::IdempotencyMismatch.into(),
            OperationFault::Storage(error) => error.into(),
        }
    }
}

/// What a write transaction comes to when it is not carried out.
#[derive(Debug, thiserror::Error)]
enum WriteFault {
    #[error("refused")]
    Refused(#[source] Refusal),
    #[error("stored data cannot be read")]
    Codec(#[source] serde_json::Error),
    #[error("database")]
    Db(#[from] DbErr),
}

impl From<WriteFault> for MatchFault {
    fn from(fault: WriteFault) -> Self {
        match fault {
            WriteFault::Refused(refusal) => Self::Refused(refusal),
            WriteFault::Codec(error) => Self::Internal(Box::new(error)),
            WriteFault::Db(error) => error.into(),
        }
    }
}

impl From<serde_json::Error> for WriteFault {
    fn from(error: serde_json::Error) -> Self {
        Self::Codec(error)
    }
}
