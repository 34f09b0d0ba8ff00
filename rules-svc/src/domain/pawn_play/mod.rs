//! What every pawn game shares: positions, their bytes and text, starts, moves as JSON. No game's options are here.

pub mod codec;
pub mod setup;
pub mod state;
pub mod text;
pub mod thought;
pub mod variant;
pub mod wire;
