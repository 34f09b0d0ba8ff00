//! Sets as rows: reading one, finding those that something is due for. Not here: changing one; that is a commit.

use farside_kit::time::UnixMs;
use sea_orm::{DatabaseTransaction, DbBackend, DbErr};

use super::codec::FramedSet;
use super::outbox::SettlementMark;
use super::sql::{all, execute, list, one, rows};
use super::{Store, WriteFault};
use crate::domain::event::SetStatus;
use crate::domain::fault::MatchFault;
use crate::domain::ids::{Seq, SetId};
use crate::domain::set::Set;

pub(super) const fn status_number(status: SetStatus) -> i64 {
    match status {
        SetStatus::Active => 1,
        SetStatus::Finished => 2,
        SetStatus::Aborted => 3,
    }
}

pub(super) async fn insert(tx: &DatabaseTransaction, set: &Set) -> Result<(), WriteFault> {
    let info = &set.info;
    let settlement = if info.stakes.is_some() { SettlementMark::Pending } else { SettlementMark::None };
    let values = vec![
        info.id.as_str().into(),
        info.game.as_str().into(),
        status_number(set.status).into(),
        settlement.number().into(),
        info.creator.id.as_str().into(),
        info.acceptor.id.as_str().into(),
        serde_json::to_string(&**info)?.into(),
        info.created_at_ms.into(),
    ];
    let sql = format!(
        "INSERT INTO sets (id, game, status, settlement, creator_id, acceptor_id, info, created_at_ms) VALUES ({})",
        list(1, 8)
    );
    execute(tx, sql, values).await?;
    let mut values = Vec::new();
    for participant in [&info.creator, &info.acceptor] {
        values.extend([participant.id.as_str().into(), info.id.as_str().into(), 1_i64.into()]);
    }
    let sql = format!("INSERT INTO participant_sets (participant_id, set_id, active) VALUES {}", rows(2, 3));
    execute(tx, sql, values).await?;
    Ok(())
}

impl Store {
    /// Reads a set; none when there is none.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn set(&self, id: &SetId) -> Result<Option<FramedSet>, MatchFault> {
        let sql = "SELECT s.info, t.last_seq, t.state FROM sets s JOIN set_states t ON t.set_id = s.id WHERE s.id = $1";
        let Some(row) = one(self.reader(), sql, vec![id.as_str().into()]).await? else {
            return Ok(None);
        };
        let (info, seq, state): (String, i64, String) =
            (row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?);
        let framed = FramedSet::read(&info, seq, &state).map_err(WriteFault::from)?;
        Ok(Some(framed))
    }

    /// The number of a set's last event; none when there is no such set.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn last_seq(&self, id: &SetId) -> Result<Option<Seq>, MatchFault> {
        let sql = "SELECT last_seq FROM set_states WHERE set_id = $1";
        let row = one(self.reader(), sql, vec![id.as_str().into()]).await?;
        Ok(row.map(|row| row.try_get_by_index(0)).transpose()?.map(Seq))
    }

    /// What became of a set's stakes.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn settlement(&self, id: &SetId) -> Result<SettlementMark, MatchFault> {
        let row = one(self.reader(), "SELECT settlement FROM sets WHERE id = $1", vec![id.as_str().into()]).await?;
        let number: Option<i64> = row.map(|row| row.try_get_by_index(0)).transpose()?;
        Ok(SettlementMark::from_number(number.unwrap_or(0)))
    }

    /// Sets for which something was due before `before`, most overdue first. On PostgreSQL those that another
    /// replica is writing right now are passed over.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn due_sets(&self, before: UnixMs, limit: u32) -> Result<Vec<SetId>, MatchFault> {
        let sql = format!("SELECT set_id FROM set_states WHERE due_at_ms < $1 ORDER BY due_at_ms LIMIT {limit}");
        if self.db.backend() != DbBackend::Postgres {
            let rows = all(self.reader(), sql, vec![before.0.into()]).await?;
            return Ok(rows.iter().map(|row| row.try_get_by_index(0).map(SetId)).collect::<Result<_, _>>()?);
        }
        let due = self.db.write::<_, _, DbErr>(move |tx| {
            let sql = format!("{sql} FOR SHARE SKIP LOCKED");
            Box::pin(async move {
                let rows = all(tx, sql, vec![before.0.into()]).await?;
                rows.iter().map(|row| row.try_get_by_index(0).map(SetId)).collect()
            })
        });
        Ok(due.await?)
    }

    /// When the next thing is due; none when nothing is.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn next_due(&self) -> Result<Option<UnixMs>, MatchFault> {
        let row = one(self.reader(), "SELECT MIN(due_at_ms) FROM set_states", Vec::new()).await?;
        let due: Option<Option<i64>> = row.map(|row| row.try_get_by_index(0)).transpose()?;
        Ok(due.flatten().map(UnixMs))
    }

    /// Sets in which a house bot is to act.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn house_sets(&self, limit: u32) -> Result<Vec<SetId>, MatchFault> {
        let sql = format!("SELECT set_id FROM set_states WHERE house_due = 1 LIMIT {limit}");
        let rows = all(self.reader(), sql, Vec::new()).await?;
        Ok(rows.iter().map(|row| row.try_get_by_index(0).map(SetId)).collect::<Result<_, _>>()?)
    }

    /// Timed active sets with an id after `after`, in order of their ids: those that an outage concerns.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn timed_sets(&self, after: &SetId, limit: u32) -> Result<Vec<TimedSet>, MatchFault> {
        let sql = format!(
            "SELECT s.info, t.last_seq, t.state, t.house_due FROM set_states t JOIN sets s ON s.id = t.set_id \
             WHERE t.due_at_ms IS NOT NULL AND s.status = 1 AND t.set_id > $1 ORDER BY t.set_id LIMIT {limit}"
        );
        let rows = all(self.reader(), sql, vec![after.as_str().into()]).await?;
        let read = |row: &sea_orm::QueryResult| -> Result<TimedSet, WriteFault> {
            let (info, state): (String, String) = (row.try_get_by_index(0)?, row.try_get_by_index(2)?);
            let house_due: i64 = row.try_get_by_index(3)?;
            Ok(TimedSet {
                framed: FramedSet::read(&info, row.try_get_by_index(1)?, &state)?,
                house_due: house_due != 0,
            })
        };
        Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
    }
}

/// A set whose clock may run, without its positions.
#[derive(Clone, Debug)]
pub struct TimedSet {
    /// The set as it is kept.
    pub framed: FramedSet,
    /// Whether a house bot is to act in it.
    pub house_due: bool,
}
