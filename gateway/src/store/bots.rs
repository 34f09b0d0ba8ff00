//! Bots: making, changing, listing.
//!
//! Not here: their keys.

use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};

use super::entity::{bots, names};
use super::players::{lost_is_taken, take_name};
use super::{Created, Replay, Store, StoreFault, convert, replay};
use crate::domain::account::{Bot, BotChange};
use crate::domain::fault::IdentityFault;
use crate::domain::ids::{BotId, PlayerId};
use crate::domain::key::KeyRecord;

/// Most bots of one owner.
pub(crate) const BOTS_MAX: u64 = 100;

/// A page of bots.
#[derive(Clone, Debug)]
pub struct BotPage {
    /// Newest first.
    pub bots: Vec<Bot>,
    /// The id to go on from, when there is more.
    pub next: Option<String>,
}

impl Store {
    /// Makes a bot with its first key, once for an idempotency key.
    ///
    /// # Errors
    ///
    /// In order: `IDEMPOTENCY_MISMATCH`, `NAME_TAKEN`, `LIMIT_REACHED`; faults of the database.
    pub async fn create_bot(&self, bot: Bot, key: KeyRecord, asked: Option<Replay>) -> Result<Created, StoreFault> {
        let again = asked.clone();
        let written = self.db.write(move |tx| {
            let (bot, key, asked) = (bot.clone(), key.clone(), asked.clone());
            Box::pin(async move { insert_bot(tx, &bot, &key, asked.as_ref()).await })
        });
        match (written.await, again) {
            // Two equal requests at once: the other one has made it by now.
            (Err(StoreFault::Lost(error)), Some(asked)) => match replay::find(self.db.read(), &asked).await? {
                Some(made) => Ok(Created::Before(made)),
                None => Err(lost_is_taken(StoreFault::Lost(error))),
            },
            (outcome, _) => outcome.map_err(lost_is_taken),
        }
    }

    /// Changes a bot of this owner and returns it as it is then.
    ///
    /// # Errors
    ///
    /// In order: `NOT_FOUND`, `FORBIDDEN`, `NAME_TAKEN`; faults of the database.
    pub async fn change_bot(&self, owner: &PlayerId, id: &BotId, change: BotChange) -> Result<Bot, StoreFault> {
        let (owner, id) = (owner.clone(), id.clone());
        let written = self.db.write(move |tx| {
            let (owner, id, change) = (owner.clone(), id.clone(), change.clone());
            Box::pin(async move {
                let row = bots::Entity::find_by_id(id.to_string()).one(tx).await?;
                let before = convert::bot(row.ok_or(IdentityFault::NotFound("bot"))?)?;
                if before.owner_id != owner {
                    return Err(IdentityFault::Forbidden("this bot has another owner").into());
                }
                let after = before.clone().changed(change);
                rename(tx, &before, &after).await?;
                convert::bot_row(&after)?.reset_all().update(tx).await?;
                Ok(after)
            })
        });
        written.await.map_err(lost_is_taken)
    }

    /// All bots of an owner, oldest first.
    ///
    /// # Errors
    ///
    /// Faults of the database.
    pub async fn bots_of(&self, owner: &PlayerId) -> Result<Vec<Bot>, StoreFault> {
        let query = bots::Entity::find()
            .filter(bots::Column::OwnerId.eq(owner.as_str()))
            .order_by_asc(bots::Column::Id)
            .limit(BOTS_MAX);
        query.all(self.db.read()).await?.into_iter().map(convert::bot).collect()
    }

    /// Bots, newest first, from `after` on; those of one owner when it is named.
    ///
    /// # Errors
    ///
    /// Faults of the database.
    pub async fn list_bots(
        &self,
        owner: Option<&PlayerId>,
        limit: u64,
        after: Option<String>,
    ) -> Result<BotPage, StoreFault> {
        let mut query = bots::Entity::find().order_by_desc(bots::Column::Id).limit(limit + 1);
        if let Some(owner) = owner {
            query = query.filter(bots::Column::OwnerId.eq(owner.as_str()));
        }
        if let Some(after) = after {
            query = query.filter(bots::Column::Id.lt(after));
        }
        let rows = query.all(self.db.read()).await?;
        let mut bots = rows.into_iter().map(convert::bot).collect::<Result<Vec<_>, _>>()?;
        let more = bots.len() as u64 > limit;
        bots.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let next = bots.last().filter(|_| more).map(|bot| bot.id.to_string());
        Ok(BotPage { bots, next })
    }
}

async fn insert_bot(
    tx: &impl ConnectionTrait,
    bot: &Bot,
    key: &KeyRecord,
    asked: Option<&Replay>,
) -> Result<Created, StoreFault> {
    if let Some(asked) = asked {
        if let Some(made) = replay::find(tx, asked).await? {
            return Ok(Created::Before(made));
        }
        replay::keep(tx, asked, bot.id.as_str()).await?;
    }
    take_name(tx, &bot.name, bot.id.as_str()).await?;
    let owned = bots::Entity::find().filter(bots::Column::OwnerId.eq(bot.owner_id.as_str())).count(tx).await?;
    if owned >= BOTS_MAX {
        return Err(IdentityFault::TooMany("an owner has at most 100 bots").into());
    }
    convert::bot_row(bot)?.insert(tx).await?;
    convert::key_row(key).insert(tx).await?;
    Ok(Created::New)
}

async fn rename(tx: &impl ConnectionTrait, before: &Bot, after: &Bot) -> Result<(), StoreFault> {
    take_name(tx, &after.name, after.id.as_str()).await?;
    if before.name.folded() != after.name.folded() {
        names::Entity::delete_by_id(before.name.folded()).exec(tx).await?;
    }
    Ok(())
}
