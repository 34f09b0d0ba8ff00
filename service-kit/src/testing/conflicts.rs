//! Conflicts on purpose: PostgreSQL itself refuses the first statement, or the first commit, of each kind on each table, as
//! a distributed engine refuses a transaction that lost to another one.
//!
//! The refusals are real: triggers raise the SQLSTATE. Which ones have been raised is counted by sequences, since nothing
//! else survives the rollback. Not here: what must hold nevertheless.

use std::collections::BTreeSet;

use sea_orm::{ConnectionTrait as _, DatabaseConnection, QueryResult};

use crate::config::DatabaseArgs;

/// What a transaction is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// Another transaction got in between, told at the statement.
    Serialization,
    /// Another transaction got in between, told at the commit, as optimistic engines do.
    SerializationAtCommit,
    /// Two transactions waited for each other.
    Deadlock,
}

impl Conflict {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Serialization, Self::SerializationAtCommit, Self::Deadlock];

    const fn sqlstate(self) -> &'static str {
        match self {
            Self::Serialization | Self::SerializationAtCommit => "40001",
            Self::Deadlock => "40P01",
        }
    }

    const fn trigger(self) -> &'static str {
        match self {
            Self::SerializationAtCommit => {
                "CREATE CONSTRAINT TRIGGER conflict_on_purpose AFTER {kind} ON {table} \
                 DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION {schema}.conflict_on_purpose()"
            }
            Self::Serialization | Self::Deadlock => {
                "CREATE TRIGGER conflict_on_purpose AFTER {kind} ON {table} \
                 FOR EACH STATEMENT EXECUTE FUNCTION {schema}.conflict_on_purpose()"
            }
        }
    }
}

/// Tables that only migrations write.
const OF_MIGRATIONS: &str = "'seaql_migrations', 'migration_lock'";

/// The armed tables of one schema.
#[derive(Debug)]
pub struct Conflicts {
    connection: DatabaseConnection,
    schema: String,
}

impl Conflicts {
    /// Arms every table of `schema`: the first `kind` (`INSERT`, `UPDATE` or `DELETE`) on each is refused once.
    ///
    /// # Panics
    ///
    /// When the database does not let itself be armed.
    pub async fn arm(args: &DatabaseArgs, schema: &str, kind: &str, conflict: Conflict) -> Self {
        let connection = sea_orm::Database::connect(args.database_url.reveal()).await.expect("a database to arm");
        let armed = Self { connection, schema: schema.to_owned() };
        armed.execute(&function(schema, conflict)).await;
        for table in armed.tables().await {
            armed.execute(&format!("CREATE SEQUENCE {schema}.conflicts_{table}")).await;
            let place = format!("{schema}.{table}");
            let trigger = conflict.trigger().replace("{kind}", kind).replace("{table}", &place);
            armed.execute(&trigger.replace("{schema}", schema)).await;
        }
        armed
    }

    /// Every table of the schema but those of migrations.
    ///
    /// # Panics
    ///
    /// When the database does not tell.
    pub async fn tables(&self) -> BTreeSet<String> {
        let sql = format!(
            "SELECT tablename::text FROM pg_tables WHERE schemaname = '{}' AND tablename NOT IN ({OF_MIGRATIONS})",
            self.schema
        );
        self.names(&sql).await
    }

    /// The tables on which a transaction was refused.
    ///
    /// # Panics
    ///
    /// When the database does not tell.
    pub async fn met(&self) -> BTreeSet<String> {
        let sql = format!(
            "SELECT replace(sequencename::text, 'conflicts_', '') FROM pg_sequences \
             WHERE schemaname = '{}' AND sequencename LIKE 'conflicts_%' AND last_value IS NOT NULL",
            self.schema
        );
        self.names(&sql).await
    }

    /// Ends it: from now on nothing is refused.
    ///
    /// # Panics
    ///
    /// When the database does not let itself be disarmed.
    pub async fn disarm(self) {
        for table in self.tables().await {
            self.execute(&format!("DROP TRIGGER conflict_on_purpose ON {}.{table}", self.schema)).await;
            self.execute(&format!("DROP SEQUENCE {}.conflicts_{table}", self.schema)).await;
        }
        self.execute(&format!("DROP FUNCTION {}.conflict_on_purpose()", self.schema)).await;
        self.connection.close().await.expect("a connection closes");
    }

    async fn execute(&self, sql: &str) {
        let done = self.connection.execute_unprepared(sql).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    async fn names(&self, sql: &str) -> BTreeSet<String> {
        let statement = sea_orm::Statement::from_string(self.connection.get_database_backend(), sql);
        let rows = self.connection.query_all_raw(statement).await.expect("the catalogue answers");
        let name = |row: &QueryResult| row.try_get_by_index::<String>(0).expect("a name");
        rows.iter().map(name).collect()
    }
}

fn function(schema: &str, conflict: Conflict) -> String {
    format!(
        "CREATE FUNCTION {schema}.conflict_on_purpose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         IF nextval(TG_TABLE_SCHEMA || '.conflicts_' || TG_TABLE_NAME) = 1 THEN \
         RAISE EXCEPTION 'a conflict on purpose' USING ERRCODE = '{}'; END IF; RETURN NULL; END $$",
        conflict.sqlstate()
    )
}
