//! rating-svc.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod domain;
