//! Where players, bots, keys and first answers are kept: SQLite or PostgreSQL through the kit's database.
//!
//! The only place in the gateway that names sea-orm or redis. Domain types go in and out; every write is one transaction in the
//! kit's uncancellable write.

mod answers;
pub mod bots;
mod convert;
mod entity;
mod fault;
mod keys;
mod migration;
mod players;
mod replay;
mod sessions;
mod shared_limits;

use farside_kit::db::Database;

pub use answers::Answer;
pub use fault::StoreFault;
pub use replay::{Created, Replay};
pub use shared_limits::SharedLimits;

/// The gateway's store.
#[derive(Clone, Debug)]
pub struct Store {
    db: Database,
}

impl Store {
    /// Opens the store and brings its tables up to date.
    ///
    /// # Errors
    ///
    /// When the database cannot be reached or migrated.
    pub async fn open(db: Database) -> Result<Self, StoreFault> {
        db.migrate::<migration::Migrator>().await?;
        Ok(Self { db })
    }

    /// Whether the database answers.
    ///
    /// # Errors
    ///
    /// When it does not.
    pub async fn ping(&self) -> Result<(), StoreFault> {
        self.db.read().ping().await.map_err(StoreFault::from)
    }
}
