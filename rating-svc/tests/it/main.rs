//! rating-svc through its contract, on real storage: SQLite, PostgreSQL, Redis.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

mod access;
mod board;
mod cache;
mod history;
mod order;
mod practice;
mod rebuild;
mod record;
mod service;
