//! Folds the changes of system accounts into their balances.
//!
//! Postings only append to `system_deltas`, so no row that all of them share is ever locked. Folding takes a bounded
//! number of changes at a time and skips those that another replica is folding. Not here: when; see `engine::folder`.

use sea_orm::{ConnectionTrait as _, DatabaseTransaction, DbBackend, DbErr};

use super::Store;
use super::fault::StoreFault;

/// Changes folded in one transaction at most.
const AT_ONCE: u64 = 5_000;

/// The changes that are folded now. `{skip}` skips locked rows where there can be any.
const OLDEST: &str = "SELECT transaction_id, system_account, currency FROM system_deltas ORDER BY transaction_id, system_account, currency LIMIT {limit}{skip}";

impl Store {
    /// Folds some changes; returns whether there may be more.
    ///
    /// # Errors
    ///
    /// When the database fails; then nothing has changed.
    pub async fn fold_system_accounts(&self) -> Result<bool, StoreFault> {
        let folded = self.db.write::<_, u64, DbErr>(|tx| Box::pin(fold(tx))).await?;
        Ok(folded >= AT_ONCE)
    }
}

async fn fold(tx: &DatabaseTransaction) -> Result<u64, DbErr> {
    match tx.get_database_backend() {
        DbBackend::Postgres => fold_postgres(tx).await,
        _ => fold_sqlite(tx).await,
    }
}

const ADD: &str = "INSERT INTO system_balances (system_account, currency, points) \
     SELECT system_account, currency, CAST(SUM(change_points) AS BIGINT) FROM {taken} \
     GROUP BY system_account, currency ORDER BY system_account, currency \
     ON CONFLICT (system_account, currency) DO UPDATE SET points = system_balances.points + excluded.points";

/// The number of changes is not told by the outer statement, so it is counted in a second part of it.
async fn fold_postgres(tx: &DatabaseTransaction) -> Result<u64, DbErr> {
    let oldest = OLDEST.replace("{limit}", &AT_ONCE.to_string()).replace("{skip}", " FOR UPDATE SKIP LOCKED");
    let sql = format!(
        "WITH taken AS (DELETE FROM system_deltas WHERE (transaction_id, system_account, currency) IN ({oldest}) \
         RETURNING system_account, currency, change_points), added AS ({} RETURNING 1) \
         SELECT (SELECT COUNT(*) FROM taken) AS folded FROM (SELECT COUNT(*) FROM added) AS done",
        ADD.replace("{taken}", "taken")
    );
    let row = tx.query_one_raw(sea_orm::Statement::from_string(DbBackend::Postgres, sql)).await?;
    let folded: i64 = row.map_or(Ok(0), |row| row.try_get("", "folded"))?;
    Ok(u64::try_from(folded).unwrap_or(0))
}

/// SQLite has one writer, so the same query finds the same rows twice.
async fn fold_sqlite(tx: &DatabaseTransaction) -> Result<u64, DbErr> {
    let oldest = OLDEST.replace("{limit}", &AT_ONCE.to_string()).replace("{skip}", "");
    let taken = format!("(SELECT * FROM system_deltas WHERE (transaction_id, system_account, currency) IN ({oldest}))");
    tx.execute_unprepared(&ADD.replace("{taken}", &taken)).await?;
    let delete = format!("DELETE FROM system_deltas WHERE (transaction_id, system_account, currency) IN ({oldest})");
    Ok(tx.execute_unprepared(&delete).await?.rows_affected())
}
