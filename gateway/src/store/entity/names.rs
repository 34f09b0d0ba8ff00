//! The one namespace of players and bots.

use sea_orm::entity::prelude::*;

/// A name in use.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "names")]
pub struct Model {
    /// The name, folded.
    #[sea_orm(primary_key, auto_increment = false)]
    pub folded: String,
    /// `player_…` or `bot_…`.
    pub holder_id: String,
}

/// No relations: rows are found by key.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
