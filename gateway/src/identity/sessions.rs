//! Browsers that are signed in, and guests, who are known by nothing but their browser.
//!
//! A session is a key of its own that is never shown: signing out revokes it, and what a person keeps elsewhere stays as
//! it is. Not here: cookies.

use super::Identity;
use crate::domain::account::{Account, Caller, Player};
use crate::domain::fault::IdentityFault;
use crate::domain::guest;
use crate::domain::ids::PlayerId;
use crate::domain::key::{Holder, Key, KeyRecord, Purpose};
use crate::store::StoreFault;
use farside_kit::ids::random_bytes;

/// How long a browser stays signed in, in milliseconds: 90 days.
pub(super) const SESSION_MS: i64 = 90 * DAY_MS;
/// How long a guest is known, in milliseconds: 365 days.
pub(super) const GUEST_SESSION_MS: i64 = 365 * DAY_MS;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// How often a guest's name is drawn again when it is taken.
const NAME_DRAWS: usize = 3;

/// A browser that has just been signed in.
#[derive(Clone, Debug)]
pub struct Session {
    /// Who is signed in.
    pub player: Player,
    /// The key for the cookie.
    pub key: Key,
    /// How long it lasts, in milliseconds.
    pub lasts_ms: i64,
}

impl Identity {
    /// Signs a browser in by a player key.
    ///
    /// # Errors
    ///
    /// `UNAUTHENTICATED` when the key does not count, `FORBIDDEN` when it is a bot's; faults of the store.
    pub async fn sign_in(&self, key: &str) -> Result<Session, StoreFault> {
        match &self.authenticate(key).await?.account {
            Account::Player(player) => self.open_session(player).await,
            Account::Bot(_) => {
                Err(IdentityFault::Forbidden("this is a bot's key: sign in with your player key").into())
            }
        }
    }

    /// Signs a browser in as this player, whose right to it has been checked.
    ///
    /// # Errors
    ///
    /// Faults of the store.
    pub async fn open_session(&self, player: &Player) -> Result<Session, StoreFault> {
        let lasts_ms = if player.is_guest { GUEST_SESSION_MS } else { SESSION_MS };
        let (key, record) = self.mint_session(player.id.clone(), lasts_ms);
        self.store.add_session(record).await?;
        Ok(Session { player: player.clone(), key, lasts_ms })
    }

    /// Makes a guest, signed in.
    ///
    /// # Errors
    ///
    /// Faults of the store.
    pub async fn make_guest(&self) -> Result<Session, StoreFault> {
        let mut draws = 1;
        loop {
            match self.try_to_make_guest().await {
                Err(StoreFault::Refused(IdentityFault::NameTaken)) if draws < NAME_DRAWS => draws += 1,
                outcome => return outcome,
            }
        }
    }

    async fn try_to_make_guest(&self) -> Result<Session, StoreFault> {
        let id = PlayerId::from_ulid(&self.ulid());
        let name = guest::name(random_bytes(&*self.ids));
        let player = Player { id: id.clone(), name, created_at_ms: self.clock.now().0, granted: false, is_guest: true };
        let (key, record) = self.mint_session(id, GUEST_SESSION_MS);
        self.store.create_player(player.clone(), record).await?;
        Ok(Session { player, key, lasts_ms: GUEST_SESSION_MS })
    }

    /// Signs out the browser that calls; a key that a person keeps is left alone.
    ///
    /// # Errors
    ///
    /// Faults of the store.
    pub async fn sign_out(&self, caller: &Caller) -> Result<(), StoreFault> {
        match (&caller.account, caller.is_session) {
            (Account::Player(player), true) => self.close(player, caller.key_id.as_str()).await,
            _ => Ok(()),
        }
    }

    /// Signs out every other browser of the caller.
    ///
    /// # Errors
    ///
    /// Faults of the store.
    pub async fn sign_out_others(&self, caller: &Caller) -> Result<(), StoreFault> {
        let Account::Player(player) = &caller.account else { return Ok(()) };
        for session in self.store.sessions_of(&Holder::Player(player.id.clone())).await? {
            if session.id != caller.key_id {
                self.close(player, session.id.as_str()).await?;
            }
        }
        Ok(())
    }

    async fn close(&self, player: &Player, key_id: &str) -> Result<(), StoreFault> {
        self.revoke_key_of(&Holder::Player(player.id.clone()), key_id).await
    }

    fn mint_session(&self, id: PlayerId, lasts_ms: i64) -> (Key, KeyRecord) {
        let end_ms = self.clock.now().0 + lasts_ms;
        self.mint(Holder::Player(id), Purpose::Session, Some(end_ms))
    }
}
