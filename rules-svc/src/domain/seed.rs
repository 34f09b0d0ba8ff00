//! Seeds and everything random: how a set's seed is made, and the documented streams that are drawn from it.
//!
//! `docs/fairness.md` gives the same encodings in prose with test vectors, and `scripts/fairness.py` repeats them.
//! It is deliberately not a source of randomness: the server seed comes from the caller.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use sha2::{Digest as _, Sha256};

use super::error::RulesError;

/// Bytes in a seed.
pub const SEED_BYTES: usize = 32;

/// Most characters in a nonce.
pub const NONCE_MAX_CHARS: usize = 64;

/// Label that opens the hash of a set's seed.
const SET_SEED_LABEL: &str = "farside/v1/set-seed";

/// The seed that the platform draws when a challenge is made; only its hash is public until the set has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ServerSeed(pub [u8; SEED_BYTES]);

/// The seed that everything random in a set follows from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SetSeed(pub [u8; SEED_BYTES]);

/// What a stream of random numbers is for; each use has a label of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Squares of a random start: `farside/v1/start-position`.
    StartPosition,
    /// Strength of a house bot that draws it: `farside/v1/house-strength`.
    HouseStrength,
    /// A house bot's choices at one ply of one game: `farside/v1/house-choice/GAME/PLY` in decimal digits.
    HouseChoice {
        /// 1 or 2: which game of the set.
        game_number: u8,
        /// Plies (rounds) already played in that game.
        ply: u16,
    },
}

impl Purpose {
    /// The label that goes into the key of the stream.
    #[must_use]
    pub fn label(self) -> String {
        match self {
            Self::StartPosition => "farside/v1/start-position".to_owned(),
            Self::HouseStrength => "farside/v1/house-strength".to_owned(),
            Self::HouseChoice { game_number, ply } => format!("farside/v1/house-choice/{game_number}/{ply}"),
        }
    }
}

impl ServerSeed {
    /// SHA-256 of the seed: what is shown from the moment the challenge stands.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0).into()
    }

    /// The set's seed: SHA-256 over label, server seed and both nonces, each preceded by its length in bytes as a
    /// big-endian 32-bit number. A nonce that was not given counts as empty.
    #[must_use]
    pub fn derive(&self, creator_nonce: &str, acceptor_nonce: &str) -> SetSeed {
        let mut hash = Sha256::new();
        for part in [SET_SEED_LABEL.as_bytes(), &self.0, creator_nonce.as_bytes(), acceptor_nonce.as_bytes()] {
            let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
            hash.update(length.to_be_bytes());
            hash.update(part);
        }
        SetSeed(hash.finalize().into())
    }
}

/// A set's seed and the hash of the server seed, from what callers send.
///
/// # Errors
/// [`RulesError::SeedInvalid`] and [`RulesError::NonceInvalid`].
pub fn derive_checked(server_seed: &[u8], creator: &str, acceptor: &str) -> Result<(SetSeed, [u8; 32]), RulesError> {
    let server = server_seed.try_into().map(ServerSeed).map_err(|_| RulesError::SeedInvalid(server_seed.len()))?;
    for (side, nonce) in [("creator", creator), ("acceptor", acceptor)] {
        let chars = nonce.chars().count();
        if chars > NONCE_MAX_CHARS {
            return Err(RulesError::NonceInvalid { side, chars });
        }
    }
    Ok((server.derive(creator, acceptor), server.hash()))
}

impl SetSeed {
    /// The stream for one purpose: ChaCha20 keyed with SHA-256(label ‖ seed), block counter and nonce zero.
    #[must_use]
    pub fn stream(&self, purpose: Purpose) -> Stream {
        let key: [u8; 32] =
            Sha256::new().chain_update(purpose.label().as_bytes()).chain_update(self.0).finalize().into();
        Stream(ChaCha20Rng::from_seed(key))
    }
}

/// Random numbers for one purpose, in a documented order.
pub struct Stream(ChaCha20Rng);

impl Stream {
    /// The next four bytes of the key stream as a little-endian number.
    pub fn next_u32(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A number below `bound`, each with the same chance: draws above the largest multiple of `bound` are thrown away,
    /// the first other draw is taken modulo `bound`. A bound of zero counts as one.
    pub fn below(&mut self, bound: u32) -> u32 {
        let bound = u64::from(bound.max(1));
        let limit = (1_u64 << 32) / bound * bound;
        loop {
            let draw = u64::from(self.next_u32());
            if draw < limit {
                return u32::try_from(draw % bound).unwrap_or(0);
            }
        }
    }

    /// `count` of `items`, every subset with the same chance: for position i from 0 the item there changes places with
    /// the one at i + `below(len − i)`, and the first `count` are the choice, in that order.
    pub fn choose<T>(&mut self, mut items: Vec<T>, count: usize) -> Vec<T> {
        let count = count.min(items.len());
        for at in 0..count {
            let left = u32::try_from(items.len() - at).unwrap_or(u32::MAX);
            items.swap(at, at + self.below(left) as usize);
        }
        items.truncate(count);
        items
    }
}

/// Neither seed is ever printed: logs and error texts must not carry them.
impl std::fmt::Debug for SetSeed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SetSeed(…)")
    }
}

impl std::fmt::Debug for ServerSeed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ServerSeed(…)")
    }
}
