//! Finding the evaluation's weights by self-play: games from random starts, then a logistic fit of who won them.
//!
//! Everything follows from the plan, so that the weights can be made again. Printing and threads are the caller's;
//! see `examples/tune.rs`.

mod fit;
mod self_play;

pub use fit::fit;
pub use self_play::{Plan, Sample, play};
