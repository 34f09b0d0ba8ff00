//! Proofs that a move could be accepted, and the outages between them. Not here: what an outage gives back.

use farside_kit::time::UnixMs;
use sea_orm::DbErr;

use super::Store;
use super::sql::{all, execute, one};
use crate::domain::fault::MatchFault;
use crate::domain::outage::{Outage, OutagePolicy};

impl Store {
    /// Writes a beat; tells the outage that it ends, if any. Beats are written one after the other, so that one
    /// outage is found once.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn beat(&self, now: UnixMs, policy: OutagePolicy) -> Result<Option<Outage>, MatchFault> {
        let beaten = self.db.write::<_, _, DbErr>(move |tx| {
            Box::pin(async move {
                let sql = "INSERT INTO beats (id, at_ms) VALUES ('last', $1) ON CONFLICT DO NOTHING";
                if execute(tx, sql, vec![now.0.into()]).await? == 1 {
                    return Ok(None);
                }
                let last =
                    one(tx, "UPDATE beats SET at_ms = at_ms WHERE id = 'last' RETURNING at_ms", Vec::new()).await?;
                let last: Option<i64> = last.map(|row| row.try_get_by_index(0)).transpose()?;
                let last = UnixMs(last.unwrap_or(now.0));
                let outage = policy.between(last, now);
                if let Some(outage) = outage {
                    let sql = "INSERT INTO outages (from_ms, to_ms, done) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING";
                    execute(tx, sql, vec![outage.from.0.into(), outage.to.0.into()]).await?;
                }
                execute(tx, "UPDATE beats SET at_ms = $1 WHERE id = 'last' AND at_ms < $1", vec![now.0.into()]).await?;
                Ok(outage)
            })
        });
        Ok(beaten.await?)
    }

    /// The last beat; none when there has never been one.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn last_beat(&self) -> Result<Option<UnixMs>, MatchFault> {
        let row = one(self.reader(), "SELECT at_ms FROM beats WHERE id = 'last'", Vec::new()).await?;
        Ok(row.map(|row| row.try_get_by_index(0)).transpose()?.map(UnixMs))
    }

    /// Outages that have not been given back everywhere, oldest first.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn open_outages(&self) -> Result<Vec<Outage>, MatchFault> {
        let sql = "SELECT from_ms, to_ms FROM outages WHERE done = 0 ORDER BY from_ms";
        let rows = all(self.reader(), sql, Vec::new()).await?;
        let read = |row: &sea_orm::QueryResult| -> Result<Outage, DbErr> {
            Ok(Outage { from: UnixMs(row.try_get_by_index(0)?), to: UnixMs(row.try_get_by_index(1)?) })
        };
        Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
    }

    /// Every set concerned has its time back.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn close_outage(&self, outage: Outage) -> Result<(), MatchFault> {
        let closed = self.db.write::<_, _, DbErr>(move |tx| {
            Box::pin(async move {
                execute(tx, "UPDATE outages SET done = 1 WHERE from_ms = $1", vec![outage.from.0.into()]).await
            })
        });
        closed.await?;
        Ok(())
    }
}
