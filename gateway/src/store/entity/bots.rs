//! Bots.

use sea_orm::entity::prelude::*;

/// A bot.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "bots")]
pub struct Model {
    /// `bot_…`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// `player_…`.
    pub owner_id: String,
    /// The owner's name; players keep theirs.
    pub owner_name: String,
    /// As it was written.
    pub name: String,
    /// What it says of itself.
    pub description: String,
    /// The most that it may stake on one set.
    pub max_stake_points: i64,
    /// Its acceptance policy as JSON.
    #[sea_orm(column_type = "Text")]
    pub accepts_json: String,
    /// When it was made.
    pub created_at_ms: i64,
}

/// No relations: rows are found by key.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
