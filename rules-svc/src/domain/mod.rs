//! The pure core: rules, games, records and engines. No async, no clock, no randomness of its own, no protobuf.

pub mod engines;
pub mod pawns;
pub mod search;
pub mod seed;
pub mod tuning;
