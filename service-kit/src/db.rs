//! The database of a service: SQLite in a file or a schema in PostgreSQL, and the one function for writing.
//!
//! Not here: tables and queries; each service's `store/` has them. Connections cannot be borrowed from here to open a
//! transaction by hand: [`Database::write`] is the only way, because a cancelled `begin` would hand the pool a
//! connection with an open transaction.

mod at_once;
mod connect;
mod problem;
mod write;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use sea_orm::{DatabaseConnection, DbBackend, DbErr};
use sea_orm_migration::MigratorTrait;
use tokio_util::task::TaskTracker;

use crate::config::DatabaseArgs;

pub(crate) use problem::may_come;
pub use problem::{DbProblem, classify, constraint};
pub use write::WriteFuture;

/// A cheap handle on the database of one service.
#[derive(Clone, Debug)]
pub struct Database {
    reader: DatabaseConnection,
    writer: DatabaseConnection,
    writes: TaskTracker,
    schema: Arc<str>,
    most: u32,
    waiting: Arc<AtomicU32>,
}

/// How the connections of a database are used at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolUsage {
    /// Open, idle ones included.
    pub open: u32,
    /// Open and not in use.
    pub idle: u32,
    /// That may be open.
    pub most: u32,
    /// Write transactions that wait for one.
    pub waiting: u32,
}

impl Database {
    /// Opens the database that `args` name. In PostgreSQL the service keeps to `schema`, which is created when it is
    /// missing; SQLite has a file of its own for each service and ignores it.
    ///
    /// # Errors
    ///
    /// When the database cannot be reached or opened.
    pub async fn connect(args: &DatabaseArgs, schema: &str) -> Result<Self, DbErr> {
        let (reader, writer) = connect::open(args, schema).await?;
        let (most, waiting) = (connect::most_connections(args), Arc::default());
        Ok(Self { reader, writer, writes: TaskTracker::new(), schema: schema.into(), most, waiting })
    }

    /// The schema of the service: its name in metrics.
    #[must_use]
    pub fn schema(&self) -> &str {
        &self.schema
    }

    /// How its connections are used at this moment.
    #[must_use]
    pub fn usage(&self) -> PoolUsage {
        let (open, idle) = connect::open_and_idle(&self.reader, &self.writer);
        PoolUsage { open, idle, most: self.most, waiting: self.waiting.load(Ordering::Relaxed) }
    }

    /// For reading outside of a transaction. SQLite refuses to write here.
    #[must_use]
    pub fn read(&self) -> &DatabaseConnection {
        &self.reader
    }

    /// Which kind of database it is.
    #[must_use]
    pub fn backend(&self) -> DbBackend {
        self.writer.get_database_backend()
    }

    /// Brings the tables up to date, all in one transaction behind a lock, so that several replicas may start at once.
    ///
    /// # Errors
    ///
    /// When a migration fails; then none of them has happened.
    pub async fn migrate<M: MigratorTrait>(&self) -> Result<(), DbErr> {
        connect::prepare_migrations(&self.writer).await?;
        self.write::<_, (), DbErr>(|tx| {
            Box::pin(async move {
                connect::lock_migrations(tx).await?;
                M::up(tx, None).await
            })
        })
        .await
    }

    /// Whether the database answers.
    ///
    /// # Errors
    ///
    /// When it does not.
    pub async fn ping(&self) -> Result<(), DbErr> {
        self.reader.ping().await
    }

    /// Waits for every write under way, then closes the connections.
    ///
    /// # Errors
    ///
    /// When a connection cannot be closed in order.
    pub async fn close(self) -> Result<(), DbErr> {
        self.writes.close();
        self.writes.wait().await;
        self.reader.close().await?;
        self.writer.close().await
    }
}
