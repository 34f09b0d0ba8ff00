//! match-svc from outside: the contract over gRPC with real rules-svc, ledger-svc and rating-svc in one process, on
//! real databases.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "tests fail by panicking, and are no library")]

/// Makes each function a test on SQLite and one on PostgreSQL.
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        mod on_sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(crate::harness::Backend::Sqlite).await;
            })*
        }

        mod on_postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(crate::harness::Backend::Postgres).await;
            })*
        }
    };
}

mod clocks;
mod decisions;
mod harness;
mod lobby;
mod moves;
mod patience;
mod recovery;
mod replicas;
mod retention;
mod simulation;
mod watching;
mod whole_set;
