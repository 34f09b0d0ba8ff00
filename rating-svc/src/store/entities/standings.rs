//! Where everybody stands in each game.

use sea_orm::entity::prelude::*;

/// A row.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "standings")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub game: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub participant_id: String,
    /// Whether it is a bot.
    pub on_board: bool,
    pub name: String,
    pub owner_id: String,
    pub owner_name: String,
    pub rating: f64,
    pub deviation: f64,
    pub volatility: f64,
    pub wins: i64,
    pub draws: i64,
    pub losses: i64,
    pub won_points: i64,
    pub lost_points: i64,
    pub last_finished_at_ms: Option<i64>,
    pub last_set_id: Option<String>,
    /// Recent peaks of the rating as JSON.
    pub peaks: String,
    /// Grows with each change; 0 before the first.
    pub version: i64,
    /// When it last changed.
    pub touched_at_ms: i64,
}

/// Nothing refers to anything here.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
