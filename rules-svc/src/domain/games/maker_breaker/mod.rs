//! Maker and Breaker: two boards, secret placements, five in a row.

pub mod board;
pub mod state;
