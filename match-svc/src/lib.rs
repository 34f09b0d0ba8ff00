//! match-svc: challenges, sets, clocks and the event log. Every change is decided by `domain/`, written by `store/` in
//! one transaction with what follows from it, and told through `grpc/`; `engine/` leads each request on that way.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod domain;
pub mod store;
