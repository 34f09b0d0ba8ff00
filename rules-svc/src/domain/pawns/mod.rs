//! Pawns on a square board: the one implementation of how Breakthrough's pawns stand, step and win.
//!
//! Every variant is built on [`PawnBoard`]; the engine and the move counter work on the same bitboards
//! through [`Position`]. What a *game* is (options, starts, clocks, schemas) is deliberately not here.

mod bits;
mod board;
mod codec;
mod fault;
mod perft;
#[cfg(test)]
mod perft_tests;
mod position;
mod side;
#[cfg(test)]
mod tests;
mod types;

pub use bits::{Bits, Wide};
pub use board::{EndReason, PawnBoard, Task};
pub use codec::{BoardTextFault, DecodeFault};
pub use fault::PawnFault;
pub use perft::{Leaves, perft};
pub use position::{Position, Steps};
pub use side::{Down, Side, Up};
pub use types::{PawnMove, Seat, Size, SizeFault, Square};
