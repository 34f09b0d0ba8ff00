//! Bots and players that an operator keeps from new sets. Not here: strikes; a participant suspends itself by those.

use farside_kit::operator::{self, LogEntry};
use farside_kit::time::UnixMs;
use sea_orm::{DatabaseTransaction, DbErr};

use super::sql::{execute, list, one};
use super::{Store, WriteFault};
use crate::domain::fault::{MatchFault, Refusal};
use crate::domain::standing::Subject;

impl Store {
    /// Since when one of these is suspended; none when none is.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn suspended_since(&self, ids: &[&str]) -> Result<Option<UnixMs>, MatchFault> {
        let sql = format!(
            "SELECT since_ms FROM suspensions WHERE subject_id IN ({}) ORDER BY since_ms LIMIT 1",
            list(1, ids.len())
        );
        let row = one(self.reader(), sql, ids.iter().map(|id| (*id).into()).collect()).await?;
        Ok(row.map(|row| row.try_get_by_index(0)).transpose()?.map(UnixMs))
    }

    /// Suspends `subject` unless it is suspended already, and logs that it was asked for. False when another call with
    /// the same key was first.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn suspend(&self, subject: Subject, entry: LogEntry) -> Result<bool, MatchFault> {
        let written = self.db.write::<_, _, DbErr>(move |tx| {
            let (subject, entry) = (subject.clone(), entry.clone());
            Box::pin(async move {
                let is_new = operator::append(tx, &entry).await?;
                if is_new {
                    insert(tx, &subject, entry.at()).await?;
                }
                Ok(is_new)
            })
        });
        Ok(written.await?)
    }

    /// Takes the suspension of `subject` back, and logs it. False when another call with the same key was first.
    ///
    /// # Errors
    ///
    /// [`Refusal::NotSuspended`]; those of the database.
    pub async fn unsuspend(&self, subject: Subject, entry: LogEntry) -> Result<bool, MatchFault> {
        let written = self.db.write::<_, _, WriteFault>(move |tx| {
            let (subject, entry) = (subject.clone(), entry.clone());
            Box::pin(async move {
                let is_new = operator::append(tx, &entry).await?;
                if is_new && remove(tx, &subject).await? == 0 {
                    return Err(WriteFault::Refused(Refusal::NotSuspended));
                }
                Ok(is_new)
            })
        });
        Ok(written.await?)
    }
}

async fn insert(tx: &DatabaseTransaction, subject: &Subject, since: UnixMs) -> Result<(), DbErr> {
    let sql = "INSERT INTO suspensions (subject_id, since_ms) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    execute(tx, sql, vec![subject.as_str().into(), since.0.into()]).await.map(drop)
}

async fn remove(tx: &DatabaseTransaction, subject: &Subject) -> Result<u64, DbErr> {
    execute(tx, "DELETE FROM suspensions WHERE subject_id = $1", vec![subject.as_str().into()]).await
}
