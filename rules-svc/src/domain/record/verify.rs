//! Verification: format, signature, chain, then everything that the entries say. The first fault ends it.

use ed25519_dalek::{Signature, VerifyingKey};
use serde::Deserialize;
use serde_json::Value;

use super::chain::{self, FORMAT};
use super::entry::Entry;
use super::history::{self, Scope};
use crate::domain::error::RulesError;
use crate::domain::json::{self, Hex, Violation};

/// A key to trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// Its id, as records name it.
    pub id: String,
    /// Ed25519, 32 bytes.
    pub ed25519: Vec<u8>,
}

/// What verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The first fault, as a pointer into the record; `None` when everything holds.
    pub fault: Option<Violation>,
    /// What holds, in the order in which it was checked.
    pub checks: Vec<&'static str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    #[serde(rename = "format")]
    _format: String,
    entries: Vec<Value>,
    head: Hex<32>,
    signature: RecordSignature,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordSignature {
    key: String,
    ed25519: Hex<64>,
}

struct Link {
    prev: [u8; 32],
    hash: [u8; 32],
    value: Value,
}

/// Verifies a record offline, with the keys given.
///
/// # Errors
/// [`RulesError::RecordInvalid`] when the text is no record at all; whatever is wrong with a record is in the report.
pub fn verify_json(text: &str, keys: &[PublicKey]) -> Result<Report, RulesError> {
    verify(text, keys, Scope::Rules)
}

/// As [`verify_json`], and makes every house bot's choice again, which takes as long as it took the bots.
///
/// # Errors
/// As [`verify_json`].
pub fn verify_with_house(text: &str, keys: &[PublicKey]) -> Result<Report, RulesError> {
    verify(text, keys, Scope::WithHouse)
}

fn verify(text: &str, keys: &[PublicKey], scope: Scope) -> Result<Report, RulesError> {
    let value: Value = json::parse_object(text).map_err(RulesError::RecordInvalid)?;
    match value.get("format").and_then(Value::as_str) {
        Some(FORMAT) => {}
        Some(_) => return Err(no_record(format!("only the format `{FORMAT}` is known"))),
        None => return Err(no_record(format!("a record says what it is: \"format\": \"{FORMAT}\""))),
    }
    let mut report = Report::default();
    report.fault = check(&value, keys, scope, &mut report.checks).err();
    Ok(report)
}

fn no_record(detail: String) -> RulesError {
    RulesError::RecordInvalid(Violation::new("/format", detail))
}

fn check(value: &Value, keys: &[PublicKey], scope: Scope, checks: &mut Vec<&'static str>) -> Result<(), Violation> {
    let record: Record = json::object_from_value(value)?;
    let (links, entries) = entries(&record.entries)?;
    checks.push("format");
    check_signature(&record, keys)?;
    checks.push("signature");
    check_chain(&record, &links)?;
    checks.push("chain");
    history::check(&entries, scope, checks)
}

fn entries(values: &[Value]) -> Result<(Vec<Link>, Vec<Entry>), Violation> {
    let mut links = Vec::with_capacity(values.len());
    let mut entries = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        let (link, entry) = entry(value).map_err(|fault| fault.under(&format!("/entries/{index}")))?;
        links.push(link);
        entries.push(entry);
    }
    Ok((links, entries))
}

fn entry(value: &Value) -> Result<(Link, Entry), Violation> {
    let mut rest = value.clone();
    let members = rest.as_object_mut().ok_or_else(|| Violation::new("", "must be a JSON object"))?;
    let prev = hash(members.remove("prev"), "/prev")?;
    let hash = hash(members.remove("hash"), "/hash")?;
    let entry = Entry::read(&rest)?;
    if let Some(pointer) = difference(&rest, &json::to_value(&entry)) {
        return Err(Violation::new(pointer, "is missing, or is not written as records write it"));
    }
    Ok((Link { prev, hash, value: rest }, entry))
}

fn hash(value: Option<Value>, pointer: &str) -> Result<[u8; 32], Violation> {
    let value = value.ok_or_else(|| Violation::new(pointer, "is missing"))?;
    let Hex(bytes) = serde_json::from_value(value).map_err(|fault| Violation::new(pointer, fault.to_string()))?;
    Ok(bytes)
}

/// Where two values differ first.
fn difference(one: &Value, two: &Value) -> Option<String> {
    match (one, two) {
        (Value::Object(one), Value::Object(two)) => one.keys().chain(two.keys()).find_map(|key| {
            let inner = match (one.get(key), two.get(key)) {
                (Some(one), Some(two)) => difference(one, two)?,
                _ => String::new(),
            };
            Some(format!("/{}{inner}", json::escaped(key)))
        }),
        (Value::Array(one), Value::Array(two)) if one.len() == two.len() => {
            let pairs = one.iter().zip(two).enumerate();
            pairs.into_iter().find_map(|(index, (one, two))| Some(format!("/{index}{}", difference(one, two)?)))
        }
        _ => (one != two).then(String::new),
    }
}

fn check_signature(record: &Record, keys: &[PublicKey]) -> Result<(), Violation> {
    let RecordSignature { key, ed25519 } = &record.signature;
    let Some(trusted) = keys.iter().find(|trusted| trusted.id == *key) else {
        return Err(Violation::new("/signature/key", format!("`{key}` is none of the keys to trust")));
    };
    let unusable = || Violation::new("/signature/key", format!("the trusted key `{key}` is no Ed25519 public key"));
    let bytes: &[u8; 32] = trusted.ed25519.as_slice().try_into().map_err(|_| unusable())?;
    let verifying = VerifyingKey::from_bytes(bytes).map_err(|_| unusable())?;
    let signature = Signature::from_bytes(&ed25519.0);
    verifying
        .verify_strict(&record.head.0, &signature)
        .map_err(|_| Violation::new("/signature/ed25519", format!("is no signature of `head` by the key `{key}`")))
}

fn check_chain(record: &Record, links: &[Link]) -> Result<(), Violation> {
    let mut head = chain::genesis();
    for (index, link) in links.iter().enumerate() {
        if link.prev != head {
            let detail = "does not continue the entry before: an entry is missing, added or out of order";
            return Err(Violation::new(format!("/entries/{index}/prev"), detail));
        }
        head = chain::link(&head, &link.value);
        if link.hash != head {
            let detail = "is not the hash of this entry: it was changed after it was written";
            return Err(Violation::new(format!("/entries/{index}/hash"), detail));
        }
    }
    if head == record.head.0 {
        return Ok(());
    }
    Err(Violation::new("/head", "is not the hash of the last entry: entries are missing at the end"))
}
