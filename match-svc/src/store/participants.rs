//! What is counted of a participant: active sets, open challenges, strikes. Not here: names, keys, balances.

use farside_kit::time::UnixMs;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use super::sql::{all, execute, one, rows};
use super::{Store, WriteFault};
use crate::domain::fault::{MatchFault, Refusal};
use crate::domain::ids::{ParticipantId, Seq, SetId};
use crate::domain::standing::Strike;

/// Refuses when one of `ids` has as many active sets and open challenges as it may. The rows are locked until the end of
/// the transaction, so that two at once cannot both be the last.
pub(super) async fn check_limit(
    tx: &DatabaseTransaction,
    ids: &[ParticipantId],
    limit: u32,
    now: UnixMs,
) -> Result<(), WriteFault> {
    lock(tx, ids, now).await?;
    for id in ids {
        if count(tx, id).await? >= i64::from(limit) {
            return Err(WriteFault::Refused(Refusal::TooManySets { limit }));
        }
    }
    Ok(())
}

async fn lock(tx: &DatabaseTransaction, ids: &[ParticipantId], now: UnixMs) -> Result<(), DbErr> {
    let mut ids: Vec<&ParticipantId> = ids.iter().collect();
    ids.sort();
    ids.dedup();
    if ids.is_empty() {
        return Ok(());
    }
    let values = ids.iter().flat_map(|id| [id.as_str().into(), now.0.into()]).collect();
    let sql = format!(
        "INSERT INTO participants (id, touched_ms) VALUES {} ON CONFLICT (id) DO UPDATE SET touched_ms = excluded.touched_ms",
        rows(ids.len(), 2)
    );
    execute(tx, sql, values).await?;
    Ok(())
}

async fn count<C: ConnectionTrait>(connection: &C, id: &ParticipantId) -> Result<i64, DbErr> {
    let sql = "SELECT (SELECT COUNT(*) FROM participant_sets WHERE participant_id = $1 AND active = 1) \
               + (SELECT COUNT(*) FROM challenges WHERE creator_id = $1 AND status IN (0, 1)) \
               + (SELECT COUNT(*) FROM challenges WHERE claim_by = $1 AND status IN (0, 1))";
    let row = one(connection, sql, vec![id.as_str().into()]).await?;
    row.map_or(Ok(0), |row| row.try_get_by_index(0))
}

impl Store {
    /// Active sets and open challenges of a participant together.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn active_count(&self, id: &ParticipantId) -> Result<u32, MatchFault> {
        Ok(u32::try_from(count(self.reader(), id).await?).unwrap_or(u32::MAX))
    }

    /// A participant's strikes since `since`, newest first.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn strikes(&self, id: &ParticipantId, since: UnixMs) -> Result<Vec<Strike>, MatchFault> {
        let sql =
            "SELECT set_id, at_ms FROM strikes WHERE participant_id = $1 AND at_ms > $2 ORDER BY at_ms DESC LIMIT 100";
        let rows = all(self.reader(), sql, vec![id.as_str().into(), since.0.into()]).await?;
        let read = |row: &sea_orm::QueryResult| -> Result<Strike, DbErr> {
            Ok(Strike { set_id: SetId(row.try_get_by_index(0)?), at: UnixMs(row.try_get_by_index(1)?) })
        };
        Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
    }

    /// The active sets of a participant with the number of their last event.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn active_sets(&self, id: &ParticipantId) -> Result<Vec<(SetId, Seq)>, MatchFault> {
        let sql = "SELECT p.set_id, s.last_seq FROM participant_sets p JOIN set_states s ON s.set_id = p.set_id \
                   WHERE p.participant_id = $1 AND p.active = 1 ORDER BY p.set_id";
        let rows = all(self.reader(), sql, vec![id.as_str().into()]).await?;
        let read = |row: &sea_orm::QueryResult| -> Result<(SetId, Seq), DbErr> {
            Ok((SetId(row.try_get_by_index(0)?), Seq(row.try_get_by_index(1)?)))
        };
        Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
    }
}

/// What concerned a participant lately.
#[derive(Clone, Debug)]
pub struct RecentSets {
    /// Sets that are active or ended since the moment asked for.
    pub sets: Vec<(SetId, Seq)>,
}

impl Store {
    /// Sets of a participant that are active, or ended at `since` or later, with the number of their last event.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn recent_sets(&self, id: &ParticipantId, since: UnixMs) -> Result<RecentSets, MatchFault> {
        let sql = "SELECT p.set_id, t.last_seq FROM participant_sets p JOIN sets s ON s.id = p.set_id \
                   JOIN set_states t ON t.set_id = p.set_id \
                   WHERE p.participant_id = $1 AND (p.active = 1 OR s.finished_at_ms >= $2) ORDER BY p.set_id";
        let rows = all(self.reader(), sql, vec![id.as_str().into(), since.0.into()]).await?;
        let read = |row: &sea_orm::QueryResult| -> Result<(SetId, Seq), DbErr> {
            Ok((SetId(row.try_get_by_index(0)?), Seq(row.try_get_by_index(1)?)))
        };
        Ok(RecentSets { sets: rows.iter().map(read).collect::<Result<_, _>>()? })
    }
}
