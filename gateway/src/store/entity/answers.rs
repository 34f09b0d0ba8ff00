//! First answers to requests that carried an idempotency key.

use sea_orm::entity::prelude::*;

/// A first answer.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "answers")]
pub struct Model {
    /// Who asked.
    #[sea_orm(primary_key, auto_increment = false)]
    pub actor_id: String,
    /// The idempotency key.
    #[sea_orm(primary_key, auto_increment = false)]
    pub request_id: String,
    /// SHA-256 of what was asked, in hex.
    pub content_hash: String,
    /// The HTTP status.
    pub status: i64,
    /// The body, without what is shown but once.
    #[sea_orm(column_type = "Text")]
    pub body: String,
    /// When.
    pub created_at_ms: i64,
}

/// No relations: rows are found by key.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
