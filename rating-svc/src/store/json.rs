//! JSON in text columns and in Redis. No number with a fraction is ever written so; those are kept by their bits.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::fault::StoreFault;

/// Writes a `what`.
pub(super) fn write<T: Serialize>(what: &'static str, value: &T) -> Result<String, StoreFault> {
    serde_json::to_string(value).map_err(|source| StoreFault::Corrupt { what, source })
}

/// Reads a `what` that was written here.
pub(super) fn read<T: DeserializeOwned>(what: &'static str, text: &str) -> Result<T, StoreFault> {
    serde_json::from_str(text).map_err(|source| StoreFault::Corrupt { what, source })
}
