//! Keys: `fsk_<public part>_<secret part>`, shown once, kept as a hash.
//!
//! The secret has 256 random bits, so one SHA-256 is enough: there is nothing to guess that a slow hash would protect.
//! Not here: random bytes (they are arguments) and where hashes are kept.

use std::fmt;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::ids::{BotId, KeyId, PlayerId};

/// What every key begins with, so that scanners for leaked secrets can find them.
const SCHEME: &str = "fsk";
/// Random bytes of the public part.
pub const PUBLIC_BYTES: usize = 8;
/// Random bytes of the secret part.
pub const SECRET_BYTES: usize = 32;
/// Keeps these hashes apart from every other use of SHA-256.
const LABEL: &[u8] = b"farside/key/v1\0";

/// A whole key. Never printed: its `Debug` shows the public part.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    text: String,
}

/// What is kept of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct KeyHash(pub [u8; 32]);

/// Who a key speaks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// A player: manages, and plays in person.
    Player(PlayerId),
    /// A bot: plays.
    Bot(BotId),
}

/// What a key was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be shown to its holder and kept by it.
    Access,
    /// To keep a browser signed in; never shown, ends by itself.
    Session,
}

/// A key as it is kept and listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRecord {
    /// `key_…`.
    pub id: KeyId,
    /// The part by which it is looked up.
    pub public: String,
    /// Hash of the whole.
    pub hash: KeyHash,
    /// Who it speaks for.
    pub holder: Holder,
    /// What it was made for.
    pub purpose: Purpose,
    /// When it was made.
    pub created_at_ms: i64,
    /// When it ends by itself, if it does.
    pub expires_at_ms: Option<i64>,
    /// When it was revoked, if it was.
    pub revoked_at_ms: Option<i64>,
}

impl Key {
    /// Makes a key of random bytes.
    #[must_use]
    pub fn mint(public: [u8; PUBLIC_BYTES], secret: [u8; SECRET_BYTES]) -> Self {
        Self { text: format!("{SCHEME}_{}_{}", hex::encode(public), hex::encode(secret)) }
    }

    /// Takes what a client sent for a key; nothing when it does not have the form of one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('_');
        let form = parts.next() == Some(SCHEME)
            && parts.next().is_some_and(|part| is_hex(part, PUBLIC_BYTES))
            && parts.next().is_some_and(|part| is_hex(part, SECRET_BYTES))
            && parts.next().is_none();
        form.then(|| Self { text: text.to_owned() })
    }

    /// The part by which it is looked up.
    #[must_use]
    pub fn public(&self) -> &str {
        let start = SCHEME.len() + 1;
        &self.text[start..start + 2 * PUBLIC_BYTES]
    }

    /// The hash to keep.
    #[must_use]
    pub fn hash(&self) -> KeyHash {
        KeyHash(Sha256::new().chain_update(LABEL).chain_update(&self.text).finalize().into())
    }

    /// The whole, for the one answer that shows it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.text
    }
}

fn is_hex(part: &str, bytes: usize) -> bool {
    part.len() == 2 * bytes && part.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

impl KeyHash {
    /// Whether `key` is the one that was hashed; takes the same time whatever differs.
    #[must_use]
    pub fn matches(&self, key: &Key) -> bool {
        self.0.ct_eq(&key.hash().0).into()
    }
}

impl KeyRecord {
    /// Whether the key counts at this moment.
    #[must_use]
    pub fn is_live(&self, now_ms: i64) -> bool {
        self.revoked_at_ms.is_none() && self.expires_at_ms.is_none_or(|end| now_ms < end)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({SCHEME}_{}_…)", self.public())
    }
}

impl fmt::Debug for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyHash(…)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key(seed: u8) -> Key {
        Key::mint([seed; PUBLIC_BYTES], [seed.wrapping_add(1); SECRET_BYTES])
    }

    #[test]
    fn only_the_very_same_key_matches() {
        let (one, other) = (key(1), key(2));
        assert!(one.hash().matches(&one));
        assert!(!one.hash().matches(&other));
        assert_eq!(Key::parse(one.reveal()), Some(one));
    }

    #[test]
    fn nothing_that_is_printed_holds_the_secret() {
        let printed = format!("{:?} {:?}", key(7), key(7).hash());
        assert!(!printed.contains("0808"), "{printed}");
    }

    #[test]
    fn a_revoked_or_expired_key_does_not_count() {
        let record = KeyRecord {
            id: KeyId::from_ulid("X"),
            public: key(1).public().to_owned(),
            hash: key(1).hash(),
            holder: Holder::Bot(BotId::from_ulid("Y")),
            purpose: Purpose::Access,
            created_at_ms: 0,
            expires_at_ms: Some(10),
            revoked_at_ms: None,
        };
        assert!(record.is_live(9));
        assert!(!record.is_live(10));
        assert!(!KeyRecord { revoked_at_ms: Some(1), ..record }.is_live(5));
    }

    proptest! {
        #[test]
        fn no_text_makes_parsing_panic(text in "(fsk_)?[0-9a-f_]*.*") {
            if let Some(key) = Key::parse(&text) {
                prop_assert_eq!(key.public().len(), 2 * PUBLIC_BYTES);
            }
        }
    }
}
