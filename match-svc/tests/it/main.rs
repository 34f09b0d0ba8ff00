//! match-svc from outside: the contract over gRPC with real rules-svc, ledger-svc and rating-svc in one process, on
//! real databases.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "tests fail by panicking, and are no library")]

mod clocks;
mod harness;
mod lobby;
mod moves;
mod recovery;
mod replicas;
mod retention;
mod simulation;
mod watching;
mod whole_set;
