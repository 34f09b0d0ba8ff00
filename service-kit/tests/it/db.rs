//! Write transactions on SQLite and PostgreSQL: callers that go away, writers that race, faults that roll back.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll};

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
        connection
            .execute_unprepared(
                "CREATE TABLE totals (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL CHECK (amount < 1000000))",
            )
            .await?;
        connection.execute_unprepared("INSERT INTO totals (id, amount) VALUES (1, 0), (2, 0)").await?;
        connection
            .execute_unprepared(
                "CREATE TABLE children (id INTEGER PRIMARY KEY, note INTEGER NOT NULL REFERENCES notes (id))",
            )
            .await
            .map(drop)
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

/// A caller that gives up after it has looked for its answer so many times: that is at every point at which it waits.
struct Impatient<F> {
    call: Pin<Box<F>>,
    looks_left: i32,
}

impl<F: Future> Future for Impatient<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if self.looks_left == 0 {
            return Poll::Ready(None);
        }
        self.looks_left -= 1;
        match self.call.as_mut().poll(cx) {
            Poll::Ready(answer) => Poll::Ready(Some(answer)),
            Poll::Pending if self.looks_left == 0 => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    }
}

/// Callers give up at every moment of a write, and connections are used again at once; whoever got an answer finds its
/// row. On PostgreSQL a bystander writes without a transaction in between: when `Database::write` does not run in a task
/// of its own, a cancelled BEGIN leaves the bystander a connection with an open transaction, and its row is lost.
async fn cancelled_callers_lose_nothing(test: &TestDatabase) {
    let db = &migrated(test).await;
    const LANES: i32 = 32;
    const CALLERS: i32 = 250;
    let lane = |lane: i32| {
        let db = db.clone();
        tokio::spawn(async move {
            let mut acknowledged = Vec::new();
            for id in (0..CALLERS).map(|nth| nth * LANES + lane) {
                let call = Box::pin(run(&db, format!("INSERT INTO notes (id) VALUES ({id})")));
                let looks_left = if id % 5 == 0 { i32::MAX } else { id % 11 };
                if let Some(Ok(())) = (Impatient { call, looks_left }).await {
                    acknowledged.push(id);
                }
                if db.backend() == DbBackend::Postgres {
                    let bystander = id + LANES * CALLERS;
                    db.read()
                        .execute_unprepared(&format!("INSERT INTO notes (id) VALUES ({bystander})"))
                        .await
                        .unwrap();
                    acknowledged.push(bystander);
                }
            }
            acknowledged
        })
    };
    let acknowledged: BTreeSet<i32> =
        join_all((0..LANES).map(lane)).await.into_iter().flat_map(Result::unwrap).collect();
    let elsewhere = test.connect("kit").await;
    let rows: BTreeSet<i32> = numbers(&elsewhere, "SELECT id FROM notes").await.into_iter().collect();
    assert!(acknowledged.len() as i32 >= LANES * CALLERS / 5);
    assert_eq!(acknowledged.difference(&rows).count(), 0, "acknowledged and lost");
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_cancelled_by_the_thousand_lose_nothing_on_sqlite() {
    let test = TestDatabase::sqlite();
    cancelled_callers_lose_nothing(&test).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_cancelled_by_the_thousand_lose_nothing_on_postgres() {
    let test = TestDatabase::postgres().await;
    cancelled_callers_lose_nothing(&test).await;
    let db = test.connect("kit").await;
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
                    tx.execute_unprepared(&format!("UPDATE totals SET amount = amount + 1 WHERE id = {second}"))
                        .await
                        .map(drop)
                })
            })
            .await
        })
    };
    let (one, other) = (crossing(1, 2), crossing(2, 1));
    one.await.unwrap().unwrap();
    other.await.unwrap().unwrap();
    assert!(attempts.load(Ordering::SeqCst) > 2, "one of the two had to begin again");
    assert_eq!(numbers(&db, "SELECT amount FROM totals ORDER BY id").await, [2, 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_update_is_lost_between_writers_on_sqlite() {
    let test = TestDatabase::sqlite();
    let db = migrated(&test).await;
    let read_then_write = || {
        db.write::<_, (), DbErr>(|tx| {
            Box::pin(async move {
                let row = tx
                    .query_one_raw(Statement::from_string(DbBackend::Sqlite, "SELECT amount FROM totals WHERE id = 1"))
                    .await?;
                let amount: i32 = row.unwrap().try_get_by_index(0)?;
                tx.execute_unprepared(&format!("UPDATE totals SET amount = {} WHERE id = 1", amount + 1))
                    .await
                    .map(drop)
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
    let mode: String =
        db.read().query_one_raw(pragma("journal_mode")).await.unwrap().unwrap().try_get_by_index(0).unwrap();
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

#[tokio::test(flavor = "multi_thread")]
async fn a_process_is_not_ready_once_its_database_is_gone() {
    let (test, context) = (TestDatabase::postgres().await, farside_kit::Context::new());
    let db = migrated(&test).await;
    context.watch_database(&db, context.readiness.register("database"));
    assert!(context.readiness.report().ready);
    drop(test);
    while context.readiness.report().ready {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    context.shutdown.trigger();
    assert!(context.tasks.drain(std::time::Duration::from_secs(10)).await, "the watch ends with the process");
}
