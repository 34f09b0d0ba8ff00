//! The tables, the same on PostgreSQL and SQLite, with the invariants that the database itself keeps.
//!
//! Not here: indexes that no query needs. Texts and 64-bit integers are the only types.

use sea_orm::{ConnectionTrait as _, DbBackend, DbErr};
use sea_orm_migration::{MigrationName, MigrationTrait, MigratorTrait, SchemaManager, async_trait};

pub(super) struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(CreateLedger), farside_kit::operator::migration("m0002_operator_log")]
    }
}

struct CreateLedger;

impl MigrationName for CreateLedger {
    fn name(&self) -> &'static str {
        "m0001_create_ledger"
    }
}

#[async_trait::async_trait]
#[expect(elided_lifetimes_in_paths, reason = "the trait's own signature elides it, and async_trait compares the two")]
impl MigrationTrait for CreateLedger {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        let backend = connection.get_database_backend();
        connection.execute_unprepared(&tables(backend)).await?;
        connection.execute_unprepared(&guards(backend)).await.map(drop)
    }
}

/// Tables whose rows are never changed or deleted.
const APPEND_ONLY: [&str; 3] = ["entries", "statement_lines", "postings"];

/// What the templates below leave open.
fn tables(backend: DbBackend) -> String {
    let (int, end, hot) = match backend {
        DbBackend::Postgres => ("BIGINT", "", " WITH (fillfactor = 70)"),
        _ => ("INTEGER", " STRICT, WITHOUT ROWID", " STRICT, WITHOUT ROWID"),
    };
    TABLES.replace("{int}", int).replace("{end}", end).replace("{hot}", hot)
}

const TABLES: &str = "
-- What players own and have held. line_count is the number of the latest line of the statement.
CREATE TABLE accounts (
    account_id TEXT NOT NULL,
    currency TEXT NOT NULL,
    posted_points {int} NOT NULL,
    held_points {int} NOT NULL,
    line_count {int} NOT NULL CHECK (line_count >= 0),
    PRIMARY KEY (account_id, currency),
    CONSTRAINT held_is_never_negative CHECK (held_points >= 0),
    CONSTRAINT held_is_part_of_posted CHECK (posted_points >= held_points)
){hot};

-- Stakes. A void hold was released before it happened: only its name is known.
CREATE TABLE holds (
    hold_id TEXT NOT NULL PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('void', 'open', 'released', 'settled', 'split', 'refunded')),
    account_id TEXT,
    currency TEXT,
    amount_points {int} CHECK (amount_points > 0),
    subject TEXT NOT NULL,
    participant_id TEXT NOT NULL,
    ended_by TEXT,
    CONSTRAINT hold_is_whole_or_void CHECK (
        (state = 'void') = (account_id IS NULL) AND (state = 'void') = (currency IS NULL)
        AND (state = 'void') = (amount_points IS NULL)),
    CONSTRAINT hold_ends_in_a_transaction CHECK ((state IN ('void', 'open')) = (ended_by IS NULL)),
    FOREIGN KEY (account_id, currency) REFERENCES accounts (account_id, currency)
){hot};
CREATE INDEX open_holds ON holds (account_id, currency) WHERE state = 'open';
CREATE INDEX ended_holds ON holds (ended_by) WHERE ended_by IS NOT NULL;

-- The first answer to every key.
CREATE TABLE postings (
    request_id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('grant', 'hold', 'release', 'settle', 'split', 'refund')),
    fingerprint TEXT NOT NULL CHECK (length(fingerprint) = 64),
    answer TEXT NOT NULL,
    transaction_id TEXT,
    ended_set_id TEXT,
    at_ms {int} NOT NULL,
    CONSTRAINT a_set_ends_in_a_transaction CHECK (ended_set_id IS NULL OR transaction_id IS NOT NULL)
){end};
CREATE UNIQUE INDEX a_set_ends_once ON postings (ended_set_id) WHERE ended_set_id IS NOT NULL;

-- The journal. An entry has two legs and one positive amount, so every transaction sums to zero.
CREATE TABLE entries (
    transaction_id TEXT NOT NULL,
    leg {int} NOT NULL CHECK (leg >= 0),
    from_place TEXT NOT NULL CHECK (from_place IN ('available', 'escrow', 'issuance', 'fee')),
    from_account TEXT,
    to_place TEXT NOT NULL CHECK (to_place IN ('available', 'escrow', 'issuance', 'fee')),
    to_account TEXT,
    currency TEXT NOT NULL,
    amount_points {int} NOT NULL CHECK (amount_points > 0),
    PRIMARY KEY (transaction_id, leg),
    CONSTRAINT from_a_player_or_the_platform CHECK ((from_place IN ('available', 'escrow')) = (from_account IS NOT NULL)),
    CONSTRAINT to_a_player_or_the_platform CHECK ((to_place IN ('available', 'escrow')) = (to_account IS NOT NULL)),
    CONSTRAINT not_to_where_it_came_from CHECK (from_place <> to_place OR from_account <> to_account)
){end};

-- Statements with the balance after each line.
CREATE TABLE statement_lines (
    account_id TEXT NOT NULL,
    currency TEXT NOT NULL,
    line {int} NOT NULL CHECK (line > 0),
    transaction_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('grant', 'hold', 'release', 'win', 'loss', 'split', 'refund')),
    posted_change_points {int} NOT NULL,
    held_change_points {int} NOT NULL,
    fee_points {int} NOT NULL CHECK (fee_points >= 0),
    posted_after_points {int} NOT NULL,
    held_after_points {int} NOT NULL,
    subject TEXT NOT NULL,
    participant_id TEXT NOT NULL,
    at_ms {int} NOT NULL,
    PRIMARY KEY (account_id, currency, line),
    CONSTRAINT line_held_is_never_negative CHECK (held_after_points >= 0),
    CONSTRAINT line_held_is_part_of_posted CHECK (posted_after_points >= held_after_points),
    FOREIGN KEY (account_id, currency) REFERENCES accounts (account_id, currency)
){end};

-- Changes of system accounts that are not folded yet, one for each batch and named by its first transaction, and the
-- folded balances.
CREATE TABLE system_deltas (
    transaction_id TEXT NOT NULL,
    system_account TEXT NOT NULL CHECK (system_account IN ('issuance', 'fee')),
    currency TEXT NOT NULL,
    change_points {int} NOT NULL,
    PRIMARY KEY (transaction_id, system_account, currency)
){end};
CREATE TABLE system_balances (
    system_account TEXT NOT NULL CHECK (system_account IN ('issuance', 'fee')),
    currency TEXT NOT NULL,
    points {int} NOT NULL,
    PRIMARY KEY (system_account, currency),
    CONSTRAINT issuance_only_gives CHECK (system_account <> 'issuance' OR points <= 0),
    CONSTRAINT fees_are_only_taken CHECK (system_account <> 'fee' OR points >= 0)
){hot};

-- Up to which line the audit has replayed each account, and what it found last.
CREATE TABLE audit_marks (
    account_id TEXT NOT NULL,
    currency TEXT NOT NULL,
    line {int} NOT NULL,
    posted_points {int} NOT NULL,
    held_points {int} NOT NULL,
    PRIMARY KEY (account_id, currency)
){hot};
CREATE TABLE audit_reports (
    id {int} NOT NULL PRIMARY KEY CHECK (id = 1),
    checked_at_ms {int} NOT NULL,
    report TEXT NOT NULL
){hot};
";

/// Triggers against every change that no posting makes.
fn guards(backend: DbBackend) -> String {
    match backend {
        DbBackend::Postgres => postgres_guards(),
        _ => sqlite_guards(),
    }
}

/// What a hold's change must not touch; the state leaves `open` once.
const HOLD_CHANGE_IS_WRONG: &str =
    "OLD.state <> 'open' OR NEW.hold_id <> OLD.hold_id OR NEW.account_id <> OLD.account_id
    OR NEW.currency <> OLD.currency OR NEW.amount_points <> OLD.amount_points OR NEW.subject <> OLD.subject
    OR NEW.participant_id <> OLD.participant_id OR NEW.state = 'void'";

fn postgres_guards() -> String {
    let mut sql = String::from(
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            RAISE EXCEPTION 'rows of % are never changed so', TG_TABLE_NAME USING ERRCODE = 'check_violation';
        END $$;\n",
    );
    for table in APPEND_ONLY {
        sql += &format!(
            "CREATE TRIGGER {table}_stay BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION refuse_change();\n"
        );
        sql += &format!(
            "CREATE TRIGGER {table}_stay_all BEFORE TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();\n"
        );
    }
    for table in ["accounts", "holds"] {
        sql += &format!(
            "CREATE TRIGGER {table}_stay BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION refuse_change();\n"
        );
    }
    sql + &format!(
        "CREATE TRIGGER holds_end_once BEFORE UPDATE ON holds FOR EACH ROW WHEN ({HOLD_CHANGE_IS_WRONG}) EXECUTE FUNCTION refuse_change();\n"
    )
}

fn sqlite_guards() -> String {
    let refuse = |table: &str| format!("SELECT RAISE(ABORT, 'rows of {table} are never changed so')");
    let mut sql = String::new();
    for table in APPEND_ONLY {
        sql += &format!("CREATE TRIGGER {table}_stay BEFORE UPDATE ON {table} BEGIN {}; END;\n", refuse(table));
    }
    for table in APPEND_ONLY.into_iter().chain(["accounts", "holds"]) {
        sql += &format!("CREATE TRIGGER {table}_stay_all BEFORE DELETE ON {table} BEGIN {}; END;\n", refuse(table));
    }
    let refuse = refuse("holds");
    sql + &format!(
        "CREATE TRIGGER holds_end_once BEFORE UPDATE ON holds WHEN {HOLD_CHANGE_IS_WRONG} BEGIN {refuse}; END;\n"
    )
}
