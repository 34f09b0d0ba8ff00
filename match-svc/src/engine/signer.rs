//! Signs records with Ed25519: with a key from the settings, or one that is drawn once and kept in the database.

use std::fmt;

use ed25519_dalek::{Signer as _, SigningKey};
use farside_kit::ids::{IdSource, random_bytes};
use farside_kit::time::UnixMs;

use crate::domain::fault::MatchFault;
use crate::store::{Storage, StoredKey};

/// A public key that signs, or has signed, records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// As records name it.
    pub id: String,
    /// 32 bytes.
    pub ed25519: [u8; 32],
    /// Since when it signs.
    pub created_at: UnixMs,
}

/// The key that signs now, and the public halves of all.
#[derive(Clone)]
pub struct Signer {
    key: SigningKey,
    id: String,
    known: Vec<PublicKey>,
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signer({})", self.id)
    }
}

impl Signer {
    /// The key from the settings (32 bytes in hex), or the newest one kept, or a new one.
    ///
    /// # Errors
    ///
    /// When the key of the settings is none, or the database cannot be read.
    pub async fn load(
        store: &dyn Storage,
        configured: Option<&str>,
        ids: &dyn IdSource,
        now: UnixMs,
    ) -> Result<Self, MatchFault> {
        if let Some(secret_hex) = configured {
            keep(store, secret_hex, now).await?;
        } else if store.signing_keys().await?.is_empty() {
            keep(store, &hex::encode(random_bytes::<32>(ids)), now).await?;
        }
        let kept = store.signing_keys().await?;
        let wanted = configured.map(key_id).transpose()?;
        let current = kept.iter().find(|key| wanted.as_ref().is_none_or(|id| *id == key.id));
        let current = current.ok_or_else(|| MatchFault::internal("the signing key was not kept"))?;
        let known = kept.iter().map(public_key).collect::<Result<_, _>>()?;
        Ok(Self { key: signing_key(&current.secret_hex)?, id: current.id.clone(), known })
    }

    /// The id of the key that signs now.
    #[must_use]
    pub fn key_id(&self) -> &str {
        &self.id
    }

    /// Signs a record's head.
    #[must_use]
    pub fn sign(&self, head: &[u8]) -> [u8; 64] {
        self.key.sign(head).to_bytes()
    }

    /// All public keys, newest first.
    #[must_use]
    pub fn public_keys(&self) -> &[PublicKey] {
        &self.known
    }
}

async fn keep(store: &dyn Storage, secret_hex: &str, now: UnixMs) -> Result<(), MatchFault> {
    let id = key_id(secret_hex)?;
    store.keep_signing_key(StoredKey { id, secret_hex: secret_hex.to_owned(), created_at: now }).await
}

fn signing_key(secret_hex: &str) -> Result<SigningKey, MatchFault> {
    let mut secret = [0; 32];
    hex::decode_to_slice(secret_hex, &mut secret)
        .map_err(|_| MatchFault::internal("a signing key is 64 hex digits"))?;
    Ok(SigningKey::from_bytes(&secret))
}

/// Names a key after its public half, so that a record says by itself which key to check it with.
fn key_id(secret_hex: &str) -> Result<String, MatchFault> {
    let public = signing_key(secret_hex)?.verifying_key().to_bytes();
    Ok(format!("ed25519_{}", hex::encode(public)))
}

fn public_key(key: &StoredKey) -> Result<PublicKey, MatchFault> {
    let ed25519 = signing_key(&key.secret_hex)?.verifying_key().to_bytes();
    Ok(PublicKey { id: key.id.clone(), ed25519, created_at: key.created_at })
}
