//! Keys, as hashes.

use sea_orm::entity::prelude::*;

/// A key.
#[derive(Clone, PartialEq, Eq, Debug, DeriveEntityModel)]
#[sea_orm(table_name = "keys")]
pub struct Model {
    /// `key_…`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// The part by which it is looked up.
    #[sea_orm(unique)]
    pub public: String,
    /// SHA-256 of the whole, in hex.
    pub hash_hex: String,
    /// `player_…` or `bot_…`.
    pub holder_id: String,
    /// Whether it keeps a browser signed in.
    pub is_session: bool,
    /// When it was made.
    pub created_at_ms: i64,
    /// When it ends by itself.
    pub expires_at_ms: Option<i64>,
    /// When it was revoked.
    pub revoked_at_ms: Option<i64>,
}

/// No relations: rows are found by key.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
