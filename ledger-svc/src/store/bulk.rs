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

/// Writes to several tables, sent together: one statement on PostgreSQL, one after the other on SQLite, which has no
/// network to save and no writes within a WITH.
#[derive(Debug)]
pub(super) struct Writes {
    backend: DbBackend,
    parts: Vec<Part>,
}

/// Rows for one table: the statement up to its source of rows, what follows it, and the rows.
#[derive(Debug)]
struct Part {
    head: String,
    columns: &'static [Column],
    tail: String,
    rows: String,
}

impl Writes {
    /// Nothing yet.
    pub(super) const fn new(backend: DbBackend) -> Self {
        Self { backend, parts: Vec::new() }
    }

    /// Inserts rows; one that is there already fails everything.
    pub(super) fn insert<R: Row>(&mut self, rows: &[R]) -> Result<(), DbErr> {
        self.push(rows, String::new())
    }

    /// Inserts rows, or takes `updates` from them where they are there. Only for rows that the transaction has locked.
    pub(super) fn upsert<R: Row>(&mut self, rows: &[R], key: &str, updates: &[&str]) -> Result<(), DbErr> {
        let sets: Vec<_> = updates.iter().map(|column| format!("{column} = excluded.{column}")).collect();
        self.push(rows, format!(" ON CONFLICT ({key}) DO UPDATE SET {}", sets.join(", ")))
    }

    fn push<R: Row>(&mut self, rows: &[R], tail: String) -> Result<(), DbErr> {
        if !rows.is_empty() {
            let names: Vec<_> = R::COLUMNS.iter().map(|column| column.name()).collect();
            let head = format!("INSERT INTO {} ({})", R::TABLE, names.join(", "));
            self.parts.push(Part { head, columns: R::COLUMNS, tail, rows: json(rows)? });
        }
        Ok(())
    }

    /// Carries them out.
    pub(super) async fn execute(self, tx: &DatabaseTransaction) -> Result<(), DbErr> {
        match self.backend {
            DbBackend::Postgres if self.parts.len() > 1 => self.execute_together(tx).await,
            _ => self.execute_in_turn(tx).await,
        }
    }

    async fn execute_in_turn(self, tx: &DatabaseTransaction) -> Result<(), DbErr> {
        for part in self.parts {
            let statement = Statement::from_sql_and_values(self.backend, part.sql(self.backend, 1), [part.rows.into()]);
            tx.execute_raw(statement).await?;
        }
        Ok(())
    }

    async fn execute_together(self, tx: &DatabaseTransaction) -> Result<(), DbErr> {
        let numbered = self.parts.iter().zip(1..);
        let parts: Vec<_> =
            numbered.map(|(part, number)| format!("part{number} AS ({})", part.sql(self.backend, number))).collect();
        let sql = format!("WITH {} SELECT 1", parts.join(", "));
        let values = self.parts.into_iter().map(|part| part.rows.into());
        tx.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await.map(drop)
    }
}

impl Part {
    fn sql(&self, backend: DbBackend, parameter: usize) -> String {
        format!("{} {}{}", self.head, source(backend, self.columns, parameter), self.tail)
    }
}

/// The rows of the JSON parameter as a query. SQLite needs the condition to tell a join's ON from a conflict's.
pub(super) fn source(backend: DbBackend, columns: &[Column], parameter: usize) -> String {
    match backend {
        DbBackend::Postgres => {
            let names: Vec<_> = columns.iter().map(|column| column.name()).collect();
            let types: Vec<_> = columns.iter().map(|column| column.typed()).collect();
            format!("SELECT {} FROM json_to_recordset(${parameter}::json) AS r({})", names.join(", "), types.join(", "))
        }
        _ => {
            let values: Vec<_> =
                columns.iter().map(|column| format!("value ->> '{0}' AS {0}", column.name())).collect();
            format!("SELECT {} FROM json_each(?{parameter}) WHERE TRUE", values.join(", "))
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
