//! The platform through its public interfaces: in one process and as five, on real databases.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test says what it expects by unwrapping it")]

mod access;
mod admin;
mod bad_input;
mod between_steps;
mod clients;
mod conflicts;
mod conformance;
mod dashboards;
mod deaf_streams;
mod exhibition;
mod kills;
mod life;
mod manifests;
mod mcp;
mod oldest;
mod one_trace;
mod readiness;
mod restore;
mod secrets;
mod staked_set;
