//! Statements over many rows: the rows travel as one JSON parameter, so a statement's text, and with it its prepared
//! plan, is the same for one row and for two hundred.
//!
//! Not here: which rows; see `rows`.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, QueryResult, Statement};
use serde::Serialize;

/// The type of a column.
#[derive(Clone, Copy, Debug)]
pub(super) enum Column {
    /// A text.
    Text(&'static str),
    /// A 64-bit integer.
    Int(&'static str),
}

impl Column {
    const fn name(self) -> &'static str {
        match self {
            Self::Text(name) | Self::Int(name) => name,
        }
    }

    fn typed(self) -> String {
        match self {
            Self::Text(name) => format!("{name} TEXT"),
            Self::Int(name) => format!("{name} BIGINT"),
        }
    }
}

/// A row that can be written by the hundred. Its serialised fields are named as its columns.
pub(super) trait Row: Serialize {
    /// Where it goes.
    const TABLE: &'static str;
    /// All columns.
    const COLUMNS: &'static [Column];
}

/// Inserts rows; one that is there already fails the whole statement.
pub(super) async fn insert<R: Row>(tx: &DatabaseTransaction, rows: &[R]) -> Result<(), DbErr> {
    write(tx, rows, "").await
}

/// Inserts rows, or takes `updates` from them where they are there. Only for rows that the transaction has locked.
pub(super) async fn upsert<R: Row>(
    tx: &DatabaseTransaction,
    rows: &[R],
    key: &str,
    updates: &[&str],
) -> Result<(), DbErr> {
    let sets: Vec<_> = updates.iter().map(|column| format!("{column} = excluded.{column}")).collect();
    write(tx, rows, &format!(" ON CONFLICT ({key}) DO UPDATE SET {}", sets.join(", "))).await
}

async fn write<R: Row>(tx: &DatabaseTransaction, rows: &[R], conflict: &str) -> Result<(), DbErr> {
    if rows.is_empty() {
        return Ok(());
    }
    let backend = tx.get_database_backend();
    let names: Vec<_> = R::COLUMNS.iter().map(|column| column.name()).collect();
    let source = source(backend, R::COLUMNS);
    let sql = format!("INSERT INTO {} ({}) {source}{conflict}", R::TABLE, names.join(", "));
    tx.execute_raw(Statement::from_sql_and_values(backend, sql, [json(rows)?.into()])).await.map(drop)
}

/// The rows of the JSON parameter as a query. SQLite needs the condition to tell a join's ON from a conflict's.
pub(super) fn source(backend: DbBackend, columns: &[Column]) -> String {
    match backend {
        DbBackend::Postgres => {
            let names: Vec<_> = columns.iter().map(|column| column.name()).collect();
            let types: Vec<_> = columns.iter().map(|column| column.typed()).collect();
            format!("SELECT {} FROM json_to_recordset($1::json) AS r({})", names.join(", "), types.join(", "))
        }
        _ => {
            let values: Vec<_> =
                columns.iter().map(|column| format!("value ->> '{0}' AS {0}", column.name())).collect();
            format!("SELECT {} FROM json_each(?1) WHERE TRUE", values.join(", "))
        }
    }
}

/// Queries by a list of keys. `sql` has `{keys}` where the list of keys goes.
pub(super) async fn query_by_keys<C: ConnectionTrait>(
    connection: &C,
    sql: &str,
    keys: &[&str],
) -> Result<Vec<QueryResult>, DbErr> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let backend = connection.get_database_backend();
    let (list, parameter) = match backend {
        DbBackend::Postgres => ("= ANY(string_to_array($1, ' '))", keys.join(" ")),
        _ => ("IN (SELECT value FROM json_each(?1))", json(keys)?),
    };
    let statement = Statement::from_sql_and_values(backend, sql.replace("{keys}", list), [parameter.into()]);
    connection.query_all_raw(statement).await
}

/// Rows that are read in this transaction stay as they are until its end. SQLite has one writer anyway.
pub(super) fn for_update(backend: DbBackend) -> &'static str {
    match backend {
        DbBackend::Postgres => " FOR UPDATE",
        _ => "",
    }
}

pub(super) fn json<T: Serialize + ?Sized>(value: &T) -> Result<String, DbErr> {
    serde_json::to_string(value).map_err(|error| DbErr::Json(error.to_string()))
}
