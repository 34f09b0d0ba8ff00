//! `farside verify`: checks a record offline, with the same code that answers `POST /v1/records/verify`.
//!
//! A platform's key is named after its public half, so a record can always be checked against the key that it names.
//! Whether that is the platform's key, only the platform can tell: `--keys` takes its answer to `GET /v1/keys`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use farside_rules::domain::record::{PublicKey, verify_json};
use serde_json::Value;

use crate::output::say;

/// How a key's id begins; its public half follows in hex.
const KEY_PREFIX: &str = "ed25519_";

/// Checks a set's record.
#[derive(Debug, Clone, Args)]
pub struct VerifyArgs {
    /// The record, as `GET /v1/sets/{id}/record` answers it.
    record: PathBuf,
    /// The keys to trust, as `GET /v1/keys` answers them; without it the key that the record names is taken.
    #[arg(long, env = "FARSIDE_RECORD_KEYS")]
    keys: Option<PathBuf>,
}

/// Checks the record and prints what holds.
///
/// # Errors
/// When a file cannot be read, when it is no record, and at the first fault of a record.
pub fn run(args: &VerifyArgs) -> Result<()> {
    let text = read(&args.record)?;
    let keys = match &args.keys {
        Some(path) => trusted(&read(path)?)?,
        None => named(&text).into_iter().collect(),
    };
    let report = verify_json(&text, &keys).context("this is no record")?;
    for check in &report.checks {
        say(format_args!("holds    {check}"));
    }
    if let Some(fault) = report.fault {
        bail!("the record does not hold at {}: {}", fault.pointer, fault.detail);
    }
    let signer = match (&args.keys, keys.first()) {
        (None, Some(key)) => format!("by {}: compare with GET /v1/keys, or give --keys", key.id),
        _ => "by a trusted key".to_owned(),
    };
    say(format_args!("ok       signed {signer}"));
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}

/// The keys of an answer to `GET /v1/keys`.
fn trusted(text: &str) -> Result<Vec<PublicKey>> {
    let answer: Value = serde_json::from_str(text).context("the keys are not JSON")?;
    let keys = answer["keys"].as_array().context("the keys have no list `keys`")?;
    keys.iter().map(|key| public_key(key).context("a key lacks `id` or `public_key`")).collect()
}

fn public_key(key: &Value) -> Option<PublicKey> {
    Some(PublicKey { id: key["id"].as_str()?.to_owned(), ed25519: hex::decode(key["public_key"].as_str()?).ok()? })
}

/// The key that a record names; none when it names none that could be one.
fn named(text: &str) -> Option<PublicKey> {
    let record: Value = serde_json::from_str(text).ok()?;
    let id = record["signature"]["key"].as_str()?;
    Some(PublicKey { id: id.to_owned(), ed25519: hex::decode(id.strip_prefix(KEY_PREFIX)?).ok()? })
}
