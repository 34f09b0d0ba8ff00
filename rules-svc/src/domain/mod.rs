//! The games themselves: pure functions over values. No async, clock, randomness, logging, database or protobuf here.

pub mod contract;
pub mod engines;
pub mod error;
pub mod game;
pub mod games;
pub mod json;
pub mod pawn_play;
pub mod pawns;
pub mod record;
pub mod rules;
pub mod search;
pub mod seed;
pub mod thinking;
pub mod tuning;
