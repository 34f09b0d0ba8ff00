//! Signing up: a player, its first key, and the grant from issuance.
//!
//! The player is written before the grant is asked for, and the grant's key follows from the player's id: whatever fails
//! in between, the grant arrives once, at the latest when the balance is next needed.

use farside_kit::fault::Remote;
use farside_proto::ledger::v1::GrantRequest;

use super::{Identity, Made};
use crate::domain::account::{Account, Player};
use crate::domain::fault::IdentityFault;
use crate::domain::ids::PlayerId;
use crate::domain::key::{Holder, Purpose};
use crate::domain::name::Name;
use crate::store::StoreFault;

impl Identity {
    /// Signs a player up. A ledger that does not answer does not keep anyone from signing up.
    ///
    /// # Errors
    ///
    /// In order: `MALFORMED_REQUEST`, `NAME_TAKEN`; faults of the store.
    pub async fn sign_up(&self, name: &str) -> Result<Made<Player>, StoreFault> {
        let name = Name::parse(name).map_err(|fault| IdentityFault::malformed("/name", fault.to_string()))?;
        let id = PlayerId::from_ulid(&self.ulid());
        let player =
            Player { id: id.clone(), name, created_at_ms: self.clock.now().0, granted: false, is_guest: false };
        let (key, record) = self.mint(Holder::Player(id), Purpose::Access, None);
        let key_id = record.id.clone();
        self.store.create_player(player.clone(), record).await?;
        self.grant(&player).await;
        Ok(Made { what: player, key_id, key: Some(key) })
    }

    /// Signs up a guest, who keeps its id and with it its games and statistics.
    ///
    /// # Errors
    ///
    /// In order: `MALFORMED_REQUEST`, `NOT_FOUND`, `FORBIDDEN` when it has signed up already, `NAME_TAKEN`; faults of
    /// the store.
    pub async fn sign_up_guest(&self, guest: &Player, name: &str) -> Result<Made<Player>, StoreFault> {
        let name = Name::parse(name).map_err(|fault| IdentityFault::malformed("/name", fault.to_string()))?;
        let player = Player { name, is_guest: false, ..guest.clone() };
        let holder = Holder::Player(player.id.clone());
        let sessions = self.store.sessions_of(&holder).await?;
        let (key, record) = self.mint(holder, Purpose::Access, None);
        let key_id = record.id.clone();
        self.store.sign_up_guest(player.clone(), record).await?;
        for session in sessions {
            self.known.invalidate(&session.public).await;
        }
        self.grant(&player).await;
        Ok(Made { what: player, key_id, key: Some(key) })
    }

    /// Makes sure that the owner's sign-up grant has reached the ledger, before points are needed.
    pub async fn ensure_granted(&self, account: &Account) {
        let owner = match account {
            Account::Player(player) => Ok(Some(player.clone())),
            Account::Bot(bot) => self.store.player(&bot.owner_id).await,
        };
        if let Ok(Some(owner)) = owner
            && !owner.granted
            && !owner.is_guest
        {
            self.grant(&owner).await;
        }
    }

    async fn grant(&self, player: &Player) {
        if let Err(fault) = self.ask_for_grant(player).await {
            tracing::warn!(reason = fault.reason, "the sign-up grant has to wait");
            return;
        }
        if let Err(fault) = self.store.mark_granted(&player.id, self.clock.now().0).await {
            tracing::warn!(%fault, "the sign-up grant will be asked for again");
        }
    }

    async fn ask_for_grant(&self, player: &Player) -> Result<(), Remote> {
        let request = GrantRequest {
            request_id: format!("{}:sign-up", player.id),
            account_id: player.id.to_string(),
            currency: self.currency.to_string(),
            amount_points: self.signup_grant_points,
            memo: "sign-up".to_owned(),
            reason: String::new(),
        };
        self.ledger.grant(request).await.map(drop)
    }
}
