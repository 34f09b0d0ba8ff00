//! rules-svc: the games as pure functions, and the engine that plays them.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod domain;
