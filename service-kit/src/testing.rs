//! Databases and Redis for tests: real ones, each test with its own, gone when the test is.
//!
//! Not here: stand-ins. Built only with the feature `testing`.

pub mod conflicts;

use std::sync::atomic::{AtomicU64, Ordering};

use sea_orm::ConnectionTrait as _;
use tempfile::TempDir;

use crate::config::DatabaseArgs;

const POSTGRES: &str = "FARSIDE_TEST_POSTGRES_URL";
const REDIS: &str = "FARSIDE_TEST_REDIS_URL";

/// The address of a Redis for tests.
///
/// # Panics
///
/// When the environment names none; `cargo xtask test` always does.
#[must_use]
pub fn redis_url() -> String {
    required(REDIS)
}

fn required(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| {
        panic!("{name} is not set: run `cargo xtask test`, which starts what tests need and sets it")
    })
}

/// A word that no other test uses: for names of databases, and prefixes in Redis.
#[must_use]
pub fn unique_name() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let bytes = crate::ids::random_bytes::<6>(&crate::ids::SystemIds);
    let random = bytes.iter().fold(0_u64, |sum, byte| (sum << 8) | u64::from(*byte));
    format!("farside_test_{random:012x}_{}", COUNTER.fetch_add(1, Ordering::Relaxed))
}

/// An empty database of one test.
#[derive(Debug)]
pub struct TestDatabase {
    args: DatabaseArgs,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Directory { _keep: TempDir },
    Server { admin_url: String, name: String },
}

impl TestDatabase {
    /// A new SQLite file.
    ///
    /// # Panics
    ///
    /// When no directory can be made for it.
    #[must_use]
    pub fn sqlite() -> Self {
        let directory = tempfile::tempdir().expect("a test needs a directory of its own");
        let args = DatabaseArgs::new(format!("sqlite://{}", directory.path().join("test.db").display()));
        Self { args, place: Place::Directory { _keep: directory } }
    }

    /// A new database in the PostgreSQL of the tests.
    ///
    /// # Panics
    ///
    /// When the environment names no PostgreSQL, or it does not let one create a database.
    pub async fn postgres() -> Self {
        let admin_url = required(POSTGRES);
        let name = unique_name();
        execute(&admin_url, &format!("CREATE DATABASE {name}")).await;
        let (server, _) = admin_url.rsplit_once('/').expect("the address of a PostgreSQL ends in a database's name");
        let args = DatabaseArgs::new(format!("{server}/{name}"));
        Self { args, place: Place::Server { admin_url, name } }
    }

    /// Its settings.
    #[must_use]
    pub fn args(&self) -> &DatabaseArgs {
        &self.args
    }

    /// Opens it.
    ///
    /// # Panics
    ///
    /// When it cannot be opened.
    pub async fn connect(&self, schema: &str) -> crate::db::Database {
        crate::db::Database::connect(&self.args, schema).await.expect("a test's database opens")
    }
}

async fn execute(url: &str, statement: &str) {
    let connection = sea_orm::Database::connect(url).await.expect("the PostgreSQL of the tests answers");
    connection.execute_unprepared(statement).await.expect("the PostgreSQL of the tests creates and drops databases");
    connection.close().await.expect("a connection closes");
}

impl Drop for TestDatabase {
    /// On a thread of its own, since the test's runtime may be going away.
    fn drop(&mut self) {
        let Place::Server { admin_url, name } = &self.place else { return };
        let (url, statement) = (admin_url.clone(), format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a test may start a runtime").block_on(execute(&url, &statement));
        });
        // A database that stays behind harms nobody, and the test's own failure must not be hidden.
        let _ = dropped.join();
    }
}
