//! The ledger as its callers see it: through gRPC, on real SQLite and PostgreSQL.
//!
//! Not here: rules in isolation; those are tested beside the domain.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod access;
mod answers;
mod audit;
mod bank;
mod batches;
mod cancellation;
mod constraints;
mod harness;
mod model;
