//! Players.

use sea_orm::entity::prelude::*;

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "players")]
pub struct Model {
    /// `player_…`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// As it was written.
    pub name: String,
    /// When it signed up.
    pub created_at_ms: i64,
    /// When the sign-up grant was acknowledged by the ledger.
    pub granted_at_ms: Option<i64>,
    /// Whether it has not signed up.
    pub is_guest: bool,
}

/// No relations: rows are found by key.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
