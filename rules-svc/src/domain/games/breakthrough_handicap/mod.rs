//! Breakthrough with odds: the stronger participant has fewer pawns and places them as it likes before play.

mod game;
mod options;
mod placing;
mod state;
mod wire;

pub use game::BreakthroughHandicap;
pub use state::HandicapState;
pub use wire::{HandicapMove, PlaceMove};
