//! The log of sets as they were told.

use sea_orm::entity::prelude::*;

/// A row.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "sets")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub set_id: String,
    pub game: String,
    pub rated: bool,
    pub finished_at_ms: i64,
    pub practice_player: Option<String>,
    pub practice_board: Option<String>,
    pub practice_level: Option<String>,
    /// The set as JSON.
    pub content: String,
    /// What was answered, as JSON; absent while the transaction that records the set is under way.
    pub answer: Option<String>,
}

/// Nothing refers to anything here.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
