//! First answers to creating requests, so that a repeated request makes nothing twice.
//!
//! Not here: what is answered; what was made is read again by its id.

use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, ConnectionTrait, EntityTrait};

use super::StoreFault;
use super::entity::replays;
use crate::domain::fault::IdentityFault;

/// What a repeated request is known by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// Who asks.
    pub actor_id: String,
    /// The idempotency key.
    pub request_id: String,
    /// SHA-256 of what is asked, in hex.
    pub content_hash: String,
    /// When.
    pub now_ms: i64,
}

/// How a creating request came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Created {
    /// It was made now.
    New,
    /// An earlier request made it: the id of what it made.
    Before(String),
}

/// What an earlier request with this key made.
pub(super) async fn find(db: &impl ConnectionTrait, replay: &Replay) -> Result<Option<String>, StoreFault> {
    let id = (replay.actor_id.clone(), replay.request_id.clone());
    match replays::Entity::find_by_id(id).one(db).await? {
        None => Ok(None),
        Some(row) if row.content_hash == replay.content_hash => Ok(Some(row.made_id)),
        Some(_) => Err(IdentityFault::IdempotencyMismatch.into()),
    }
}

/// Remembers what this request makes.
pub(super) async fn keep(db: &impl ConnectionTrait, replay: &Replay, made_id: &str) -> Result<(), StoreFault> {
    let row = replays::ActiveModel {
        actor_id: Set(replay.actor_id.clone()),
        request_id: Set(replay.request_id.clone()),
        content_hash: Set(replay.content_hash.clone()),
        made_id: Set(made_id.to_owned()),
        created_at_ms: Set(replay.now_ms),
    };
    row.insert(db).await?;
    Ok(())
}
