//! The tables of identity, alike on SQLite and PostgreSQL.
//!
//! Not here: when migrations run; the wiring does that once at start.

#![allow(
    elided_lifetimes_in_paths,
    reason = "the trait of sea-orm-migration elides them, and its macro needs the very same form"
)]

use sea_orm_migration::prelude::*;

/// All migrations in order.
pub(crate) struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Identity), Box::new(Guests), Box::new(Answers)]
    }
}

struct Identity;

impl MigrationName for Identity {
    fn name(&self) -> &str {
        "m0001_identity"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Identity {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [names(), players(), bots(), keys(), replays()] {
            manager.create_table(table).await?;
        }
        for (name, table, column) in [
            ("bots_by_owner", "bots", "owner_id"),
            ("keys_by_holder", "keys", "holder_id"),
            ("replays_by_age", "replays", "created_at_ms"),
        ] {
            let index = Index::create().name(name).table(Alias::new(table)).col(Alias::new(column)).to_owned();
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["replays", "keys", "bots", "players", "names"] {
            manager.drop_table(Table::drop().table(Alias::new(table)).to_owned()).await?;
        }
        Ok(())
    }
}

/// Guests, and keys that keep a browser signed in: what there is already is neither.
struct Guests;

impl MigrationName for Guests {
    fn name(&self) -> &str {
        "m0002_guests"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Guests {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, column) in [("players", "is_guest"), ("keys", "is_session")] {
            let column = ColumnDef::new(Alias::new(column)).boolean().not_null().default(false).to_owned();
            manager.alter_table(Table::alter().table(Alias::new(table)).add_column(column).to_owned()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, column) in [("players", "is_guest"), ("keys", "is_session")] {
            let alter = Table::alter().table(Alias::new(table)).drop_column(Alias::new(column)).to_owned();
            manager.alter_table(alter).await?;
        }
        Ok(())
    }
}

struct Answers;

impl MigrationName for Answers {
    fn name(&self) -> &str {
        "m0003_answers"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Answers {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(answers()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(Alias::new("answers")).to_owned()).await
    }
}

fn text(name: &str) -> ColumnDef {
    ColumnDef::new(Alias::new(name)).text().not_null().to_owned()
}

fn number(name: &str) -> ColumnDef {
    ColumnDef::new(Alias::new(name)).big_integer().not_null().to_owned()
}

fn maybe_number(name: &str) -> ColumnDef {
    ColumnDef::new(Alias::new(name)).big_integer().null().to_owned()
}

fn id(name: &str) -> ColumnDef {
    text(name).primary_key().to_owned()
}

fn table(name: &str, columns: impl IntoIterator<Item = ColumnDef>) -> TableCreateStatement {
    let mut table = Table::create();
    table.table(Alias::new(name));
    for column in columns {
        table.col(column);
    }
    table
}

fn names() -> TableCreateStatement {
    table("names", [id("folded"), text("holder_id")])
}

fn players() -> TableCreateStatement {
    table("players", [id("id"), text("name"), number("created_at_ms"), maybe_number("granted_at_ms")])
}

fn bots() -> TableCreateStatement {
    let columns = [
        id("id"),
        text("owner_id"),
        text("owner_name"),
        text("name"),
        text("description"),
        number("max_stake_points"),
        text("accepts_json"),
        number("created_at_ms"),
    ];
    table("bots", columns)
}

fn keys() -> TableCreateStatement {
    let columns = [
        id("id"),
        text("public").unique_key().to_owned(),
        text("hash_hex"),
        text("holder_id"),
        number("created_at_ms"),
        maybe_number("expires_at_ms"),
        maybe_number("revoked_at_ms"),
    ];
    table("keys", columns)
}

fn replays() -> TableCreateStatement {
    let columns =
        [text("actor_id"), text("request_id"), text("content_hash"), text("made_id"), number("created_at_ms")];
    let mut table = table("replays", columns);
    table.primary_key(Index::create().col(Alias::new("actor_id")).col(Alias::new("request_id")));
    table
}

fn answers() -> TableCreateStatement {
    let columns = [
        text("actor_id"),
        text("request_id"),
        text("content_hash"),
        number("status"),
        text("body"),
        number("created_at_ms"),
    ];
    let mut table = table("answers", columns);
    table.primary_key(Index::create().col(Alias::new("actor_id")).col(Alias::new("request_id")));
    table
}
