//! Write transactions on SQLite and PostgreSQL: callers that go away, writers that race, faults that roll back.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Arc;

use farside_kit::db::{Database, DbProblem, classify};
use farside_kit::testing::TestDatabase;
use futures::future::join_all;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};
use sea_orm_migration::prelude::*;
use tokio::sync::oneshot;

struct Migrator;

#[sea_orm_migration::async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Tables)]
    }
}

struct Tables;

impl MigrationName for Tables {
    fn name(&self) -> &'static str {
        "m0001_tables"
    }
}

#[sea_orm_migration::async_trait::async_trait]
#[expect(elided_lifetimes_in_paths, reason = "the macro of the trait wants it spelled as there")]
impl MigrationTrait for Tables {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        connection.execute_unprepared("CREATE TABLE notes (id INTEGER PRIMARY KEY)").await?;
        connection.execute_unprepared("CREATE TABLE totals (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL CHECK (amount < 1000000))").await?;
        connection.execute_unprepared("INSERT INTO totals (id, amount) VALUES (1, 0), (2, 0)").await?;
        connection.execute_unprepared("CREATE TABLE children (id INTEGER PRIMARY KEY, note INTEGER NOT NULL REFERENCES notes (id))").await.map(drop)
    }
}

async fn migrated(test: &TestDatabase) -> Database {
    let db = test.connect("kit").await;
    db.migrate::<Migrator>().await.unwrap();
    db
}

async fn run(db: &Database, sql: impl Into<String>) -> Result<(), DbErr> {
    let sql = sql.into();
    db.write(move |tx| {
        let sql = sql.clone();
        Box::pin(async move { tx.execute_unprepared(&sql).await.map(drop) })
    })
    .await
}

async fn numbers(db: &Database, sql: &str) -> Vec<i32> {
    let rows = db.read().query_all_raw(Statement::from_string(db.backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

/// Callers give up at every moment of a write; whoever got an answer finds its row.
async fn cancelled_callers_lose_nothing(db: Database, callers: i32) {
    let acknowledged = Arc::new(std::sync::Mutex::new(BTreeSet::new()));
    let mut tasks = Vec::new();
    for id in 1..=callers {
        let (db, acknowledged) = (db.clone(), Arc::clone(&acknowledged));
        let caller = tokio::spawn(async move {
            if run(&db, format!("INSERT INTO notes (id) VALUES ({id})")).await.is_ok() {
                acknowledged.lock().unwrap().insert(id);
            }
        });
        // Lets the write get somewhere else each time before the caller goes.
        for _ in 0..id % 23 {
            tokio::task::yield_now().await;
        }
        if id % 4 != 0 {
            caller.abort();
        }
        tasks.push(caller);
    }
    join_all(tasks).await;
    // Every connection is borrowed once more: none may hold an open transaction that would swallow this.
    let fillers = (1..=64).map(|nth| run(&db, format!("INSERT INTO notes (id) VALUES ({})", callers + nth)));
    assert!(join_all(fillers).await.iter().all(Result::is_ok));
    let rows: BTreeSet<i32> = numbers(&db, "SELECT id FROM notes").await.into_iter().collect();
    let acknowledged = acknowledged.lock().unwrap().clone();
    assert!(acknowledged.len() >= callers as usize / 4, "{}", acknowledged.len());
    assert!(acknowledged.is_subset(&rows));
    assert!((callers + 1..=callers + 64).all(|id| rows.contains(&id)));
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_cancelled_by_the_thousand_lose_nothing_on_sqlite() {
    let test = TestDatabase::sqlite();
    cancelled_callers_lose_nothing(migrated(&test).await, 2_000).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_cancelled_by_the_thousand_lose_nothing_on_postgres() {
    let test = TestDatabase::postgres().await;
    let db = migrated(&test).await;
    cancelled_callers_lose_nothing(db.clone(), 4_000).await;
    let idle = "SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
    assert_eq!(numbers(&db, idle).await, [0]);
}

#[tokio::test]
async fn a_write_goes_on_after_its_caller_is_gone() {
    let test = TestDatabase::sqlite();
    let db = migrated(&test).await;
    let (go, begun) = (Arc::new(tokio::sync::Notify::new()), oneshot::channel());
    let (gate, begun_sender) = (Arc::clone(&go), Arc::new(std::sync::Mutex::new(Some(begun.0))));
    let writing = db.clone();
    let caller = tokio::spawn(async move {
        let outcome: Result<(), DbErr> = writing
            .write(move |tx| {
                let (gate, begun) = (Arc::clone(&gate), begun_sender.lock().unwrap().take().unwrap());
                Box::pin(async move {
                    tx.execute_unprepared("INSERT INTO notes (id) VALUES (1)").await?;
                    begun.send(()).unwrap();
                    gate.notified().await;
                    Ok(())
                })
            })
            .await;
        outcome
    });
    begun.1.await.unwrap();
    caller.abort();
    assert!(caller.await.unwrap_err().is_cancelled());
    go.notify_one();
    db.close().await.unwrap();
    assert_eq!(numbers(&test.connect("kit").await, "SELECT id FROM notes").await, [1]);
}

#[tokio::test]
async fn a_failed_write_leaves_nothing_behind() {
    for test in [TestDatabase::sqlite(), TestDatabase::postgres().await] {
        let db = migrated(&test).await;
        let outcome: Result<(), DbErr> = db
            .write(|tx| {
                Box::pin(async move {
                    tx.execute_unprepared("INSERT INTO notes (id) VALUES (1)").await?;
                    Err(DbErr::Custom("changed my mind".to_owned()))
                })
            })
            .await;
        assert!(outcome.is_err());
        assert!(numbers(&db, "SELECT id FROM notes").await.is_empty());
    }
}

#[tokio::test]
async fn a_panic_in_a_write_is_an_error_and_leaves_nothing_behind() {
    for test in [TestDatabase::sqlite(), TestDatabase::postgres().await] {
        let db = migrated(&test).await;
        let outcome: Result<(), DbErr> = db
            .write(|tx| {
                Box::pin(async move {
                    tx.execute_unprepared("INSERT INTO notes (id) VALUES (1)").await?;
                    panic!("broken on purpose")
                })
            })
            .await;
        assert!(outcome.is_err());
        run(&db, "INSERT INTO notes (id) VALUES (2)").await.unwrap();
        assert_eq!(numbers(&db, "SELECT id FROM notes").await, [2]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn transactions_that_deadlock_are_tried_again() {
    let test = TestDatabase::postgres().await;
    let db = migrated(&test).await;
    let attempts = Arc::new(AtomicU32::new(0));
    let both_have_begun = Arc::new(tokio::sync::Barrier::new(2));
    let crossing = |first: i32, second: i32| {
        let (db, attempts, barrier) = (db.clone(), Arc::clone(&attempts), Arc::clone(&both_have_begun));
        tokio::spawn(async move {
            db.write::<_, (), DbErr>(move |tx| {
                let (barrier, attempt) = (Arc::clone(&barrier), attempts.fetch_add(1, Ordering::SeqCst));
                Box::pin(async move {
                    tx.execute_unprepared(&format!("UPDATE totals SET amount = amount + 1 WHERE id = {first}")).await?;
                    if attempt < 2 {
                        barrier.wait().await;
                    }
                    tx.execute_unprepared(&format!("UPDATE totals SET amount = amount + 1 WHERE id = {second}")).await.map(drop)
                })
            })
            .await
        })
    };
    let (one, other) = (crossing(1, 2), crossing(2, 1));
    one.await.unwrap().unwrap();
    other.await.unwrap().unwrap();
    assert_eq!(attempts.load(Ordering::SeqCst), 3, "one of the two had to begin again");
    assert_eq!(numbers(&db, "SELECT amount FROM totals ORDER BY id").await, [2, 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_update_is_lost_between_writers_on_sqlite() {
    let test = TestDatabase::sqlite();
    let db = migrated(&test).await;
    let read_then_write = || {
        db.write::<_, (), DbErr>(|tx| {
            Box::pin(async move {
                let row = tx.query_one_raw(Statement::from_string(DbBackend::Sqlite, "SELECT amount FROM totals WHERE id = 1")).await?;
                let amount: i32 = row.unwrap().try_get_by_index(0)?;
                tx.execute_unprepared(&format!("UPDATE totals SET amount = {} WHERE id = 1", amount + 1)).await.map(drop)
            })
        })
    };
    assert!(join_all((0..100).map(|_| read_then_write())).await.iter().all(Result::is_ok));
    assert_eq!(numbers(&db, "SELECT amount FROM totals WHERE id = 1").await, [100]);
}

#[tokio::test]
async fn violations_are_told_apart_on_both_databases() {
    for test in [TestDatabase::sqlite(), TestDatabase::postgres().await] {
        let db = migrated(&test).await;
        for (sql, problem) in [
            ("INSERT INTO totals (id, amount) VALUES (1, 0)", DbProblem::UniqueViolation),
            ("INSERT INTO children (id, note) VALUES (1, 99)", DbProblem::ForeignKeyViolation),
            ("UPDATE totals SET amount = 1000000", DbProblem::CheckViolation),
            ("INSERT INTO nowhere (id) VALUES (1)", DbProblem::Other),
        ] {
            assert_eq!(classify(&run(&db, sql).await.unwrap_err()), problem, "{sql} on {:?}", db.backend());
        }
    }
}

#[tokio::test]
async fn replicas_may_migrate_at_once() {
    let test = TestDatabase::postgres().await;
    let replicas = join_all((0..4).map(|_| test.connect("kit"))).await;
    let outcomes = join_all(replicas.iter().map(Database::migrate::<Migrator>)).await;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert_eq!(numbers(&replicas[0], "SELECT id FROM totals ORDER BY id").await, [1, 2]);
}

#[tokio::test]
async fn services_in_one_postgres_keep_to_their_schemas() {
    let test = TestDatabase::postgres().await;
    let (one, other) = (test.connect("one").await, test.connect("other").await);
    one.migrate::<Migrator>().await.unwrap();
    other.migrate::<Migrator>().await.unwrap();
    run(&one, "INSERT INTO notes (id) VALUES (1)").await.unwrap();
    assert!(numbers(&other, "SELECT id FROM notes").await.is_empty());
    assert!(farside_kit::db::Database::connect(test.args(), "no\"name").await.is_err());
}

#[tokio::test]
async fn readers_of_sqlite_cannot_write() {
    let test = TestDatabase::sqlite();
    let db = migrated(&test).await;
    assert!(db.read().execute_unprepared("INSERT INTO notes (id) VALUES (1)").await.is_err());
    let pragma = |name: &str| Statement::from_string(DbBackend::Sqlite, format!("PRAGMA {name}"));
    let mode: String = db.read().query_one_raw(pragma("journal_mode")).await.unwrap().unwrap().try_get_by_index(0).unwrap();
    assert_eq!(mode, "wal");
    let synchronous: i32 = db
        .write::<_, i32, DbErr>(move |tx| {
            let statement = pragma("synchronous");
            Box::pin(async move { tx.query_one_raw(statement).await?.unwrap().try_get_by_index(0) })
        })
        .await
        .unwrap();
    assert_eq!(synchronous, 2, "FULL");
}
