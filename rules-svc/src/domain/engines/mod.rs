//! Who chooses moves: the house bots of every game, and analysis of any position.
//!
//! A house bot's choice follows from the seed's stream for one game and ply and from the position; nothing here
//! reads a clock or draws chance of its own.

pub mod maker_breaker;
pub mod pawns;

/// Changes whenever a house bot may choose otherwise than before in the same position. A practice set can be
/// checked move by move with an engine of the version it was played with.
pub const ENGINE_VERSION: u32 = 2;
