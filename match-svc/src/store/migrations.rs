//! The tables, made in the same words on SQLite and PostgreSQL: text, whole numbers and keys that are texts, no
//! sequences. Sets are split by how often they change: `sets` never until the end, `set_states` with every event.

use sea_orm::{ConnectionTrait as _, DbErr};
use sea_orm_migration::{MigrationName, MigrationTrait, MigratorTrait, SchemaManager};

/// All migrations in order.
pub(super) struct Migrator;

#[sea_orm_migration::async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(Statements { name: "m0001_tables", list: &TABLES }),
            farside_kit::operator::migration("m0002_operator_log"),
            Box::new(Statements { name: "m0003_suspensions", list: &SUSPENSIONS }),
            Box::new(Statements { name: "m0004_records", list: &RECORDS }),
            Box::new(Statements { name: "m0005_first_answers", list: &FIRST_ANSWERS }),
        ]
    }
}

/// A list of statements under the name by which databases remember that it was carried out: neither is ever changed.
struct Statements {
    name: &'static str,
    list: &'static [&'static str],
}

impl MigrationName for Statements {
    fn name(&self) -> &str {
        self.name
    }
}

#[sea_orm_migration::async_trait::async_trait]
#[expect(elided_lifetimes_in_paths, reason = "the trait's own signature elides it, and async_trait compares the two")]
impl MigrationTrait for Statements {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in self.list {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}

const TABLES: [&str; 29] = [
    "CREATE TABLE challenges (id TEXT PRIMARY KEY, status BIGINT NOT NULL, kind BIGINT NOT NULL, game TEXT NOT NULL, \
     creator_id TEXT NOT NULL, opponent_id TEXT, acceptor_id TEXT, set_id TEXT, offer TEXT NOT NULL, acceptor TEXT, \
     winnings_points BIGINT NOT NULL, expires_at_ms BIGINT NOT NULL, created_at_ms BIGINT NOT NULL, \
     changed_at_ms BIGINT NOT NULL, claim_id TEXT, claim_by TEXT, claim_at_ms BIGINT)",
    "CREATE INDEX challenges_by_status ON challenges (status, expires_at_ms)",
    "CREATE INDEX challenges_by_creator ON challenges (creator_id, status)",
    "CREATE INDEX challenges_by_opponent ON challenges (opponent_id, status)",
    "CREATE INDEX challenges_by_claim ON challenges (claim_by)",
    "CREATE INDEX challenges_by_claim_time ON challenges (claim_at_ms)",
    "CREATE INDEX challenges_by_game ON challenges (game, status, id)",
    "CREATE TABLE sets (id TEXT PRIMARY KEY, game TEXT NOT NULL, status BIGINT NOT NULL, settlement BIGINT NOT NULL, \
     creator_id TEXT NOT NULL, acceptor_id TEXT NOT NULL, info TEXT NOT NULL, created_at_ms BIGINT NOT NULL, \
     finished_at_ms BIGINT)",
    "CREATE INDEX sets_by_game ON sets (game, status, id)",
    "CREATE INDEX sets_by_status ON sets (status, id)",
    "CREATE TABLE set_states (set_id TEXT PRIMARY KEY, last_seq BIGINT NOT NULL, due_at_ms BIGINT, \
     house_due BIGINT NOT NULL, pending_rev BIGINT NOT NULL, state TEXT NOT NULL)",
    "CREATE INDEX set_states_by_due ON set_states (due_at_ms)",
    "CREATE INDEX set_states_by_house ON set_states (house_due)",
    "CREATE TABLE set_events (set_id TEXT NOT NULL, seq BIGINT NOT NULL, at_ms BIGINT NOT NULL, payload TEXT NOT NULL, \
     PRIMARY KEY (set_id, seq))",
    "CREATE TABLE pending_moves (set_id TEXT NOT NULL, game BIGINT NOT NULL, ply BIGINT NOT NULL, seat BIGINT NOT NULL, \
     move_json TEXT NOT NULL, notation TEXT NOT NULL, received_ms BIGINT NOT NULL, PRIMARY KEY (set_id, game, ply, seat))",
    "CREATE INDEX pending_moves_by_time ON pending_moves (received_ms)",
    "CREATE TABLE participants (id TEXT PRIMARY KEY, touched_ms BIGINT NOT NULL)",
    "CREATE TABLE participant_sets (participant_id TEXT NOT NULL, set_id TEXT NOT NULL, active BIGINT NOT NULL, \
     PRIMARY KEY (participant_id, set_id))",
    "CREATE INDEX participant_sets_active ON participant_sets (participant_id, active, set_id)",
    "CREATE TABLE outbox (errand_key TEXT PRIMARY KEY, subject TEXT NOT NULL, errand TEXT NOT NULL, due_at_ms BIGINT, \
     attempts BIGINT NOT NULL, created_at_ms BIGINT NOT NULL, done_at_ms BIGINT)",
    "CREATE INDEX outbox_by_due ON outbox (due_at_ms)",
    "CREATE TABLE strikes (set_id TEXT NOT NULL, game BIGINT NOT NULL, participant_id TEXT NOT NULL, at_ms BIGINT NOT NULL, \
     PRIMARY KEY (set_id, game))",
    "CREATE INDEX strikes_by_participant ON strikes (participant_id, at_ms)",
    "CREATE TABLE requests (actor_id TEXT NOT NULL, request_id TEXT NOT NULL, fingerprint TEXT NOT NULL, \
     subject TEXT NOT NULL, created_at_ms BIGINT NOT NULL, PRIMARY KEY (actor_id, request_id))",
    "CREATE INDEX requests_by_subject ON requests (subject)",
    "CREATE INDEX requests_by_time ON requests (created_at_ms)",
    "CREATE TABLE beats (id TEXT PRIMARY KEY, at_ms BIGINT NOT NULL)",
    "CREATE TABLE outages (from_ms BIGINT PRIMARY KEY, to_ms BIGINT NOT NULL, done BIGINT NOT NULL)",
    "CREATE TABLE signing_keys (id TEXT PRIMARY KEY, secret TEXT NOT NULL, created_at_ms BIGINT NOT NULL)",
];

/// Bots and players that an operator keeps from new sets.
const SUSPENSIONS: [&str; 1] = ["CREATE TABLE suspensions (subject_id TEXT PRIMARY KEY, since_ms BIGINT NOT NULL)"];

/// Records of sets whose events were deleted, and which sets those are.
const RECORDS: [&str; 3] = [
    "CREATE TABLE set_records (set_id TEXT PRIMARY KEY, record TEXT NOT NULL, kept_at_ms BIGINT NOT NULL)",
    "ALTER TABLE sets ADD COLUMN has_events BIGINT NOT NULL DEFAULT 1",
    "CREATE INDEX sets_by_end ON sets (has_events, finished_at_ms)",
];

/// Where in a set's log the answer to a request was, and which placement was the last of its round.
const FIRST_ANSWERS: [&str; 4] = [
    "ALTER TABLE requests ADD COLUMN seq BIGINT",
    "ALTER TABLE requests ADD COLUMN submitted BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE pending_moves ADD COLUMN completes BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE pending_moves ADD COLUMN placed_seq BIGINT NOT NULL DEFAULT 0",
];
