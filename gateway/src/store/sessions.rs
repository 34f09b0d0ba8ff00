//! Signed-in browsers, and guests who sign up.
//!
//! A session is a key that is never shown. Not here: the cookie that holds it.

use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, ExprTrait, QueryFilter, QueryOrder,
    QuerySelect,
};

use super::entity::{keys, names, players};
use super::keys::unrevoked;
use super::players::{lost_is_taken, take_name};
use super::{Store, StoreFault, convert};
use crate::domain::account::Player;
use crate::domain::fault::IdentityFault;
use crate::domain::key::{Holder, KeyRecord};

/// Most browsers in which one player is signed in; the oldest is signed out.
const SESSIONS_MAX: u64 = 32;

impl Store {
    /// The live sessions of a holder, newest first.
    ///
    /// # Errors
    ///
    /// Faults of the database.
    pub async fn sessions_of(&self, holder: &Holder) -> Result<Vec<KeyRecord>, StoreFault> {
        let query = unrevoked(holder).filter(keys::Column::IsSession.eq(true)).order_by_desc(keys::Column::Id);
        query.all(self.db.read()).await?.into_iter().map(convert::key).collect()
    }

    /// Adds a session, and forgets those of the same holder that have ended or are too many.
    ///
    /// # Errors
    ///
    /// Faults of the database.
    pub async fn add_session(&self, session: KeyRecord) -> Result<(), StoreFault> {
        let written = self.db.write(move |tx| {
            let session = session.clone();
            Box::pin(async move {
                forget_sessions(tx, &session).await?;
                convert::key_row(&session).insert(tx).await?;
                Ok(())
            })
        });
        written.await
    }

    /// Signs up a guest: another name, a key of its own, and no guest any more. Its sessions as a guest end.
    ///
    /// # Errors
    ///
    /// In order: `NOT_FOUND`, `FORBIDDEN` when it has signed up already, `NAME_TAKEN`; faults of the database.
    pub async fn sign_up_guest(&self, player: Player, key: KeyRecord) -> Result<(), StoreFault> {
        let written = self.db.write(move |tx| {
            let (player, key) = (player.clone(), key.clone());
            Box::pin(async move {
                let row = players::Entity::find_by_id(player.id.to_string()).one(tx).await?;
                let before = convert::player(row.ok_or(IdentityFault::NotFound("player"))?)?;
                if !before.is_guest {
                    return Err(IdentityFault::Forbidden("this guest has signed up already").into());
                }
                take_name(tx, &player.name, player.id.as_str()).await?;
                names::Entity::delete_by_id(before.name.folded()).exec(tx).await?;
                convert::player_row(&player).reset_all().update(tx).await?;
                keys::Entity::delete_many().filter(keys::Column::HolderId.eq(player.id.as_str())).exec(tx).await?;
                convert::key_row(&key).insert(tx).await?;
                Ok(())
            })
        });
        written.await.map_err(lost_is_taken)
    }
}

async fn forget_sessions(tx: &impl ConnectionTrait, new: &KeyRecord) -> Result<(), StoreFault> {
    let mine = keys::Column::HolderId.eq(convert::holder_id(&new.holder)).and(keys::Column::IsSession.eq(true));
    let too_many: Vec<String> = keys::Entity::find()
        .filter(mine.clone())
        .order_by_desc(keys::Column::Id)
        .offset(SESSIONS_MAX - 1)
        .limit(SESSIONS_MAX)
        .all(tx)
        .await?
        .into_iter()
        .map(|row| row.id)
        .collect();
    let ended = Condition::any()
        .add(keys::Column::RevokedAtMs.is_not_null())
        .add(keys::Column::ExpiresAtMs.lte(new.created_at_ms))
        .add(keys::Column::Id.is_in(too_many));
    keys::Entity::delete_many().filter(mine).filter(ended).exec(tx).await?;
    Ok(())
}
