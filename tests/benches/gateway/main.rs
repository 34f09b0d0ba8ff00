//! The public API under load: moves per second and their latency in a closed and in an open loop, what the gateway costs
//! over direct gRPC, memory of idle event streams, fan-out; beside boardgame.io in the same run where that is given.
//!
//! Run it by `cargo xtask bench gateway`. All of it is bounded in time and count, about four minutes in all; the
//! arguments name parts to run alone: `peer`, `apart`, `direct`, `one`, `streams`. The load generator shares the machine
//! with what it measures. Not here: correctness, and the services by themselves, which have benches of their own.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a measurement that cannot go on should say where, and prints"
)]

mod boardgame_io;
mod cpu;
mod direct;
mod figures;
mod http;
mod load;
mod moves;
mod platform;
mod streams;
mod table;

/// Names of the parts, in the order in which they run.
const PARTS: [&str; 5] = ["peer", "apart", "direct", "one", "streams"];

fn main() {
    let named: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let parts = PARTS.into_iter().filter(|part| named.is_empty() || named.iter().any(|name| name == part));
    let parts: Vec<&str> = parts.collect();
    cpu::raise_file_limit();
    // One thread: the generator is to leave the machine to what it measures.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        let peer = if parts.contains(&"peer") { moves::peer().await } else { None };
        if parts.contains(&"apart") || parts.contains(&"direct") {
            moves::apart(&parts, peer).await;
        }
        if parts.contains(&"one") {
            moves::one().await;
        }
        if parts.contains(&"streams") {
            streams::measure().await;
        }
    });
}
