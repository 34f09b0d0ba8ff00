//! The tables of rating-svc, on SQLite and PostgreSQL alike.
//!
//! `sets` is the truth; all other tables can be made anew from it. Text is ordered by bytes everywhere, as in the domain.
//! Some indexes are of part of a table. Queries that should walk one name its condition as it stands here, without a parameter:
//! the databases cannot see that `rated = ?` means `rated`.

use sea_orm::{ConnectionTrait as _, DbBackend};
use sea_orm_migration::prelude::*;

/// Every migration, oldest first.
#[derive(Debug)]
pub(crate) struct Migrations;

impl MigratorTrait for Migrations {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(First), farside_kit::operator::migration("m0002_operator_log")]
    }
}

struct First;

impl MigrationName for First {
    fn name(&self) -> &'static str {
        "m0001_ratings"
    }
}

#[expect(
    elided_lifetimes_in_paths,
    reason = "the trait is written so, and a lifetime that is spelt out does not match it"
)]
#[async_trait::async_trait]
impl MigrationTrait for First {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        let text = match connection.get_database_backend() {
            DbBackend::Postgres => "TEXT COLLATE \"C\"",
            _ => "TEXT",
        };
        for statement in FIRST {
            connection.execute_unprepared(&statement.replace("{text}", text)).await?;
        }
        Ok(())
    }
}

const FIRST: [&str; 10] = [
    // The log of sets as they were told, each with the answer that was given.
    "CREATE TABLE sets (
        set_id {text} NOT NULL PRIMARY KEY,
        game {text} NOT NULL,
        rated BOOLEAN NOT NULL,
        finished_at_ms BIGINT NOT NULL,
        practice_player {text},
        practice_board {text},
        practice_level {text},
        content {text} NOT NULL,
        answer {text}
    )",
    "CREATE INDEX sets_by_end ON sets (game, finished_at_ms, set_id) WHERE rated",
    "CREATE INDEX sets_of_practice
        ON sets (practice_player, game, practice_board, practice_level, finished_at_ms, set_id)
        WHERE practice_player IS NOT NULL",
    // Where everybody stands now.
    "CREATE TABLE standings (
        game {text} NOT NULL,
        participant_id {text} NOT NULL,
        on_board BOOLEAN NOT NULL,
        name {text} NOT NULL,
        owner_id {text} NOT NULL,
        owner_name {text} NOT NULL,
        rating DOUBLE PRECISION NOT NULL,
        deviation DOUBLE PRECISION NOT NULL CHECK (deviation > 0 AND deviation <= 350),
        volatility DOUBLE PRECISION NOT NULL CHECK (volatility > 0 AND volatility < 1),
        wins BIGINT NOT NULL CHECK (wins >= 0),
        draws BIGINT NOT NULL CHECK (draws >= 0),
        losses BIGINT NOT NULL CHECK (losses >= 0),
        won_points BIGINT NOT NULL CHECK (won_points >= 0),
        lost_points BIGINT NOT NULL CHECK (lost_points >= 0),
        last_finished_at_ms BIGINT,
        last_set_id {text},
        peaks {text} NOT NULL,
        version BIGINT NOT NULL,
        touched_at_ms BIGINT NOT NULL,
        PRIMARY KEY (game, participant_id)
    )",
    "CREATE INDEX standings_on_board ON standings (game, rating DESC, participant_id) WHERE on_board",
    "CREATE INDEX standings_of_participant ON standings (participant_id)",
    "CREATE INDEX standings_touched ON standings (game, touched_at_ms, participant_id) WHERE on_board",
    // One update for each rated set and participant: the primary key says so.
    "CREATE TABLE history (
        participant_id {text} NOT NULL,
        game {text} NOT NULL,
        set_id {text} NOT NULL,
        finished_at_ms BIGINT NOT NULL,
        rating DOUBLE PRECISION NOT NULL,
        deviation DOUBLE PRECISION NOT NULL,
        volatility DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (participant_id, game, set_id)
    )",
    "CREATE INDEX history_by_end ON history (participant_id, game, finished_at_ms, set_id)",
    // A person's practice for each board and level.
    "CREATE TABLE practice (
        player_id {text} NOT NULL,
        game {text} NOT NULL,
        board {text} NOT NULL,
        level {text} NOT NULL,
        wins BIGINT NOT NULL CHECK (wins >= 0),
        losses BIGINT NOT NULL CHECK (losses >= 0),
        current_streak BIGINT NOT NULL CHECK (current_streak >= 0),
        best_streak BIGINT NOT NULL CHECK (best_streak >= current_streak),
        last_finished_at_ms BIGINT,
        last_set_id {text},
        PRIMARY KEY (player_id, game, board, level)
    )",
];
