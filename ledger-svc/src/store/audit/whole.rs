//! What is added up over all accounts every time: totals by currency, and each account against its open holds.
//!
//! Not here: history; see `replay`.

use std::collections::BTreeMap;

use sea_orm::{DatabaseTransaction, DbErr, QueryResult};

use super::{TOLD, rows, sum};
use crate::domain::audit::{Totals, Violation};

pub(super) async fn totals(tx: &DatabaseTransaction) -> Result<BTreeMap<String, Totals>, DbErr> {
    let mut totals = BTreeMap::<String, Totals>::new();
    let sql = format!(
        "SELECT currency, {} AS posted, {} AS held, COUNT(*) AS accounts FROM accounts GROUP BY currency",
        sum("posted_points"),
        sum("held_points")
    );
    for row in rows(tx, &sql, vec![]).await? {
        let entry = totals.entry(row.try_get("", "currency")?).or_default();
        entry.players_posted_points = row.try_get("", "posted")?;
        entry.players_held_points = row.try_get("", "held")?;
        entry.accounts = row.try_get("", "accounts")?;
    }
    let sql = format!(
        "SELECT currency, {} AS escrowed, COUNT(*) AS holds FROM holds WHERE state = 'open' GROUP BY currency",
        sum("amount_points")
    );
    for row in rows(tx, &sql, vec![]).await? {
        let entry = totals.entry(row.try_get("", "currency")?).or_default();
        entry.escrowed_points = row.try_get("", "escrowed")?;
        entry.open_holds = row.try_get("", "holds")?;
    }
    add_system_totals(tx, &mut totals).await?;
    Ok(totals)
}

async fn add_system_totals(tx: &DatabaseTransaction, totals: &mut BTreeMap<String, Totals>) -> Result<(), DbErr> {
    let sql = format!(
        "SELECT system_account, currency, {} AS points FROM ( \
         SELECT system_account, currency, points FROM system_balances \
         UNION ALL SELECT system_account, currency, change_points FROM system_deltas) AS both_parts \
         GROUP BY system_account, currency",
        sum("points")
    );
    for row in rows(tx, &sql, vec![]).await? {
        let (account, points): (String, i64) = (row.try_get("", "system_account")?, row.try_get("", "points")?);
        let entry = totals.entry(row.try_get("", "currency")?).or_default();
        match account.as_str() {
            "fee" => entry.fees_points = points,
            _ => entry.issued_points = points.saturating_neg(),
        }
    }
    Ok(())
}

pub(super) async fn held_out_of_range(tx: &DatabaseTransaction) -> Result<Vec<Violation>, DbErr> {
    let sql = format!(
        "SELECT account_id, currency, posted_points, held_points FROM accounts \
         WHERE held_points < 0 OR posted_points < held_points LIMIT {TOLD}"
    );
    let violation = |row: QueryResult| {
        Ok(Violation::HeldOutOfRange {
            account: row.try_get("", "account_id")?,
            currency: row.try_get("", "currency")?,
            posted_points: row.try_get("", "posted_points")?,
            held_points: row.try_get("", "held_points")?,
        })
    };
    rows(tx, &sql, vec![]).await?.into_iter().map(violation).collect()
}

pub(super) async fn escrow_differs(tx: &DatabaseTransaction) -> Result<Vec<Violation>, DbErr> {
    let escrowed = sum("h.amount_points");
    let sql = format!(
        "SELECT a.account_id, a.currency, a.held_points, {escrowed} AS escrowed FROM accounts a \
         LEFT JOIN holds h ON h.account_id = a.account_id AND h.currency = a.currency AND h.state = 'open' \
         GROUP BY a.account_id, a.currency, a.held_points HAVING a.held_points <> {escrowed} LIMIT {TOLD}"
    );
    let violation = |row: QueryResult| {
        Ok(Violation::EscrowDiffers {
            account: row.try_get("", "account_id")?,
            currency: row.try_get("", "currency")?,
            held_points: row.try_get("", "held_points")?,
            escrowed_points: row.try_get("", "escrowed")?,
        })
    };
    rows(tx, &sql, vec![]).await?.into_iter().map(violation).collect()
}
