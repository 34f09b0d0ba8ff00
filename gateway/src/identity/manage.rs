//! What a player manages: its bots and their keys.
//!
//! Not here: checks of form, which the API's types and the domain make.

use super::Identity;
use crate::domain::account::{Account, Bot, BotChange, Player};
use crate::domain::fault::IdentityFault;
use crate::domain::guest::{self, Wish};
use crate::domain::ids::{BotId, KeyId};
use crate::domain::key::{Holder, Key, KeyRecord, Purpose};
use crate::domain::name::Name;
use crate::domain::policy::Acceptance;
use crate::store::{Created, Replay, StoreFault};

/// Something made together with a key.
#[derive(Clone, Debug)]
pub struct Made<T> {
    /// What was made.
    pub what: T,
    /// The key's id.
    pub key_id: KeyId,
    /// The key, in the first answer only.
    pub key: Option<Key>,
}

/// A bot to make.
#[derive(Clone, Debug)]
pub struct NewBot {
    /// Its name.
    pub name: Name,
    /// What it says of itself.
    pub description: String,
    /// The most that it may stake on one set.
    pub max_stake_points: i64,
    /// What it accepts.
    pub accepts: Acceptance,
}

impl Identity {
    /// Makes a bot with its first key.
    ///
    /// # Errors
    ///
    /// In order: `FORBIDDEN` for a guest, `IDEMPOTENCY_MISMATCH`, `NAME_TAKEN`, `LIMIT_REACHED`; faults of the store.
    pub async fn make_bot(&self, owner: &Player, new: NewBot, asked: Option<Replay>) -> Result<Made<Bot>, StoreFault> {
        guest::allow(owner, Wish::Bots)?;
        let id = BotId::from_ulid(&self.ulid());
        let bot = Bot {
            id: id.clone(),
            name: new.name,
            owner_id: owner.id.clone(),
            owner_name: owner.name.clone(),
            description: new.description,
            max_stake_points: new.max_stake_points,
            accepts: new.accepts,
            created_at_ms: self.clock.now().0,
        };
        let (key, record) = self.mint(Holder::Bot(id), Purpose::Access, None);
        let key_id = record.id.clone();
        match self.store.create_bot(bot.clone(), record, asked).await? {
            Created::New => Ok(Made { what: bot, key_id, key: Some(key) }),
            Created::Before(made) => self.bot_made_before(&made).await,
        }
    }

    async fn bot_made_before(&self, id: &str) -> Result<Made<Bot>, StoreFault> {
        let Account::Bot(bot) = self.account(id, "bot").await? else {
            return Err(IdentityFault::IdempotencyMismatch.into());
        };
        let keys = self.store.keys_of(&Holder::Bot(bot.id.clone())).await?;
        let key_id = keys.into_iter().next().map_or_else(|| KeyId::from_ulid(""), |key| key.id);
        Ok(Made { what: bot, key_id, key: None })
    }

    /// Changes a bot.
    ///
    /// # Errors
    ///
    /// In order: `NOT_FOUND`, `FORBIDDEN`, `NAME_TAKEN`; faults of the store.
    pub async fn change_bot(&self, owner: &Player, id: &str, change: BotChange) -> Result<Bot, StoreFault> {
        let bot = self.owned(owner, id).await?;
        let changed = self.store.change_bot(&owner.id, &bot.id, change).await?;
        for key in self.store.keys_of(&Holder::Bot(bot.id)).await? {
            self.known.invalidate(&key.public).await;
        }
        Ok(changed)
    }

    /// Adds a key to a bot.
    ///
    /// # Errors
    ///
    /// In order: `NOT_FOUND`, `FORBIDDEN`, `IDEMPOTENCY_MISMATCH`, `LIMIT_REACHED`; faults of the store.
    pub async fn add_key(
        &self,
        owner: &Player,
        bot: &str,
        asked: Option<Replay>,
    ) -> Result<Made<KeyRecord>, StoreFault> {
        let bot = self.owned(owner, bot).await?;
        self.add_key_to(Holder::Bot(bot.id), asked).await
    }

    /// Adds a key to a player.
    ///
    /// # Errors
    ///
    /// In order: `FORBIDDEN` for a guest, `IDEMPOTENCY_MISMATCH`, `LIMIT_REACHED`; faults of the store.
    pub async fn add_player_key(&self, player: &Player, asked: Option<Replay>) -> Result<Made<KeyRecord>, StoreFault> {
        guest::allow(player, Wish::Keys)?;
        self.add_key_to(Holder::Player(player.id.clone()), asked).await
    }

    async fn add_key_to(&self, holder: Holder, asked: Option<Replay>) -> Result<Made<KeyRecord>, StoreFault> {
        let (key, record) = self.mint(holder, Purpose::Access, None);
        match self.store.add_key(record.clone(), asked).await? {
            Created::New => Ok(Made { key_id: record.id.clone(), what: record, key: Some(key) }),
            Created::Before(made) => self.key_made_before(&made).await,
        }
    }

    async fn key_made_before(&self, id: &str) -> Result<Made<KeyRecord>, StoreFault> {
        let id = KeyId::parse(id).ok_or(IdentityFault::IdempotencyMismatch)?;
        let record = self.store.key(&id).await?.ok_or(IdentityFault::NotFound("key"))?;
        Ok(Made { key_id: id, what: record, key: None })
    }

    /// The keys of a bot that are not revoked.
    ///
    /// # Errors
    ///
    /// In order: `NOT_FOUND`, `FORBIDDEN`; faults of the store.
    pub async fn keys(&self, owner: &Player, bot: &str) -> Result<Vec<KeyRecord>, StoreFault> {
        let bot = self.owned(owner, bot).await?;
        self.store.keys_of(&Holder::Bot(bot.id)).await
    }

    /// Revokes a key of a bot. This replica forgets it at once, the others within [`super::KEY_TTL`].
    ///
    /// # Errors
    ///
    /// In order: `NOT_FOUND`, `FORBIDDEN`; faults of the store.
    pub async fn revoke_key(&self, owner: &Player, bot: &str, key: &str) -> Result<(), StoreFault> {
        let bot = self.owned(owner, bot).await?;
        self.revoke_key_of(&Holder::Bot(bot.id), key).await
    }

    /// Revokes a key of a player or a bot, whose right to do so has been checked.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`; faults of the store.
    pub async fn revoke_key_of(&self, holder: &Holder, key: &str) -> Result<(), StoreFault> {
        let id = KeyId::parse(key).ok_or(IdentityFault::NotFound("key"))?;
        self.store.revoke_key(holder, &id, self.clock.now().0).await?;
        if let Some(record) = self.store.key(&id).await? {
            self.known.invalidate(&record.public).await;
        }
        Ok(())
    }

    /// The bot with this id or name, which must be this owner's.
    async fn owned(&self, owner: &Player, id_or_name: &str) -> Result<Bot, StoreFault> {
        match self.account(id_or_name, "bot").await? {
            Account::Bot(bot) if bot.owner_id == owner.id => Ok(bot),
            Account::Bot(_) => Err(IdentityFault::Forbidden("this bot has another owner").into()),
            Account::Player(_) => Err(IdentityFault::NotFound("bot").into()),
        }
    }
}
