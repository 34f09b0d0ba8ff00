//! The games themselves: pure functions over values. No async, clock, randomness, logging, database or protobuf here.

pub mod games;
pub mod json;
pub mod pawns;
pub mod record;
pub mod seed;
