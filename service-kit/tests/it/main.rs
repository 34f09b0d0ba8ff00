//! The kit against real servers, databases and Redis. One binary, so that it links once.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    unreachable_pub,
    reason = "tests fail by panicking, and nobody links against them"
)]
#![allow(clippy::disallowed_methods, reason = "a stand-in service answers with statuses of its own")]

mod admin;
mod bus;
mod db;
mod process;
mod rpc;
mod stand_in;
mod trace;
