//! What the end-to-end tests stand on: the platform in one process or in five, real databases, a trace collector.
//!
//! No test and no assertion about the product is here. Everything that is started ends when its handle is dropped.

#![allow(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "support for tests: what cannot be set up fails the test with the sentence given"
)]

pub mod apart;
pub mod bots;
pub mod browser;
pub mod callers;
pub mod collector;
pub mod dice;
pub mod door;
pub mod event_log;
pub mod operator;
pub mod pair;
pub mod program;
pub mod prometheus;
pub mod redis_server;
pub mod replicas;
pub mod together;
pub mod wait;

pub use farside_kit::testing::{TestDatabase, redis_url, unique_name};
