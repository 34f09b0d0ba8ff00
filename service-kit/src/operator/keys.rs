//! Keys of operators: how they are made, and how a service tells whose key it is shown.
//!
//! The secret has 256 random bits, so one SHA-256 is enough: there is nothing to guess that a slow hash would protect.
//! Not here: where the holder of a key keeps it.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use crate::config::{ConfigFault, Secret};
use crate::ids::{IdSource, random_bytes};

/// What every operator's key begins with, so that scanners for leaked secrets can find them.
const SCHEME: &str = "fso_";
/// Random bytes of a key.
const SECRET_BYTES: usize = 32;
/// Keeps these hashes apart from every other use of SHA-256.
const LABEL: &[u8] = b"farside/operator-key/v1\0";
/// Longest name of a key, in bytes.
const NAME_BYTES_MAX: usize = 64;

/// Makes a key called `name`: the secret for its holder, and the entry for `--operator-keys`.
///
/// # Errors
///
/// When `name` cannot be the name of a key.
pub fn mint_key(name: &str, random: &dyn IdSource) -> Result<(Secret, String), ConfigFault> {
    check_name(name)?;
    let secret = format!("{SCHEME}{}", hex::encode(random_bytes::<SECRET_BYTES>(random)));
    let entry = format!("{name}={}", hex::encode(hash(&secret)));
    Ok((Secret::new(secret), entry))
}

fn hash(secret: &str) -> [u8; 32] {
    Sha256::new().chain_update(LABEL).chain_update(secret).finalize().into()
}

/// The operators that a service knows: names and hashes of their keys.
#[derive(Clone, Default)]
pub struct OperatorKeys {
    keys: Arc<[(Arc<str>, [u8; 32])]>,
}

impl OperatorKeys {
    /// The name of the key that `secret` is. Looks at every hash, each in constant time.
    #[must_use]
    pub fn find(&self, secret: &str) -> Option<&Arc<str>> {
        let shown = hash(secret);
        let mut found = None;
        for (name, known) in self.keys.iter() {
            if bool::from(known.ct_eq(&shown)) {
                found = Some(name);
            }
        }
        found
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

impl fmt::Debug for OperatorKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.keys.iter().map(|(name, _)| name)).finish()
    }
}

impl FromStr for OperatorKeys {
    type Err = ConfigFault;

    /// Reads `name=hash,…`. A name may stand there twice, so that its key can be changed without a gap.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let keys: Vec<_> = parts.map(name_and_hash).collect::<Result<_, _>>()?;
        Ok(Self { keys: keys.into() })
    }
}

fn fault(problem: &str) -> ConfigFault {
    ConfigFault::new("--operator-keys", problem)
}

fn check_name(name: &str) -> Result<(), ConfigFault> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._@-".contains(&byte);
    let fits = (1..=NAME_BYTES_MAX).contains(&name.len()) && name.bytes().all(plain);
    if fits { Ok(()) } else { Err(fault("a key's name must be 1 to 64 letters, digits, or any of . _ @ -")) }
}

fn name_and_hash(part: &str) -> Result<(Arc<str>, [u8; 32]), ConfigFault> {
    let (name, hash) = part.split_once('=').ok_or_else(|| fault("each entry must be name=hash"))?;
    check_name(name)?;
    let mut bytes = [0; 32];
    hex::decode_to_slice(hash, &mut bytes).map_err(|_| fault("a hash must be 64 hex digits"))?;
    Ok((name.into(), bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::SeededIds;

    #[test]
    fn a_key_is_found_by_its_secret_and_by_nothing_else() {
        let ids = SeededIds::new(1);
        let (ann, ann_entry) = mint_key("ann", &ids).unwrap();
        let (bob, bob_entry) = mint_key("bob", &ids).unwrap();
        let keys: OperatorKeys = format!("{ann_entry}, {bob_entry}").parse().unwrap();
        assert_eq!(keys.find(ann.reveal()).map(|name| &**name), Some("ann"));
        assert_eq!(keys.find(bob.reveal()).map(|name| &**name), Some("bob"));
        let hash = ann_entry.split_once('=').unwrap().1;
        for wrong in ["", "fso_", hash, &ann.reveal()[..ann.reveal().len() - 1]] {
            assert_eq!(keys.find(wrong), None, "{wrong}");
        }
        assert!(!ann_entry.contains(ann.reveal()) && !format!("{keys:?}").contains(hash));
    }

    #[test]
    fn malformed_entries_are_refused() {
        let hash = "0".repeat(64);
        for text in ["ann".to_owned(), format!("={hash}"), format!("two words={hash}"), "ann=12".to_owned()] {
            assert!(text.parse::<OperatorKeys>().is_err(), "{text}");
        }
        assert!("".parse::<OperatorKeys>().unwrap().is_empty());
    }
}
