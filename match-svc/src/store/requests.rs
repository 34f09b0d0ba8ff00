//! Requests that changed something, so that a repeated one gets the first answer. Not here: what the answer was; it
//! follows from the challenge, or from the set's log up to the event that is noted here.

use farside_kit::time::UnixMs;
use sea_orm::DatabaseTransaction;

use super::sql::{execute, one, rows};
use super::{Store, WriteFault};
use crate::domain::fault::{MatchFault, Refusal};
use crate::domain::ids::{ParticipantId, Seq};

/// A request to remember.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Who asked.
    pub actor_id: ParticipantId,
    /// Its idempotency key.
    pub request_id: String,
    /// Hash of method and content.
    pub fingerprint: String,
    /// The challenge or set that it is about.
    pub subject: String,
    /// How a set was shown in its answer; none when the answer follows from the subject.
    pub first: Option<FirstAnswer>,
    /// When it came.
    pub at: UnixMs,
}

/// How a set was shown in the first answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstAnswer {
    /// Just after this event.
    pub seq: Seq,
    /// Whether the actor's placement for the running round was in.
    pub submitted: bool,
}

/// What is known of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It is new.
    Never,
    /// It was carried out.
    Before {
        /// What it is about.
        subject: String,
        /// How a set was shown in its answer, where that was noted.
        first: Option<FirstAnswer>,
    },
}

impl Store {
    /// Looks whether a request was carried out before.
    ///
    /// # Errors
    ///
    /// [`Refusal::IdempotencyMismatch`] when its key was used for another one.
    pub async fn seen(&self, actor: &ParticipantId, request_id: &str, fingerprint: &str) -> Result<Seen, MatchFault> {
        if request_id.is_empty() {
            return Ok(Seen::Never);
        }
        let sql = "SELECT fingerprint, subject, seq, submitted FROM requests WHERE actor_id = $1 AND request_id = $2";
        let row = one(self.reader(), sql, vec![actor.as_str().into(), request_id.into()]).await?;
        let Some(row) = row else {
            return Ok(Seen::Never);
        };
        let known: String = row.try_get_by_index(0)?;
        if known != fingerprint {
            return Err(Refusal::IdempotencyMismatch.into());
        }
        let seq: Option<i64> = row.try_get_by_index(2)?;
        let submitted: i64 = row.try_get_by_index(3)?;
        let first = seq.map(|seq| FirstAnswer { seq: Seq(seq), submitted: submitted != 0 });
        Ok(Seen::Before { subject: row.try_get_by_index(1)?, first })
    }

    /// Whether there are requests from before `before`.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn has_requests_before(&self, before: UnixMs) -> Result<bool, MatchFault> {
        let sql = "SELECT 1 FROM requests WHERE created_at_ms < $1 LIMIT 1";
        Ok(one(self.reader(), sql, vec![before.0.into()]).await?.is_some())
    }

    /// Forgets requests from before `before`.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn forget_requests(&self, before: UnixMs) -> Result<u64, MatchFault> {
        let forgotten = self.db.write::<_, _, sea_orm::DbErr>(move |tx| {
            Box::pin(async move {
                execute(tx, "DELETE FROM requests WHERE created_at_ms < $1", vec![before.0.into()]).await
            })
        });
        Ok(forgotten.await?)
    }
}

/// Remembers a request; answers what it is about when it was remembered already.
pub(super) async fn claim(tx: &DatabaseTransaction, request: &Request) -> Result<Option<String>, WriteFault> {
    if insert(tx, std::iter::once(request)).await? == 1 {
        return Ok(None);
    }
    let sql = "SELECT fingerprint, subject FROM requests WHERE actor_id = $1 AND request_id = $2";
    let values = vec![request.actor_id.as_str().into(), request.request_id.as_str().into()];
    let Some(row) = one(tx, sql, values).await? else {
        return Ok(None);
    };
    let known: String = row.try_get_by_index(0)?;
    if known != request.fingerprint {
        return Err(WriteFault::Refused(Refusal::IdempotencyMismatch));
    }
    Ok(Some(row.try_get_by_index(1)?))
}

pub(super) async fn insert<'a>(
    tx: &DatabaseTransaction,
    requests: impl Iterator<Item = &'a Request>,
) -> Result<u64, WriteFault> {
    let mut values = Vec::new();
    for request in requests {
        values.extend([
            request.actor_id.as_str().into(),
            request.request_id.as_str().into(),
            request.fingerprint.as_str().into(),
            request.subject.as_str().into(),
            request.at.0.into(),
            request.first.map(|first| first.seq.0).into(),
            i64::from(request.first.is_some_and(|first| first.submitted)).into(),
        ]);
    }
    if values.is_empty() {
        return Ok(0);
    }
    let sql = format!(
        "INSERT INTO requests (actor_id, request_id, fingerprint, subject, created_at_ms, seq, submitted) VALUES {} ON CONFLICT DO NOTHING",
        rows(values.len() / 7, 7)
    );
    Ok(execute(tx, sql, values).await?)
}
