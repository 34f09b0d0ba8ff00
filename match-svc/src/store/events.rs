//! Reading the event log. Not here: writing it; that is a commit.

use sea_orm::DbErr;

use super::codec::FramedLogged;
use super::sql::all;
use super::{Store, WriteFault};
use crate::domain::fault::MatchFault;
use crate::domain::ids::{Seq, SetId};

impl Store {
    /// The events of a set after `after`, in order, at most `limit`.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn events(&self, id: &SetId, after: Seq, limit: u32) -> Result<Vec<FramedLogged>, MatchFault> {
        let sql = format!(
            "SELECT seq, at_ms, payload FROM set_events WHERE set_id = $1 AND seq > $2 ORDER BY seq LIMIT {limit}"
        );
        let rows = all(self.reader(), sql, vec![id.as_str().into(), after.0.into()]).await?;
        let read = |row: &sea_orm::QueryResult| -> Result<FramedLogged, WriteFault> {
            let fields: Result<(i64, i64, String), DbErr> =
                Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?));
            let (seq, at_ms, payload) = fields?;
            Ok(FramedLogged::read(seq, at_ms, &payload)?)
        };
        Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
    }
}
