//! Maker and Breaker: two boards, secret placements, five in a row.

pub mod board;
mod codec;
mod game;
pub mod state;
pub mod wire;

pub use game::MakerBreaker;
