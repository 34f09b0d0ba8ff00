//! Answers to creating requests that carried an idempotency key.

use sea_orm::entity::prelude::*;

/// A first answer.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "replays")]
pub struct Model {
    /// Who asked.
    #[sea_orm(primary_key, auto_increment = false)]
    pub actor_id: String,
    /// The idempotency key.
    #[sea_orm(primary_key, auto_increment = false)]
    pub request_id: String,
    /// SHA-256 of what was asked, in hex.
    pub content_hash: String,
    /// The id of what was made.
    pub made_id: String,
    /// When.
    pub created_at_ms: i64,
}

/// No relations: rows are found by key.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
