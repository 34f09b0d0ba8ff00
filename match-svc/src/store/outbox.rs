//! Errands for other services, written with the decision that they follow from and delivered at least once. Not here:
//! the delivery.

use farside_kit::time::UnixMs;
use sea_orm::{DatabaseTransaction, DbErr};
use serde::{Deserialize, Serialize};

use super::sql::{all, execute, one, rows};
use super::{Store, WriteFault};
use crate::domain::fault::MatchFault;
use crate::domain::ids::{SetId, Side};

/// Something to tell another service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Errand {
    /// Give a held stake back.
    Release {
        /// The ledger's name of the hold.
        hold_id: String,
    },
    /// Pay both stakes to the winner.
    Settle {
        /// The set.
        set_id: SetId,
        /// Who won.
        winner: Side,
        /// The holds of creator and acceptor.
        hold_ids: [String; 2],
    },
    /// Give both stakes back after a draw.
    Split {
        /// The set.
        set_id: SetId,
        /// The holds of creator and acceptor.
        hold_ids: [String; 2],
    },
    /// Give both stakes back after an abort.
    Refund {
        /// The set.
        set_id: SetId,
        /// The holds of creator and acceptor.
        hold_ids: [String; 2],
    },
    /// Tell rating-svc of a finished set.
    Rate {
        /// The set.
        set_id: SetId,
    },
}

/// An errand with its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxItem {
    /// Derived from ids, for example `set_…:settle`: receivers know it again.
    pub key: String,
    /// The challenge or set that it follows from.
    pub subject: String,
    /// What to do.
    pub errand: Errand,
    /// When to try next.
    pub due_at: UnixMs,
}

/// What became of a set's stakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettlementMark {
    /// Nothing was staked.
    None,
    /// The ledger does not know yet.
    Pending,
    /// The winner has been paid.
    Settled,
    /// Drawn: both have their stakes back.
    Split,
    /// Aborted: both have their stakes back.
    Refunded,
}

impl SettlementMark {
    pub(super) const fn number(self) -> i64 {
        match self {
            Self::None => 0,
            Self::Pending => 1,
            Self::Settled => 2,
            Self::Split => 3,
            Self::Refunded => 4,
        }
    }

    pub(super) const fn from_number(number: i64) -> Self {
        match number {
            1 => Self::Pending,
            2 => Self::Settled,
            3 => Self::Split,
            4 => Self::Refunded,
            _ => Self::None,
        }
    }
}

impl Errand {
    pub(super) fn mark(&self) -> Option<(&SetId, SettlementMark)> {
        match self {
            Self::Settle { set_id, .. } => Some((set_id, SettlementMark::Settled)),
            Self::Split { set_id, .. } => Some((set_id, SettlementMark::Split)),
            Self::Refund { set_id, .. } => Some((set_id, SettlementMark::Refunded)),
            Self::Release { .. } | Self::Rate { .. } => None,
        }
    }
}

/// An errand that is due.
#[derive(Clone, Debug)]
pub struct DueErrand {
    /// Its key.
    pub key: String,
    /// What to do.
    pub errand: Errand,
    /// How often it was tried.
    pub attempts: u32,
}

pub(super) async fn insert<'a>(
    tx: &DatabaseTransaction,
    items: impl Iterator<Item = &'a OutboxItem>,
) -> Result<(), WriteFault> {
    let mut values = Vec::new();
    for item in items {
        values.extend([
            item.key.as_str().into(),
            item.subject.as_str().into(),
            serde_json::to_string(&item.errand)?.into(),
            item.due_at.0.into(),
            0_i64.into(),
            item.due_at.0.into(),
        ]);
    }
    if values.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "INSERT INTO outbox (errand_key, subject, errand, due_at_ms, attempts, created_at_ms) VALUES {} ON CONFLICT DO NOTHING",
        rows(values.len() / 6, 6)
    );
    execute(tx, sql, values).await?;
    Ok(())
}

impl Store {
    /// Takes errands that are due; until `retry_at` nobody else takes them.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn take_errands(&self, now: UnixMs, retry_at: UnixMs, limit: u32) -> Result<Vec<DueErrand>, MatchFault> {
        let due = one(self.reader(), "SELECT 1 FROM outbox WHERE due_at_ms <= $1 LIMIT 1", vec![now.0.into()]).await?;
        if due.is_none() {
            return Ok(Vec::new());
        }
        let taken = self.db.write::<_, _, WriteFault>(move |tx| {
            Box::pin(async move {
                let sql = format!(
                    "UPDATE outbox SET due_at_ms = $2, attempts = attempts + 1 WHERE errand_key IN \
                     (SELECT errand_key FROM outbox WHERE due_at_ms <= $1 ORDER BY due_at_ms LIMIT {limit}) \
                     AND due_at_ms <= $1 RETURNING errand_key, errand, attempts"
                );
                let rows = all(tx, sql, vec![now.0.into(), retry_at.0.into()]).await?;
                rows.iter().map(read).collect::<Result<Vec<_>, _>>()
            })
        });
        Ok(taken.await?)
    }

    /// Marks errands as done, and the settlement of their sets.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn finish_errands(&self, done: Vec<DueErrand>, now: UnixMs) -> Result<(), MatchFault> {
        let finished = self.db.write::<_, _, DbErr>(move |tx| {
            let done = done.clone();
            Box::pin(async move {
                for item in &done {
                    let sql = "UPDATE outbox SET due_at_ms = NULL, done_at_ms = $2 WHERE errand_key = $1";
                    execute(tx, sql, vec![item.key.as_str().into(), now.0.into()]).await?;
                    if let Some((set_id, mark)) = item.errand.mark() {
                        let values = vec![set_id.as_str().into(), mark.number().into()];
                        execute(tx, "UPDATE sets SET settlement = $2 WHERE id = $1", values).await?;
                    }
                }
                Ok(())
            })
        });
        Ok(finished.await?)
    }

    /// Puts an errand off.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn put_off(&self, key: &str, due_at: UnixMs) -> Result<(), MatchFault> {
        let key = key.to_owned();
        let put_off = self.db.write::<_, _, DbErr>(move |tx| {
            let values = vec![key.as_str().into(), due_at.0.into()];
            Box::pin(async move {
                execute(tx, "UPDATE outbox SET due_at_ms = $2 WHERE errand_key = $1 AND done_at_ms IS NULL", values)
                    .await
            })
        });
        put_off.await?;
        Ok(())
    }

    /// How many errands are not done, and since when the oldest waits.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn outbox_age(&self) -> Result<(i64, Option<UnixMs>), MatchFault> {
        let sql = "SELECT COUNT(*), MIN(created_at_ms) FROM outbox WHERE due_at_ms IS NOT NULL";
        let Some(row) = one(self.reader(), sql, Vec::new()).await? else {
            return Ok((0, None));
        };
        let oldest: Option<i64> = row.try_get_by_index(1)?;
        Ok((row.try_get_by_index(0)?, oldest.map(UnixMs)))
    }
}

fn read(row: &sea_orm::QueryResult) -> Result<DueErrand, WriteFault> {
    let errand: String = row.try_get_by_index(1)?;
    let attempts: i64 = row.try_get_by_index(2)?;
    Ok(DueErrand {
        key: row.try_get_by_index(0)?,
        errand: serde_json::from_str(&errand)?,
        attempts: u32::try_from(attempts).unwrap_or(u32::MAX),
    })
}
