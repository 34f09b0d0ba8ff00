//! Statements as text with numbered parameters, which both databases take alike. Not here: any table.

use sea_orm::{ConnectionTrait, DbErr, ExecResult, QueryResult, Statement, Value};

/// Runs a statement.
pub(super) async fn execute<C: ConnectionTrait>(
    connection: &C,
    sql: impl Into<String>,
    values: Vec<Value>,
) -> Result<u64, DbErr> {
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), sql, values);
    connection.execute_raw(statement).await.map(|done: ExecResult| done.rows_affected())
}

/// Reads all rows of a query.
pub(super) async fn all<C: ConnectionTrait>(
    connection: &C,
    sql: impl Into<String>,
    values: Vec<Value>,
) -> Result<Vec<QueryResult>, DbErr> {
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), sql, values);
    connection.query_all_raw(statement).await
}

/// Reads the first row of a query.
pub(super) async fn one<C: ConnectionTrait>(
    connection: &C,
    sql: impl Into<String>,
    values: Vec<Value>,
) -> Result<Option<QueryResult>, DbErr> {
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), sql, values);
    connection.query_one_raw(statement).await
}

/// `($1, $2), ($3, $4), …` for so many rows of so many columns.
pub(super) fn rows(rows: usize, columns: usize) -> String {
    let row = |row: usize| format!("({})", list(row * columns + 1, columns));
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// `$n, $n+1, …`: `count` parameters from number `first`.
pub(super) fn list(first: usize, count: usize) -> String {
    (first..first + count).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ")
}
