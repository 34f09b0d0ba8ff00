//! History page by page: accounts against their lines, lines against the journal, stakes against what was paid out.
//!
//! Not here: judging an account; it is compared in the domain.

use std::collections::BTreeMap;

use sea_orm::{ConnectionTrait as _, DatabaseTransaction, DbBackend, DbErr, QueryResult, Value};

use super::{MarkRow, TOLD, rows, sum};
use crate::domain::audit::{Mark, Replay, Scope, Violation};
use crate::store::bulk::{Row as _, json, source};

/// Accounts replayed at once.
const PAGE: usize = 500;

/// The next accounts in the order of their keys, with the mark to replay from. An account that differs from its mark in
/// any way has changed, even when the change left no line.
pub(super) async fn next_page(
    tx: &DatabaseTransaction,
    scope: Scope,
    after: &(String, String),
) -> Result<Vec<Replay>, DbErr> {
    let (marks, changed) = match scope {
        Scope::Full => ("1 = 0", "1 = 1"),
        Scope::Recent => (
            "m.account_id = a.account_id AND m.currency = a.currency",
            "(a.line_count <> COALESCE(m.line, 0) OR a.posted_points <> COALESCE(m.posted_points, 0) \
              OR a.held_points <> COALESCE(m.held_points, 0))",
        ),
    };
    let sql = format!(
        "SELECT a.account_id, a.currency, a.line_count, a.posted_points, a.held_points, COALESCE(m.line, 0) AS mark_lines, \
         COALESCE(m.posted_points, 0) AS mark_posted, COALESCE(m.held_points, 0) AS mark_held \
         FROM accounts a LEFT JOIN audit_marks m ON {marks} WHERE {changed} \
         AND (a.account_id > $1 OR (a.account_id = $1 AND a.currency > $2)) ORDER BY a.account_id, a.currency LIMIT {PAGE}"
    );
    let values = vec![after.0.clone().into(), after.1.clone().into()];
    let replay = |row: QueryResult| {
        Ok(Replay {
            account: row.try_get("", "account_id")?,
            currency: row.try_get("", "currency")?,
            now: mark(&row, ["line_count", "posted_points", "held_points"])?,
            before: mark(&row, ["mark_lines", "mark_posted", "mark_held"])?,
            between: Mark::default(),
            latest: None,
        })
    };
    rows(tx, &sql, values).await?.into_iter().map(replay).collect()
}

fn mark(row: &QueryResult, [lines, posted, held]: [&str; 3]) -> Result<Mark, DbErr> {
    let (lines, posted_points) = (row.try_get("", lines)?, row.try_get("", posted)?);
    Ok(Mark { lines, posted_points, held_points: row.try_get("", held)? })
}

/// `WITH page AS …`: the accounts of a page and the line after which each is replayed, from one JSON parameter.
fn with_page(backend: DbBackend, page: &[Replay]) -> Result<(String, Vec<Value>), DbErr> {
    let rows: Vec<_> = page
        .iter()
        .map(|replay| MarkRow {
            account_id: replay.account.clone(),
            currency: replay.currency.clone(),
            line: replay.before.lines,
            posted_points: replay.before.posted_points,
            held_points: replay.before.held_points,
        })
        .collect();
    Ok((format!("WITH page AS ({})", source(backend, MarkRow::COLUMNS, 1)), vec![json(&rows)?.into()]))
}

pub(super) fn mark_row(replay: &Replay) -> MarkRow {
    MarkRow {
        account_id: replay.account.clone(),
        currency: replay.currency.clone(),
        line: replay.now.lines,
        posted_points: replay.now.posted_points,
        held_points: replay.now.held_points,
    }
}

/// Fills in what the lines of the page's accounts add up to.
pub(super) async fn fill_in(tx: &DatabaseTransaction, page: &mut [Replay]) -> Result<(), DbErr> {
    let (with_page, values) = with_page(tx.get_database_backend(), page)?;
    let sql = format!(
        "{with_page}, sums AS (SELECT l.account_id, l.currency, COUNT(*) AS lines, MAX(l.line) AS latest, \
         {} AS posted, {} AS held FROM page p JOIN statement_lines l ON l.account_id = p.account_id \
         AND l.currency = p.currency AND l.line > p.line GROUP BY l.account_id, l.currency) \
         SELECT s.account_id, s.currency, s.lines, s.posted, s.held, s.latest, l.posted_after_points, l.held_after_points \
         FROM sums s JOIN statement_lines l ON l.account_id = s.account_id AND l.currency = s.currency AND l.line = s.latest",
        sum("l.posted_change_points"),
        sum("l.held_change_points")
    );
    let mut sums = BTreeMap::new();
    for row in rows(tx, &sql, values).await? {
        let key: (String, String) = (row.try_get("", "account_id")?, row.try_get("", "currency")?);
        let between = mark(&row, ["lines", "posted", "held"])?;
        sums.insert(key, (between, mark(&row, ["latest", "posted_after_points", "held_after_points"])?));
    }
    for account in page {
        let Some((between, latest)) = sums.remove(&(account.account.clone(), account.currency.clone())) else {
            continue;
        };
        (account.between, account.latest) = (between, Some(latest));
    }
    Ok(())
}

/// What the journal says about an account in a transaction: what came less what went, in the given places.
fn journal_sum(places: &str) -> String {
    format!(
        "(SELECT {} FROM entries e WHERE e.transaction_id = l.transaction_id AND e.currency = l.currency)",
        sum(&format!(
            "CASE WHEN e.to_account = l.account_id AND e.to_place IN ({places}) THEN e.amount_points ELSE 0 END \
             - CASE WHEN e.from_account = l.account_id AND e.from_place IN ({places}) THEN e.amount_points ELSE 0 END"
        ))
    )
}

pub(super) async fn journal_differs(tx: &DatabaseTransaction, page: &[Replay]) -> Result<Vec<Violation>, DbErr> {
    let (with_page, values) = with_page(tx.get_database_backend(), page)?;
    let sql = format!(
        "{with_page} SELECT account_id, currency, line FROM (SELECT l.account_id, l.currency, l.line, \
         l.posted_change_points, l.held_change_points, {} AS posted, {} AS held \
         FROM page p JOIN statement_lines l ON l.account_id = p.account_id AND l.currency = p.currency AND l.line > p.line) AS compared \
         WHERE posted <> posted_change_points OR held <> held_change_points LIMIT {TOLD}",
        journal_sum("'available', 'escrow'"),
        journal_sum("'escrow'")
    );
    let violation = |row: QueryResult| {
        Ok(Violation::JournalDiffers {
            account: row.try_get("", "account_id")?,
            currency: row.try_get("", "currency")?,
            line: row.try_get("", "line")?,
        })
    };
    rows(tx, &sql, values).await?.into_iter().map(violation).collect()
}

pub(super) async fn stakes_differ(tx: &DatabaseTransaction, page: &[Replay]) -> Result<Vec<Violation>, DbErr> {
    let (with_page, values) = with_page(tx.get_database_backend(), page)?;
    let sql = format!(
        "{with_page} SELECT DISTINCT transaction_id, staked, paid FROM (SELECT l.transaction_id, \
         (SELECT {} FROM holds h WHERE h.ended_by = l.transaction_id) AS staked, \
         (SELECT {} FROM entries e WHERE e.transaction_id = l.transaction_id AND e.from_place = 'escrow') AS paid \
         FROM page p JOIN statement_lines l ON l.account_id = p.account_id AND l.currency = p.currency AND l.line > p.line \
         WHERE l.kind NOT IN ('grant', 'hold')) AS compared WHERE staked <> paid LIMIT {TOLD}",
        sum("h.amount_points"),
        sum("e.amount_points")
    );
    let violation = |row: QueryResult| {
        Ok(Violation::StakesDiffer {
            transaction: row.try_get("", "transaction_id")?,
            staked_points: row.try_get("", "staked")?,
            paid_points: row.try_get("", "paid")?,
        })
    };
    rows(tx, &sql, values).await?.into_iter().map(violation).collect()
}
