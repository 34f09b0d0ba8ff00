//! Opens the pools: for SQLite one connection that writes and several that read, for PostgreSQL one pool in a schema.
//!
//! Not here: transactions.

use std::sync::{Arc, Once};
use std::time::Duration;

use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};
use sea_orm::{
    ConnectOptions, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, RuntimeErr, SqlxError,
};

use super::at_once::send_at_once;
use super::problem::{DbProblem, classify};
use crate::config::DatabaseArgs;

/// How long a connection of the pool is waited for.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long SQLite waits for another process that writes to the same file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Pages that SQLite keeps in memory for each connection, in KiB (negative by SQLite's convention).
const SQLITE_CACHE_KIB: &str = "-8192";

/// The pool to read from and the pool to write to.
pub(super) async fn open(args: &DatabaseArgs, schema: &str) -> Result<(DatabaseConnection, DatabaseConnection), DbErr> {
    if args.is_sqlite() {
        open_sqlite(args).await
    } else {
        let pool = open_postgres(args, schema).await?;
        Ok((pool.clone(), pool))
    }
}

fn options(url: &str, connections: u32) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .connect_timeout(CONNECT_TIMEOUT)
        .sqlx_logging(false)
        .test_before_acquire(false);
    options
}

/// Readers of one SQLite file at most: more would wait for the same pages.
const SQLITE_READERS_MAX: u32 = 8;

/// How many connections there may be: SQLite has one that writes beside those that read.
pub(super) fn most_connections(args: &DatabaseArgs) -> u32 {
    if args.is_sqlite() { args.database_pool_size.min(SQLITE_READERS_MAX) + 1 } else { args.database_pool_size }
}

/// How many connections are open, and how many of those idle. PostgreSQL has one pool for reading and writing.
pub(super) fn open_and_idle(reader: &DatabaseConnection, writer: &DatabaseConnection) -> (u32, u32) {
    let idle = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    if writer.get_database_backend() == DbBackend::Postgres {
        let pool = writer.get_postgres_connection_pool();
        return (pool.size(), idle(pool.num_idle()));
    }
    let pools = [reader, writer].map(DatabaseConnection::get_sqlite_connection_pool);
    (pools.iter().map(|pool| pool.size()).sum(), pools.iter().map(|pool| idle(pool.num_idle())).sum())
}

async fn open_sqlite(args: &DatabaseArgs) -> Result<(DatabaseConnection, DatabaseConnection), DbErr> {
    let url = args.database_url.reveal();
    let mut writer = options(url, 1);
    writer.min_connections(1).idle_timeout(None).max_lifetime(None);
    writer.map_sqlx_sqlite_opts(|sqlite| {
        sqlite
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT)
            .pragma("cache_size", SQLITE_CACHE_KIB)
    });
    let mut reader = options(url, args.database_pool_size.min(SQLITE_READERS_MAX));
    reader.min_connections(1).idle_timeout(None).max_lifetime(None);
    reader.map_sqlx_sqlite_opts(|sqlite| {
        sqlite
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT)
            .pragma("cache_size", SQLITE_CACHE_KIB)
            .pragma("query_only", "on")
    });
    // In this order: the writer makes the file.
    let writer = sea_orm::Database::connect(writer).await?;
    let reader = sea_orm::Database::connect(reader).await?;
    Ok((reader, writer))
}

/// READ COMMITTED and the schema are set once for each connection, not with each transaction. Statements are planned each
/// time: a plan that was made while a table was empty would go on reading it from end to end while it grows.
async fn open_postgres(args: &DatabaseArgs, schema: &str) -> Result<DatabaseConnection, DbErr> {
    check_schema_name(schema)?;
    create_schema(args, schema).await?;
    let url = args.database_url.reveal();
    let port = port(url).map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(Arc::new(error))))?;
    let mut options = options(url, args.database_pool_size);
    options.test_before_acquire_if_idle_for(Duration::from_secs(5));
    let schema = schema.to_owned();
    options.map_sqlx_postgres_opts(move |postgres| {
        postgres
            .options([
                ("search_path", schema.as_str()),
                ("default_transaction_isolation", "read committed"),
                ("plan_cache_mode", "force_custom_plan"),
            ])
            .application_name(&format!("farside-{schema}"))
    });
    let said = Arc::new(Once::new());
    options.map_sqlx_postgres_pool_opts(move |pool| {
        let said = Arc::clone(&said);
        pool.after_connect(move |_, _| Box::pin(connected(port, Arc::clone(&said))))
    });
    sea_orm::Database::connect(options).await
}

/// The port in a URL, or the one that PostgreSQL's environment variables name.
fn port(url: &str) -> Result<u16, SqlxError> {
    Ok(url.parse::<PgConnectOptions>()?.get_port())
}

/// Where the system does not allow it, that is said once: it is the same for every connection.
async fn connected(port: u16, said: Arc<Once>) -> Result<(), SqlxError> {
    if let Ok(Err(error)) = tokio::task::spawn_blocking(move || send_at_once(port)).await {
        said.call_once(|| tracing::info!(%error, "statements to the database may be held back by the system"));
    }
    Ok(())
}

/// The name becomes part of a statement, so it is a plain word.
fn check_schema_name(schema: &str) -> Result<(), DbErr> {
    let is_plain = !schema.is_empty()
        && schema.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if is_plain { Ok(()) } else { Err(DbErr::Custom(format!("{schema} is no name for a schema"))) }
}

/// Two processes that create it at once may both be told that it is missing; the slower one finds it then.
async fn create_schema(args: &DatabaseArgs, schema: &str) -> Result<(), DbErr> {
    let admin = sea_orm::Database::connect(options(args.database_url.reveal(), 1)).await?;
    let created = admin.execute_unprepared(&format!("CREATE SCHEMA IF NOT EXISTS {schema}")).await;
    let outcome = match created {
        Err(error) if classify(&error) != DbProblem::UniqueViolation => Err(error),
        _ => Ok(()),
    };
    admin.close().await?;
    outcome
}

/// Makes the row that migrations lock. Processes that make it at once are told of each other by a violation; the one
/// that made it has committed by then.
pub(super) async fn prepare_migrations(writer: &DatabaseConnection) -> Result<(), DbErr> {
    if writer.get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    let made = writer.execute_unprepared("CREATE TABLE IF NOT EXISTS migration_lock (id INT PRIMARY KEY)").await;
    match made {
        Err(error) if classify(&error) != DbProblem::UniqueViolation => Err(error),
        _ => Ok(()),
    }
}

/// Holds the lock of migrations until the transaction ends: a row's lock on PostgreSQL (advisory locks are not known
/// to every database that speaks its language); on SQLite the transaction itself is one.
pub(super) async fn lock_migrations(tx: &DatabaseTransaction) -> Result<(), DbErr> {
    if tx.get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    tx.execute_unprepared("INSERT INTO migration_lock (id) VALUES (1) ON CONFLICT DO NOTHING").await?;
    tx.execute_unprepared("SELECT id FROM migration_lock WHERE id = 1 FOR UPDATE").await.map(drop)
}
