//! The games: one folder each.

pub mod maker_breaker;
