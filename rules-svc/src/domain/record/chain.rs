//! The chain over a record's entries: each one's hash covers the entry and the hash before it.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::domain::json;

/// The format of records that this release writes and reads.
pub const FORMAT: &str = "farside-record/1";

/// What stands before the first entry.
#[must_use]
pub fn genesis() -> [u8; 32] {
    Sha256::digest(FORMAT.as_bytes()).into()
}

/// The hash of an entry (without `prev` and `hash`) that follows `prev`.
#[must_use]
pub fn link(prev: &[u8; 32], entry: &Value) -> [u8; 32] {
    Sha256::new().chain_update(prev).chain_update(json::canonical(entry)).finalize().into()
}
