//! Practice statistics of persons.

use sea_orm::entity::prelude::*;

/// A row.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "practice")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub player_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub game: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub board: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub level: String,
    pub wins: i64,
    pub losses: i64,
    pub current_streak: i64,
    pub best_streak: i64,
    pub last_finished_at_ms: Option<i64>,
    pub last_set_id: Option<String>,
}

/// Nothing refers to anything here.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
