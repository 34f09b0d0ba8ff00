//! Adds up what the audit judges, all in one snapshot of the database, while postings go on.
//!
//! Not here: judging. Accounts are replayed page by page; only those that changed since their last audit unless the
//! whole history is asked for.

use std::collections::BTreeMap;

use farside_kit::time::UnixMs;
use sea_orm::{
    AccessMode, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, IsolationLevel, QueryResult, Statement,
    TransactionTrait as _, Value,
};
use serde::Serialize;

use super::Store;
use super::bulk::{Column, Row, json, source, upsert};
use super::fault::StoreFault;
use crate::domain::audit::{Mark, Replay, Report, Scope, Totals, Violation};

/// Accounts replayed at once.
const PAGE: usize = 500;

/// Violations of one kind that are told; more do not help.
const TOLD: usize = 10;

impl Store {
    /// Audits the ledger and remembers the report and how far each account was replayed.
    ///
    /// # Errors
    ///
    /// When the database fails; what was found by then is lost.
    pub async fn audit(&self, scope: Scope, at: UnixMs) -> Result<Report, StoreFault> {
        // In a task of its own: a caller that goes away must not leave an open transaction to the pool.
        let reader = self.db.read().clone();
        let task = tokio::spawn(async move {
            let snapshot = (IsolationLevel::RepeatableRead, AccessMode::ReadOnly);
            let tx = reader.begin_with_config(Some(snapshot.0), Some(snapshot.1)).await?;
            let found = examine(&tx, scope).await;
            tx.rollback().await?;
            found
        });
        let found = task.await.map_err(|panic| DbErr::Custom(format!("the audit panicked: {panic}")))??;
        let report = Report::new(at, scope, found.totals, &found.violations);
        self.remember(found.marks, &report).await?;
        Ok(report)
    }

    /// What the last audit of any replica found; `None` before the first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn last_report(&self) -> Result<Option<Report>, StoreFault> {
        let statement = Statement::from_string(self.db.backend(), "SELECT report FROM audit_reports WHERE id = 1");
        let Some(row) = self.db.read().query_one_raw(statement).await? else { return Ok(None) };
        let text: String = row.try_get("", "report")?;
        serde_json::from_str(&text).map(Some).map_err(|_| StoreFault::unreadable("audit report", &text))
    }

    async fn remember(&self, marks: Vec<MarkRow>, report: &Report) -> Result<(), StoreFault> {
        let rows = [ReportRow { id: 1, checked_at_ms: report.checked_at_ms, report: json(report)? }];
        let written = std::sync::Arc::new((marks, rows));
        self.db
            .write::<_, (), DbErr>(move |tx| {
                let written = std::sync::Arc::clone(&written);
                Box::pin(async move {
                    for marks in written.0.chunks(PAGE) {
                        upsert(tx, marks, "account_id, currency", &["line", "posted_points", "held_points"]).await?;
                    }
                    upsert(tx, &written.1, "id", &["checked_at_ms", "report"]).await
                })
            })
            .await?;
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Found {
    totals: BTreeMap<String, Totals>,
    violations: Vec<Violation>,
    marks: Vec<MarkRow>,
}

#[derive(Clone, Debug, Serialize)]
struct MarkRow {
    account_id: String,
    currency: String,
    line: i64,
    posted_points: i64,
    held_points: i64,
}

impl Row for MarkRow {
    const TABLE: &'static str = "audit_marks";
    const COLUMNS: &'static [Column] = &[
        Column::Text("account_id"),
        Column::Text("currency"),
        Column::Int("line"),
        Column::Int("posted_points"),
        Column::Int("held_points"),
    ];
}

#[derive(Debug, Serialize)]
struct ReportRow {
    id: i64,
    checked_at_ms: i64,
    report: String,
}

impl Row for ReportRow {
    const TABLE: &'static str = "audit_reports";
    const COLUMNS: &'static [Column] = &[Column::Int("id"), Column::Int("checked_at_ms"), Column::Text("report")];
}

async fn examine(tx: &DatabaseTransaction, scope: Scope) -> Result<Found, StoreFault> {
    let mut found = Found { totals: totals(tx).await?, ..Found::default() };
    found.violations.extend(held_out_of_range(tx).await?);
    found.violations.extend(escrow_differs(tx).await?);
    let mut after = (String::new(), String::new());
    loop {
        let mut page = accounts_to_replay(tx, scope, &after).await?;
        let Some(last) = page.last() else { return Ok(found) };
        after = (last.account.clone(), last.currency.clone());
        replay(tx, &mut page).await?;
        found.violations.extend(page.iter().filter_map(Replay::violation).take(TOLD));
        found.violations.extend(journal_differs(tx, &page).await?);
        found.violations.extend(stakes_differ(tx, &page).await?);
        found.marks.extend(page.iter().filter(|replay| replay.violation().is_none()).map(mark_row));
    }
}

async fn rows<C: ConnectionTrait>(connection: &C, sql: &str, values: Vec<Value>) -> Result<Vec<QueryResult>, DbErr> {
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), sql, values);
    connection.query_all_raw(statement).await
}

/// A sum of 64-bit numbers is wider on PostgreSQL.
fn sum(of: &str) -> String {
    format!("CAST(COALESCE(SUM({of}), 0) AS BIGINT)")
}

async fn totals(tx: &DatabaseTransaction) -> Result<BTreeMap<String, Totals>, DbErr> {
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

async fn held_out_of_range(tx: &DatabaseTransaction) -> Result<Vec<Violation>, DbErr> {
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

async fn escrow_differs(tx: &DatabaseTransaction) -> Result<Vec<Violation>, DbErr> {
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

/// The next accounts in the order of their keys, with the mark to replay from. An account that differs from its mark in
/// any way has changed, even when the change left no line.
async fn accounts_to_replay(
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
    Ok((format!("WITH page AS ({})", source(backend, MarkRow::COLUMNS)), vec![json(&rows)?.into()]))
}

fn mark_row(replay: &Replay) -> MarkRow {
    MarkRow {
        account_id: replay.account.clone(),
        currency: replay.currency.clone(),
        line: replay.now.lines,
        posted_points: replay.now.posted_points,
        held_points: replay.now.held_points,
    }
}

/// Fills in what the lines of the page's accounts add up to.
async fn replay(tx: &DatabaseTransaction, page: &mut [Replay]) -> Result<(), DbErr> {
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

async fn journal_differs(tx: &DatabaseTransaction, page: &[Replay]) -> Result<Vec<Violation>, DbErr> {
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

async fn stakes_differ(tx: &DatabaseTransaction, page: &[Replay]) -> Result<Vec<Violation>, DbErr> {
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
