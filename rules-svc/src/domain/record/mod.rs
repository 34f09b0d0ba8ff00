//! Records of finished sets: their shape, the chain over it, and the verification that replays everything.
//!
//! Signing is the caller's: no private key comes near this crate.

pub mod chain;
mod clock;
pub mod entry;
mod finish;
mod history;
mod house;
mod seal;
mod verify;

pub use seal::{Sealed, seal};
pub use verify::{PublicKey, Report, verify_json, verify_with_house};
