//! The table behind the log: the same on PostgreSQL and SQLite, and the database itself refuses to change a line.
//!
//! Not here: what a line means.

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, QueryResult, Statement, Value,
};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager, async_trait};

use super::fault::OperationFault;
use super::log::{Line, LogEntry, Operation, Outcome, Seen};
use crate::time::UnixMs;

const TABLE: &str = "CREATE TABLE operator_log (
    id TEXT NOT NULL PRIMARY KEY,
    at_ms BIGINT NOT NULL,
    operator TEXT NOT NULL,
    operation TEXT NOT NULL,
    arguments TEXT NOT NULL,
    reason TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('done', 'refused')),
    detail TEXT NOT NULL,
    request_id TEXT NOT NULL,
    step TEXT NOT NULL,
    fingerprint TEXT NOT NULL
)";
const ONCE: &str = "CREATE UNIQUE INDEX operator_log_once ON operator_log (request_id, step)";

const POSTGRES_GUARD: &str = "
CREATE FUNCTION refuse_operator_log_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'the log of operations is only added to' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER operator_log_stays BEFORE UPDATE OR DELETE ON operator_log
    FOR EACH ROW EXECUTE FUNCTION refuse_operator_log_change();
CREATE TRIGGER operator_log_stays_all BEFORE TRUNCATE ON operator_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_operator_log_change();";
const SQLITE_GUARD: &str = "
CREATE TRIGGER operator_log_stays BEFORE UPDATE ON operator_log
    BEGIN SELECT RAISE(ABORT, 'the log of operations is only added to'); END;
CREATE TRIGGER operator_log_stays_all BEFORE DELETE ON operator_log
    BEGIN SELECT RAISE(ABORT, 'the log of operations is only added to'); END;";

/// The migration that makes the table, under the name that it has among those of a service.
#[must_use]
pub fn migration(name: &'static str) -> Box<dyn MigrationTrait> {
    Box::new(MakeLog(name))
}

struct MakeLog(&'static str);

impl MigrationName for MakeLog {
    fn name(&self) -> &str {
        self.0
    }
}

#[async_trait::async_trait]
#[expect(elided_lifetimes_in_paths, reason = "the trait's own signature elides it, and async_trait compares the two")]
impl MigrationTrait for MakeLog {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        let guard = match connection.get_database_backend() {
            DbBackend::Postgres => POSTGRES_GUARD,
            _ => SQLITE_GUARD,
        };
        for statement in [TABLE, ONCE, guard] {
            connection.execute_unprepared(statement).await?;
        }
        Ok(())
    }
}

/// Writes a line in the transaction of what it tells of. False when another call with the same key was first: then what it
/// tells of must not happen here.
///
/// # Errors
///
/// Those of the database.
pub async fn append(tx: &DatabaseTransaction, entry: &LogEntry) -> Result<bool, DbErr> {
    let LogEntry { id, at, operation, step, outcome, detail } = entry;
    let sql = "INSERT INTO operator_log (id, at_ms, operator, operation, arguments, reason, outcome, detail, request_id, \
               step, fingerprint) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING";
    let texts = [
        &operation.operator,
        operation.name,
        &operation.arguments,
        &operation.reason,
        outcome.name(),
        detail,
        &operation.request_id,
        step,
        &operation.fingerprint(),
    ];
    let mut values: Vec<Value> = vec![id.as_str().into(), at.0.into()];
    values.extend(texts.map(Value::from));
    let done = tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, values)).await?;
    Ok(done.rows_affected() == 1)
}

impl Outcome {
    const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Refused => "refused",
        }
    }
}

/// What was carried out under the operation's key.
pub(super) async fn seen(reader: &DatabaseConnection, operation: &Operation) -> Result<Seen, OperationFault> {
    let sql = "SELECT fingerprint, step, detail FROM operator_log WHERE request_id = $1 AND outcome = 'done'";
    let rows = all(reader, sql, vec![operation.request_id.as_str().into()]).await?;
    let (fingerprint, mut seen) = (operation.fingerprint(), Seen::default());
    for row in rows {
        if row.try_get_by_index::<String>(0)? != fingerprint {
            return Err(OperationFault::IdempotencyMismatch);
        }
        seen.steps.insert(row.try_get_by_index(1)?, row.try_get_by_index(2)?);
    }
    Ok(seen)
}

/// A page of lines, newest first.
pub(super) async fn page(
    reader: &DatabaseConnection,
    before: Option<&str>,
    limit: u64,
) -> Result<Vec<Line>, OperationFault> {
    let before = before.unwrap_or_default();
    let sql = "SELECT id, at_ms, operator, operation, arguments, reason, outcome, detail, request_id, step \
               FROM operator_log WHERE $1 = '' OR id < $1 ORDER BY id DESC LIMIT $2";
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let rows = all(reader, sql, vec![before.into(), limit.into()]).await?;
    Ok(rows.iter().map(line).collect::<Result<_, _>>()?)
}

fn line(row: &QueryResult) -> Result<Line, DbErr> {
    let outcome: String = row.try_get_by_index(6)?;
    Ok(Line {
        id: row.try_get_by_index(0)?,
        at: UnixMs(row.try_get_by_index(1)?),
        operator: row.try_get_by_index(2)?,
        operation: row.try_get_by_index(3)?,
        arguments: row.try_get_by_index(4)?,
        reason: row.try_get_by_index(5)?,
        outcome: if outcome == Outcome::Done.name() { Outcome::Done } else { Outcome::Refused },
        detail: row.try_get_by_index(7)?,
        request_id: row.try_get_by_index(8)?,
        step: row.try_get_by_index(9)?,
    })
}

async fn all(reader: &DatabaseConnection, sql: &str, values: Vec<Value>) -> Result<Vec<QueryResult>, DbErr> {
    reader.query_all_raw(Statement::from_sql_and_values(reader.get_database_backend(), sql, values)).await
}
