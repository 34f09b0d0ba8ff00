//! The gateway against the real services, in one process, through HTTP.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    unreachable_pub,
    reason = "a test fails by panicking, and nobody links to it"
)]

mod bad_input;
mod contract;
mod guide;
mod harness;
mod identity;
mod limits;
mod pages;
mod play;
mod raw_input;
mod refusals;
mod schema;
mod scripts;
mod sessions;
mod set_pages;
mod store;
mod streams;
mod web;
