//! Keys: looking up by public part, adding, listing, revoking.
//!
//! Not here: comparing secrets, which the domain does in constant time.

use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, Select,
};

use super::entity::keys;
use super::players::lost_is_taken;
use super::{Created, Replay, Store, StoreFault, convert, replay};
use crate::domain::fault::IdentityFault;
use crate::domain::ids::KeyId;
use crate::domain::key::{Holder, KeyRecord};

/// Most live keys of one player or bot.
pub(crate) const KEYS_MAX: u64 = 20;

impl Store {
    /// The key with this public part, whether it counts or not.
    ///
    /// # Errors
    ///
    /// Faults of the database.
    pub async fn key_by_public(&self, public: &str) -> Result<Option<KeyRecord>, StoreFault> {
        let query = keys::Entity::find().filter(keys::Column::Public.eq(public));
        query.one(self.db.read()).await?.map(convert::key).transpose()
    }

    /// The key with this id, whether it counts or not.
    ///
    /// # Errors
    ///
    /// Faults of the database.
    pub async fn key(&self, id: &KeyId) -> Result<Option<KeyRecord>, StoreFault> {
        let row = keys::Entity::find_by_id(id.to_string()).one(self.db.read()).await?;
        row.map(convert::key).transpose()
    }

    /// The keys of a holder that are not revoked, oldest first; none that keep a browser signed in.
    ///
    /// # Errors
    ///
    /// Faults of the database.
    pub async fn keys_of(&self, holder: &Holder) -> Result<Vec<KeyRecord>, StoreFault> {
        let query = unrevoked(holder).filter(keys::Column::IsSession.eq(false)).order_by_asc(keys::Column::Id);
        query.all(self.db.read()).await?.into_iter().map(convert::key).collect()
    }

    /// Adds a key to its holder, once for an idempotency key.
    ///
    /// # Errors
    ///
    /// In order: `IDEMPOTENCY_MISMATCH`, `LIMIT_REACHED`; faults of the database.
    pub async fn add_key(&self, key: KeyRecord, asked: Option<Replay>) -> Result<Created, StoreFault> {
        let again = asked.clone();
        let written = self.db.write(move |tx| {
            let (key, asked) = (key.clone(), asked.clone());
            Box::pin(async move { insert_key(tx, &key, asked.as_ref()).await })
        });
        match (written.await, again) {
            (Err(StoreFault::Lost(error)), Some(asked)) => match replay::find(self.db.read(), &asked).await? {
                Some(made) => Ok(Created::Before(made)),
                None => Err(lost_is_taken(StoreFault::Lost(error))),
            },
            (outcome, _) => outcome,
        }
    }

    /// Revokes a key of this holder. Revoking it again changes nothing.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND` when the holder has no such key; faults of the database.
    pub async fn revoke_key(&self, holder: &Holder, id: &KeyId, now_ms: i64) -> Result<(), StoreFault> {
        let (holder_id, id) = (convert::holder_id(holder).to_owned(), id.to_string());
        self.db
            .write(move |tx| {
                let (holder_id, id) = (holder_id.clone(), id.clone());
                Box::pin(async move {
                    let row = keys::Entity::find_by_id(&*id).one(tx).await?;
                    row.filter(|row| row.holder_id == holder_id).ok_or(IdentityFault::NotFound("key"))?;
                    let update = keys::Entity::update_many()
                        .col_expr(keys::Column::RevokedAtMs, Expr::value(now_ms))
                        .filter(keys::Column::Id.eq(id))
                        .filter(keys::Column::RevokedAtMs.is_null());
                    update.exec(tx).await?;
                    Ok(())
                })
            })
            .await
    }
}

pub(super) fn unrevoked(holder: &Holder) -> Select<keys::Entity> {
    keys::Entity::find()
        .filter(keys::Column::HolderId.eq(convert::holder_id(holder)))
        .filter(keys::Column::RevokedAtMs.is_null())
}

async fn insert_key(tx: &impl ConnectionTrait, key: &KeyRecord, asked: Option<&Replay>) -> Result<Created, StoreFault> {
    if let Some(asked) = asked {
        if let Some(made) = replay::find(tx, asked).await? {
            return Ok(Created::Before(made));
        }
        replay::keep(tx, asked, key.id.as_str()).await?;
    }
    if unrevoked(&key.holder).filter(keys::Column::IsSession.eq(false)).count(tx).await? >= KEYS_MAX {
        return Err(IdentityFault::TooMany("at most 20 keys at a time: revoke one first").into());
    }
    convert::key_row(key).insert(tx).await?;
    Ok(Created::New)
}
