//! The one function for every write transaction.
//!
//! Not here: what is written. The transaction runs in a task of its own: a client that goes away drops the handler that
//! waits for it, but neither the `BEGIN` nor the `COMMIT`.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use sea_orm::{
    DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, SqliteTransactionMode, TransactionOptions,
    TransactionTrait,
};
use tracing::Instrument as _;

use super::Database;
use super::problem::{DbProblem, classify, within};

/// Attempts before a transaction that keeps losing to others is given up.
const ATTEMPTS: u32 = 8;
/// The pause before the second attempt; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(2);

/// What a write transaction does, as a boxed future that may borrow the transaction.
pub type WriteFuture<'a, T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 'a>>;

impl Database {
    /// Carries out `work` in one transaction and commits it; rolls it back when `work` fails. Once begun it goes on even
    /// when the caller goes away, and an answer means that it is durable. `work` is done again from the start when the
    /// database says that it lost to another transaction, so it must have no effects outside of the transaction.
    ///
    /// # Errors
    ///
    /// Those of `work`, and those of the database when it could not begin or commit.
    pub async fn write<F, T, E>(&self, work: F) -> Result<T, E>
    where
        F: for<'a> Fn(&'a DatabaseTransaction) -> WriteFuture<'a, T, E> + Send + Sync + 'static,
        T: Send + 'static,
        E: Error + From<DbErr> + Send + 'static,
    {
        let (writer, waiting) = (self.writer.clone(), Arc::clone(&self.waiting));
        let span =
            tracing::info_span!(target: "farside::db", "db.write", otel.kind = "client", db.system = system(&writer));
        let task =
            self.writes.spawn(async move { attempt_until_done(&writer, &waiting, &work).await }.instrument(span));
        match task.await {
            Ok(outcome) => outcome,
            Err(panic) => Err(E::from(DbErr::Custom(format!("a write transaction panicked: {panic}")))),
        }
    }
}

fn system(connection: &DatabaseConnection) -> &'static str {
    match connection.get_database_backend() {
        DbBackend::Postgres => "postgresql",
        _ => "sqlite",
    }
}

async fn attempt_until_done<F, T, E>(writer: &DatabaseConnection, waiting: &AtomicU32, work: &F) -> Result<T, E>
where
    F: for<'a> Fn(&'a DatabaseTransaction) -> WriteFuture<'a, T, E>,
    E: Error + From<DbErr> + 'static,
{
    let mut pause = FIRST_PAUSE;
    for attempt in 1.. {
        let error = match attempt_once(writer, waiting, work).await {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        let problem = within(&error).map_or(DbProblem::Other, classify);
        if attempt >= ATTEMPTS || !problem.is_transient() {
            return Err(error);
        }
        tracing::debug!(attempt, ?problem, "write transaction is tried again");
        tokio::time::sleep(pause).await;
        pause *= 2;
    }
    unreachable!("the last attempt returns")
}

async fn attempt_once<F, T, E>(writer: &DatabaseConnection, waiting: &AtomicU32, work: &F) -> Result<T, E>
where
    F: for<'a> Fn(&'a DatabaseTransaction) -> WriteFuture<'a, T, E>,
    E: Error + From<DbErr> + 'static,
{
    waiting.fetch_add(1, Ordering::Relaxed);
    let begun = writer.begin_with_options(begin_options(writer)).await;
    waiting.fetch_sub(1, Ordering::Relaxed);
    let tx = begun?;
    match work(&tx).await {
        Ok(value) => {
            tx.commit().await?;
            Ok(value)
        }
        Err(error) => {
            // A connection that cannot roll back is closed with its transaction; the first error is the one to tell.
            if let Err(rollback) = tx.rollback().await {
                tracing::debug!(error = %rollback, "rollback failed");
            }
            Err(error)
        }
    }
}

/// SQLite takes its write lock with BEGIN: a transaction that begins by reading would be refused it at once later.
/// PostgreSQL's connections are opened with READ COMMITTED.
fn begin_options(writer: &DatabaseConnection) -> TransactionOptions {
    let is_sqlite = writer.get_database_backend() == DbBackend::Sqlite;
    TransactionOptions {
        sqlite_transaction_mode: is_sqlite.then_some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    }
}
