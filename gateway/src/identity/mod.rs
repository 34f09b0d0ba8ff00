//! Identity at work: who calls, signing up, bots and keys. It draws the random bytes, reads the clock and asks the store;
//! what is right is for the domain to say.
//!
//! Not here: HTTP. A revoked key is forgotten within [`KEY_TTL`] on every replica.

mod manage;
mod sessions;
mod sign_up;

use std::sync::Arc;
use std::time::Duration;

use farside_kit::ids::{SharedIds, new_ulid, random_bytes};
use farside_kit::time::SharedClock;
use moka::future::Cache;

use crate::domain::account::{Account, Caller};
use crate::domain::fault::IdentityFault;
use crate::domain::key::{Holder, Key, KeyRecord, Purpose};
use crate::store::{Store, StoreFault};
use crate::upstream::Ledger;

pub use manage::{Made, NewBot};
pub use sessions::Session;

/// How long a key that was found, or not found, is believed without asking the store again.
pub const KEY_TTL: Duration = Duration::from_secs(2);
/// How many keys are remembered.
const KEYS_CACHED: u64 = 100_000;

/// A key that was found, with whose it is.
#[derive(Debug)]
struct Known {
    record: KeyRecord,
    caller: Arc<Caller>,
}

/// Players, bots and keys.
#[derive(Clone, Debug)]
pub struct Identity {
    store: Store,
    ledger: Ledger,
    clock: SharedClock,
    ids: SharedIds,
    known: Cache<String, Option<Arc<Known>>>,
    signup_grant_points: i64,
    currency: Arc<str>,
}

impl Identity {
    /// Identity over this store; sign-up grants go to this ledger.
    #[must_use]
    pub fn new(
        store: Store,
        ledger: Ledger,
        clock: SharedClock,
        ids: SharedIds,
        signup_grant_points: i64,
        currency: &str,
    ) -> Self {
        let known = Cache::builder().max_capacity(KEYS_CACHED).time_to_live(KEY_TTL).build();
        Self { store, ledger, clock, ids, known, signup_grant_points, currency: currency.into() }
    }

    /// The store, for reading profiles.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Who shows this key.
    ///
    /// # Errors
    ///
    /// `UNAUTHENTICATED` when the key does not count; faults of the store.
    pub async fn authenticate(&self, text: &str) -> Result<Arc<Caller>, StoreFault> {
        const REFUSED: IdentityFault = IdentityFault::Unauthenticated("the key is not known or has been revoked");
        let key = Key::parse(text).ok_or(IdentityFault::Unauthenticated("this is not a key"))?;
        let known = self.find(key.public()).await?.ok_or(REFUSED)?;
        let counts = known.record.is_live(self.clock.now().0) && known.record.hash.matches(&key);
        if counts { Ok(Arc::clone(&known.caller)) } else { Err(REFUSED.into()) }
    }

    /// Whether the key of a caller still counts; a store that does not answer ends no streams.
    pub async fn still_counts(&self, caller: &Caller) -> bool {
        match self.find(&caller.key_public).await {
            Ok(known) => known.is_some_and(|known| known.record.is_live(self.clock.now().0)),
            Err(fault) => {
                tracing::warn!(%fault, "a key could not be checked");
                true
            }
        }
    }

    async fn find(&self, public: &str) -> Result<Option<Arc<Known>>, StoreFault> {
        if let Some(known) = self.known.get(public).await {
            return Ok(known);
        }
        let known = self.look_up(public).await?.map(Arc::new);
        self.known.insert(public.to_owned(), known.clone()).await;
        Ok(known)
    }

    async fn look_up(&self, public: &str) -> Result<Option<Known>, StoreFault> {
        let Some(record) = self.store.key_by_public(public).await? else { return Ok(None) };
        let Some(account) = self.store.account(&record.holder).await? else { return Ok(None) };
        let caller = Arc::new(Caller {
            key_id: record.id.clone(),
            key_public: record.public.clone(),
            account,
            is_session: record.purpose == Purpose::Session,
        });
        Ok(Some(Known { record, caller }))
    }

    /// The account with this id or name.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`; faults of the store.
    pub async fn account(&self, id_or_name: &str, what: &'static str) -> Result<Account, StoreFault> {
        let found = self.store.account_by(id_or_name).await?;
        found.ok_or_else(|| IdentityFault::NotFound(what).into())
    }

    /// Points that a new player is granted.
    #[must_use]
    pub fn signup_grant_points(&self) -> i64 {
        self.signup_grant_points
    }

    fn ulid(&self) -> String {
        new_ulid(self.clock.now(), self.ids.random_u128())
    }

    /// A new id for a request that came without one.
    #[must_use]
    pub fn request_id(&self) -> String {
        self.ulid()
    }

    fn mint(&self, holder: Holder, purpose: Purpose, expires_at_ms: Option<i64>) -> (Key, KeyRecord) {
        let key = Key::mint(random_bytes(&*self.ids), random_bytes(&*self.ids));
        let record = KeyRecord {
            id: crate::domain::ids::KeyId::from_ulid(&self.ulid()),
            public: key.public().to_owned(),
            hash: key.hash(),
            holder,
            purpose,
            created_at_ms: self.clock.now().0,
            expires_at_ms,
            revoked_at_ms: None,
        };
        (key, record)
    }
}
