//! The rules of every game as pure functions, and the service that offers them.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod domain;
