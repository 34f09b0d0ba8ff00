//! Records of finished sets: their shape, the chain over it, and the verification that replays everything.
//!
//! Signing is the caller's: no private key comes near this crate.

pub mod entry;
