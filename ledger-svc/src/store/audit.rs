//! Adds up what the audit judges, all in one snapshot of the database, while postings go on.
//!
//! Not here: judging. Accounts are replayed page by page; only those that changed since their last audit unless the
//! whole history is asked for.

mod replay;
mod whole;

use std::collections::BTreeMap;

use farside_kit::time::UnixMs;
use sea_orm::{
    AccessMode, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, IsolationLevel,
    QueryResult, Statement, TransactionTrait as _, Value,
};
use serde::Serialize;

use super::Store;
use super::bulk::{Column, Row, Writes, json};
use super::fault::StoreFault;
use crate::domain::audit::{Replay, Report, Scope, Totals, Violation};

/// Marks written in one statement.
const MARKS: usize = 500;

/// Violations of one kind that are told; more do not help.
const TOLD: usize = 10;

/// Violations that are told of one audit.
const TOLD_AT_ALL: usize = 100;

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
            let tx = snapshot(&reader).await?;
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
                    for marks in written.0.chunks(MARKS) {
                        let mut writes = Writes::new(tx.get_database_backend());
                        writes.upsert(marks, "account_id, currency", &["line", "posted_points", "held_points"])?;
                        writes.execute(tx).await?;
                    }
                    let mut writes = Writes::new(tx.get_database_backend());
                    writes.upsert(&written.1, "id", &["checked_at_ms", "report"])?;
                    writes.execute(tx).await
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

/// A transaction that sees the database as it is now until its end. On SQLite every transaction does.
async fn snapshot(reader: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    match reader.get_database_backend() {
        DbBackend::Postgres => {
            reader.begin_with_config(Some(IsolationLevel::RepeatableRead), Some(AccessMode::ReadOnly)).await
        }
        _ => reader.begin().await,
    }
}

async fn examine(tx: &DatabaseTransaction, scope: Scope) -> Result<Found, StoreFault> {
    let mut found = Found { totals: whole::totals(tx).await?, ..Found::default() };
    found.violations.extend(whole::held_out_of_range(tx).await?);
    found.violations.extend(whole::escrow_differs(tx).await?);
    let mut after = (String::new(), String::new());
    loop {
        let mut page = replay::next_page(tx, scope, &after).await?;
        let Some(last) = page.last() else { return Ok(found) };
        after = (last.account.clone(), last.currency.clone());
        replay::fill_in(tx, &mut page).await?;
        found.violations.extend(page.iter().filter_map(Replay::violation).take(TOLD));
        found.violations.extend(replay::journal_differs(tx, &page).await?);
        found.violations.extend(replay::stakes_differ(tx, &page).await?);
        found.violations.truncate(TOLD_AT_ALL);
        if scope == Scope::Recent {
            found.marks.extend(page.iter().filter(|account| account.violation().is_none()).map(replay::mark_row));
        }
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
