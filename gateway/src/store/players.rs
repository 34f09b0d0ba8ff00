//! Players: signing up, looking up, and remembering that the grant arrived.
//!
//! Not here: the grant itself.

use sea_orm::sea_query::Expr;
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::entity::{names, players};
use super::{Store, StoreFault, convert};
use crate::domain::account::{Account, Player};
use crate::domain::fault::IdentityFault;
use crate::domain::ids::{BotId, PlayerId};
use crate::domain::key::{Holder, KeyRecord};
use crate::domain::name::{self, Name};

/// A page of players.
#[derive(Clone, Debug)]
pub struct PlayerPage {
    /// Newest first.
    pub players: Vec<Player>,
    /// The id to go on from, when there is more.
    pub next: Option<String>,
}

impl Store {
    /// Signs a player up with its first key.
    ///
    /// # Errors
    ///
    /// `NAME_TAKEN`; faults of the database.
    pub async fn create_player(&self, player: Player, key: KeyRecord) -> Result<(), StoreFault> {
        let written = self.db.write(move |tx| {
            let (player, key) = (player.clone(), key.clone());
            Box::pin(async move {
                take_name(tx, &player.name, player.id.as_str()).await?;
                convert::player_row(&player).insert(tx).await?;
                convert::key_row(&key).insert(tx).await?;
                Ok(())
            })
        });
        written.await.map_err(lost_is_taken)
    }

    /// Remembers that the ledger has acknowledged the sign-up grant.
    ///
    /// # Errors
    ///
    /// Faults of the database.
    pub async fn mark_granted(&self, id: &PlayerId, now_ms: i64) -> Result<(), StoreFault> {
        let id = id.to_string();
        self.db
            .write(move |tx| {
                let id = id.clone();
                Box::pin(async move {
                    let update = players::Entity::update_many()
                        .col_expr(players::Column::GrantedAtMs, Expr::value(now_ms))
                        .filter(players::Column::Id.eq(id));
                    update.exec(tx).await?;
                    Ok(())
                })
            })
            .await
    }

    /// The player with this id.
    ///
    /// # Errors
    ///
    /// Faults of the database.
    pub async fn player(&self, id: &PlayerId) -> Result<Option<Player>, StoreFault> {
        let row = players::Entity::find_by_id(id.to_string()).one(self.db.read()).await?;
        row.map(convert::player).transpose()
    }

    /// Players who have signed up, newest first, from `after` on.
    ///
    /// # Errors
    ///
    /// Faults of the database.
    pub async fn list_players(&self, limit: u64, after: Option<String>) -> Result<PlayerPage, StoreFault> {
        let mut query = players::Entity::find()
            .filter(players::Column::IsGuest.eq(false))
            .order_by_desc(players::Column::Id)
            .limit(limit + 1);
        if let Some(after) = after {
            query = query.filter(players::Column::Id.lt(after));
        }
        let rows = query.all(self.db.read()).await?;
        let mut players = rows.into_iter().map(convert::player).collect::<Result<Vec<_>, _>>()?;
        let more = players.len() as u64 > limit;
        players.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let next = players.last().filter(|_| more).map(|player| player.id.to_string());
        Ok(PlayerPage { players, next })
    }

    /// The account with this id or name.
    ///
    /// # Errors
    ///
    /// Faults of the database.
    pub async fn account_by(&self, id_or_name: &str) -> Result<Option<Account>, StoreFault> {
        if let Some(holder) = convert::holder(id_or_name) {
            return self.account(&holder).await;
        }
        let row = names::Entity::find_by_id(name::fold(id_or_name)).one(self.db.read()).await?;
        match row.and_then(|row| convert::holder(&row.holder_id)) {
            Some(holder) => self.account(&holder).await,
            None => Ok(None),
        }
    }

    /// The account that a key speaks for.
    ///
    /// # Errors
    ///
    /// Faults of the database.
    pub async fn account(&self, holder: &Holder) -> Result<Option<Account>, StoreFault> {
        match holder {
            Holder::Player(id) => Ok(self.player(id).await?.map(Account::Player)),
            Holder::Bot(id) => Ok(self.bot(id).await?.map(Account::Bot)),
        }
    }

    /// The bot with this id.
    ///
    /// # Errors
    ///
    /// Faults of the database.
    pub async fn bot(&self, id: &BotId) -> Result<Option<crate::domain::account::Bot>, StoreFault> {
        let row = super::entity::bots::Entity::find_by_id(id.to_string()).one(self.db.read()).await?;
        row.map(convert::bot).transpose()
    }
}

/// Takes a name for its holder.
pub(super) async fn take_name(tx: &impl ConnectionTrait, name: &Name, holder_id: &str) -> Result<(), StoreFault> {
    let taken = names::Entity::find_by_id(name.folded()).one(tx).await?;
    match taken {
        Some(row) if row.holder_id == holder_id => Ok(()),
        Some(_) => Err(IdentityFault::NameTaken.into()),
        None => {
            convert::name_row(name, holder_id).insert(tx).await?;
            Ok(())
        }
    }
}

/// Ids and key parts are random: a row that was there first can only be the name.
pub(super) fn lost_is_taken(fault: StoreFault) -> StoreFault {
    match fault {
        StoreFault::Lost(_) => IdentityFault::NameTaken.into(),
        other => other,
    }
}
