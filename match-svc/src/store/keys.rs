//! Keys that sign records. Not here: signing.

use farside_kit::time::UnixMs;
use sea_orm::DbErr;

use super::Store;
use super::sql::{all, execute};
use crate::domain::fault::MatchFault;

/// A signing key as it is kept.
#[derive(Clone)]
pub struct StoredKey {
    /// As records name it.
    pub id: String,
    /// 32 bytes in hex.
    pub secret_hex: String,
    /// Since when it signs.
    pub created_at: UnixMs,
}

impl std::fmt::Debug for StoredKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "StoredKey({})", self.id)
    }
}

impl Store {
    /// All keys, newest first.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn signing_keys(&self) -> Result<Vec<StoredKey>, MatchFault> {
        let sql = "SELECT id, secret, created_at_ms FROM signing_keys ORDER BY created_at_ms DESC, id";
        let rows = all(self.reader(), sql, Vec::new()).await?;
        let read = |row: &sea_orm::QueryResult| -> Result<StoredKey, DbErr> {
            Ok(StoredKey {
                id: row.try_get_by_index(0)?,
                secret_hex: row.try_get_by_index(1)?,
                created_at: UnixMs(row.try_get_by_index(2)?),
            })
        };
        Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
    }

    /// Keeps a key; the same id again changes nothing.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn keep_signing_key(&self, key: StoredKey) -> Result<(), MatchFault> {
        let kept = self.db.write::<_, _, DbErr>(move |tx| {
            let values = vec![key.id.as_str().into(), key.secret_hex.as_str().into(), key.created_at.0.into()];
            Box::pin(async move {
                let sql =
                    "INSERT INTO signing_keys (id, secret, created_at_ms) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
                execute(tx, sql, values).await
            })
        });
        kept.await?;
        Ok(())
    }
}
