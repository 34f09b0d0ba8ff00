//! `farside verify`: checks a record offline, with the public key that is given or that the record names.

use clap::Args;
use std::path::PathBuf;

/// Checks a set's record.
#[derive(Debug, Clone, Args)]
pub struct VerifyArgs {
    /// The record, as `GET /v1/sets/{id}/record` answers it.
    record: PathBuf,
}
