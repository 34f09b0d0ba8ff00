//! Sets whose events are deleted, and the records that stay. Not here: when that is done.

use farside_kit::time::UnixMs;
use sea_orm::{DatabaseTransaction, DbErr};

use super::Store;
use super::sql::{all, execute, one};
use crate::domain::fault::MatchFault;
use crate::domain::ids::SetId;

impl Store {
    /// Sets that ended before `before` and still have their events, those that ended first first.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn ended_with_events(&self, before: UnixMs, limit: u32) -> Result<Vec<SetId>, MatchFault> {
        let sql = format!(
            "SELECT id FROM sets WHERE has_events = 1 AND finished_at_ms < $1 ORDER BY finished_at_ms LIMIT {limit}"
        );
        let rows = all(self.reader(), sql, vec![before.0.into()]).await?;
        Ok(rows.iter().map(|row| row.try_get_by_index(0).map(SetId)).collect::<Result<_, DbErr>>()?)
    }

    /// Whether a set's events are kept.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn has_events(&self, id: &SetId) -> Result<bool, MatchFault> {
        let sql = "SELECT 1 FROM sets WHERE id = $1 AND has_events = 1";
        Ok(one(self.reader(), sql, vec![id.as_str().into()]).await?.is_some())
    }

    /// The record that was kept when a set's events were deleted.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn kept_record(&self, id: &SetId) -> Result<Option<String>, MatchFault> {
        let row = one(self.reader(), "SELECT record FROM set_records WHERE set_id = $1", vec![id.as_str().into()]);
        Ok(row.await?.map(|row| row.try_get_by_index(0)).transpose()?)
    }

    /// Keeps a set's record and deletes its events; says how many there were. Nothing happens when another replica was
    /// first.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn forget_events(&self, id: SetId, record: String, now: UnixMs) -> Result<u64, MatchFault> {
        let forgotten = self.db.write::<_, _, DbErr>(move |tx| {
            let (id, record) = (id.clone(), record.clone());
            Box::pin(async move { forget(tx, &id, &record, now).await })
        });
        Ok(forgotten.await?)
    }
}

async fn forget(tx: &DatabaseTransaction, id: &SetId, record: &str, now: UnixMs) -> Result<u64, DbErr> {
    let mark = "UPDATE sets SET has_events = 0 WHERE id = $1 AND has_events = 1";
    if execute(tx, mark, vec![id.as_str().into()]).await? == 0 {
        return Ok(0);
    }
    let keep = "INSERT INTO set_records (set_id, record, kept_at_ms) VALUES ($1, $2, $3)";
    execute(tx, keep, vec![id.as_str().into(), record.into(), now.0.into()]).await?;
    execute(tx, "DELETE FROM set_events WHERE set_id = $1", vec![id.as_str().into()]).await
}
