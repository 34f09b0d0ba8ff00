//! From facts to a record: everything is checked as verification does, then the chain is added. The head is for the
//! caller to sign.

use serde::Deserialize;
use serde_json::{Value, json};

use super::chain::{self, FORMAT};
use super::entry::Entry;
use super::history::{self, Scope};
use crate::domain::error::RulesError;
use crate::domain::json::{self, Violation};

/// A record that waits for its signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// The record as canonical JSON, without a signature.
    pub json: String,
    /// What is to be signed.
    pub head: [u8; 32],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    entries: Vec<Value>,
}

/// Checks the facts of a set that has ended and chains them.
///
/// # Errors
/// [`RulesError::RecordInvalid`] with the first thing that does not hold, as a pointer into the facts.
pub fn seal(facts: &str) -> Result<Sealed, RulesError> {
    checked(facts).map(|entries| chained(&entries)).map_err(RulesError::RecordInvalid)
}

fn checked(facts: &str) -> Result<Vec<Entry>, Violation> {
    let facts: Facts = json::parse_object(facts)?;
    let at = |index: usize| format!("/entries/{index}");
    let mut entries = Vec::with_capacity(facts.entries.len());
    for (index, value) in facts.entries.iter().enumerate() {
        entries.push(Entry::read(value).map_err(|fault| fault.under(&at(index)))?);
    }
    history::check(&entries, Scope::Rules, &mut Vec::new())?;
    Ok(entries)
}

fn chained(entries: &[Entry]) -> Sealed {
    let mut head = chain::genesis();
    let mut links = Vec::with_capacity(entries.len());
    for entry in entries {
        let mut value = json::to_value(entry);
        let prev = head;
        head = chain::link(&prev, &value);
        value["prev"] = hex::encode(prev).into();
        value["hash"] = hex::encode(head).into();
        links.push(value);
    }
    let record = json!({ "format": FORMAT, "entries": links, "head": hex::encode(head) });
    Sealed { json: json::canonical(&record), head }
}
