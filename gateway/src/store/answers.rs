//! First answers to requests with an idempotency key, byte for byte.
//!
//! Whoever carries a request out recognises it too, so that it is done once even when its answer was never kept. Not
//! here: which requests are answered so.

use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use super::entity::answers;
use super::{Replay, Store, StoreFault};
use crate::domain::fault::IdentityFault;

/// How long an answer is kept, in milliseconds: a week.
const KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1_000;

/// An answer to be given again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: String,
}

impl Store {
    /// The first answer to this request, if one was kept.
    ///
    /// # Errors
    ///
    /// `IDEMPOTENCY_MISMATCH`; faults of the database.
    pub async fn first_answer(&self, asked: &Replay) -> Result<Option<Answer>, StoreFault> {
        find(self.db.read(), asked).await
    }

    /// Keeps an answer unless one is kept already, and returns the one that is kept. Forgets old ones of the same actor.
    ///
    /// # Errors
    ///
    /// `IDEMPOTENCY_MISMATCH`; faults of the database.
    pub async fn keep_answer(&self, asked: Replay, answer: Answer) -> Result<Answer, StoreFault> {
        let again = asked.clone();
        let written = self.db.write(move |tx| {
            let (asked, answer) = (asked.clone(), answer.clone());
            Box::pin(async move { keep(tx, &asked, answer).await })
        });
        match written.await {
            Err(StoreFault::Lost(error)) => {
                let kept = find(self.db.read(), &again).await?;
                kept.ok_or(StoreFault::Lost(error))
            }
            outcome => outcome,
        }
    }
}

async fn find(db: &impl ConnectionTrait, asked: &Replay) -> Result<Option<Answer>, StoreFault> {
    let id = (asked.actor_id.clone(), asked.request_id.clone());
    match answers::Entity::find_by_id(id).one(db).await? {
        None => Ok(None),
        Some(row) if row.content_hash == asked.content_hash => {
            let status = u16::try_from(row.status).map_err(|_| StoreFault::Corrupt("answers"))?;
            Ok(Some(Answer { status, body: row.body }))
        }
        Some(_) => Err(IdentityFault::IdempotencyMismatch.into()),
    }
}

async fn keep(tx: &impl ConnectionTrait, asked: &Replay, answer: Answer) -> Result<Answer, StoreFault> {
    let old = answers::Entity::delete_many()
        .filter(answers::Column::ActorId.eq(asked.actor_id.as_str()))
        .filter(answers::Column::CreatedAtMs.lt(asked.now_ms - KEPT_MS));
    old.exec(tx).await?;
    if let Some(kept) = find(tx, asked).await? {
        return Ok(kept);
    }
    let row = answers::ActiveModel {
        actor_id: Set(asked.actor_id.clone()),
        request_id: Set(asked.request_id.clone()),
        content_hash: Set(asked.content_hash.clone()),
        status: Set(answer.status.into()),
        body: Set(answer.body.clone()),
        created_at_ms: Set(asked.now_ms),
    };
    row.insert(tx).await?;
    Ok(answer)
}
