//! What ratings mean: pure rules without a clock, storage, or protobuf. Times and numbers are arguments.

pub mod board;
pub mod cursor;
pub mod error;
pub mod fold;
pub mod glicko;
pub mod ids;
pub mod peaks;
pub mod practice;
pub mod set;
pub mod standing;
