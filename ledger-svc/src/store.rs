//! The ledger's tables: the only place that names the database.
//!
//! Not here: rules. What is written was decided in the domain; the constraints and triggers of the tables repeat the
//! domain's invariants, so that a fault of ours is refused and not stored.
//!
//! Locks are taken in one order everywhere: holds by name, then accounts by owner. System accounts are never locked by
//! a posting: their changes are appended to `system_deltas` and folded later.

mod audit;
mod batch;
mod bulk;
mod fault;
mod fold;
mod load;
mod migrations;
mod rows;
mod save;
mod statement;

use farside_kit::db::Database;

pub use batch::Batch;
pub use fault::StoreFault;
pub use statement::{Page, PageFault};

/// The ledger in its database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    db: Database,
}

impl Store {
    /// The schema of the ledger where services share a PostgreSQL database.
    pub const SCHEMA: &'static str = "ledger";

    /// Takes a database into use: its tables are brought up to date.
    ///
    /// # Errors
    ///
    /// When a migration fails.
    pub async fn open(db: Database) -> Result<Self, StoreFault> {
        db.migrate::<migrations::Migrator>().await?;
        Ok(Self { db })
    }

    /// The database, for the end of the process.
    #[must_use]
    pub const fn database(&self) -> &Database {
        &self.db
    }
}
