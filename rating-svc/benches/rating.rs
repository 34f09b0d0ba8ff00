//! Measures leaderboard pages over 100,000 rated bots, and sets recorded a second, through the whole service: contract,
//! engine, storage. Prints one JSON object a line, for `cargo xtask bench rating`.
//!
//! Storage: SQLite always; PostgreSQL and Redis when the environment of the tests names them. No comparison with other
//! programs is made here.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a bench that cannot go on should stop; its result is its output"
)]

use std::time::Duration;

use farside_kit::Context;
use farside_kit::config::{BusArgs, DatabaseArgs, Secret};
use farside_kit::db::Database;
use farside_kit::grpc::{Endpoint, Traced, channel};
use farside_kit::ids::{IdSource as _, SeededIds};
use farside_kit::testing::{TestDatabase, unique_name};
use farside_kit::time::{Clock as _, Stopwatch, SystemClock, UnixMs};
use farside_proto::rating::v1 as pb;
use farside_proto::rating::v1::rating_service_client::RatingServiceClient;
use farside_rating::domain::board::{After, Place};
use farside_rating::domain::cursor;
use farside_rating::domain::ids::{GameId, ParticipantId};
use farside_rating::{Config, SCHEMA};
use futures::stream::{self, StreamExt as _};

const PARTICIPANTS: usize = 100_000;
const PAGES: usize = 2_000;
const SETS: usize = 2_000;
const CALLERS: usize = 64;
const ROWS: u32 = 100;
const GAME: &str = "breakthrough";

type Client = RatingServiceClient<Traced>;

#[tokio::main]
async fn main() {
    let redis_url = std::env::var("FARSIDE_TEST_REDIS_URL").ok();
    let sqlite = TestDatabase::sqlite();
    measure("sqlite", sqlite.args(), None).await;
    if std::env::var_os("FARSIDE_TEST_POSTGRES_URL").is_some() {
        let postgres = TestDatabase::postgres().await;
        measure("postgres", postgres.args(), redis_url).await;
    }
}

async fn measure(name: &str, database: &DatabaseArgs, redis_url: Option<String>) {
    let (_context, client) = start(database, None).await;
    fill(database).await;
    pages(&client, &format!("{name} first page"), false).await;
    pages(&client, &format!("{name} any page"), true).await;
    if let Some(url) = redis_url {
        let (context, cached) = start(database, Some(url)).await;
        let loading = Stopwatch::start();
        warm_up(&context, &cached).await;
        println!("{{\"what\": \"redis loaded\", \"seconds\": {:.3}}}", loading.elapsed().as_secs_f64());
        pages(&cached, "redis first page", false).await;
    }
    sets(&client, name).await;
}

async fn start(database: &DatabaseArgs, redis_url: Option<String>) -> (Context, Client) {
    let context = Context::in_process();
    let hub = context.hub.clone().unwrap();
    let bus = BusArgs { redis_url: redis_url.map(Secret::new) };
    let config = Config { bus, rating_cache_prefix: unique_name(), ..Config::new(database.clone()) };
    farside_rating::start(config, context.clone(), hub.listen(farside_rating::NAME)).await.unwrap();
    let channel = channel(&Endpoint::memory(&hub, farside_rating::NAME), None, Duration::from_secs(60));
    (context, RatingServiceClient::new(channel))
}

/// Rated bots straight into the table, in one statement that both databases understand: ratings from 400 to 2000 in steps of a
/// tenth, so that there are ties.
const FILL: &str = "
    WITH RECURSIVE numbers(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < 99999)
    INSERT INTO standings
    SELECT 'breakthrough', 'bot_' || CAST(100000 + i AS TEXT), TRUE, 'bot' || CAST(i AS TEXT), 'player_' || CAST(i AS TEXT),
        'owner' || CAST(i AS TEXT), CAST(400 + (i * 7919) % 1600 AS DOUBLE PRECISION) + CAST(i % 10 AS DOUBLE PRECISION) / 10.0,
        80.0, 0.06, 10, 2, 8, 400, 320, 1700000000000, 'set_0', '[]', 1, 1700000000000
    FROM numbers";

async fn fill(database: &DatabaseArgs) {
    let db = Database::connect(database, SCHEMA).await.unwrap();
    for statement in [FILL, "ANALYZE standings"] {
        let done: Result<(), sea_orm::DbErr> = db
            .write(move |tx| {
                Box::pin(async move { sea_orm::ConnectionTrait::execute_unprepared(tx, statement).await.map(drop) })
            })
            .await;
        done.unwrap();
    }
}

/// The first reader has the board loaded in the background; from then on it is a matter of microseconds.
async fn warm_up(context: &Context, client: &Client) {
    while !context.metrics.encode().contains("leaderboard_pages_total{source=\"Cache\"}") {
        page(client, String::new()).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn page(client: &Client, cursor: String) -> Duration {
    let request = pb::ListLeaderboardRequest { game: GAME.to_owned(), limit: ROWS, cursor };
    let watch = Stopwatch::start();
    let rows = client.clone().list_leaderboard(request).await.unwrap().into_inner().rows;
    assert!(!rows.is_empty());
    watch.elapsed()
}

async fn pages(client: &Client, what: &str, anywhere: bool) {
    let ids = SeededIds::new(2);
    let mut times = Vec::with_capacity(PAGES);
    for _ in 0..PAGES {
        let cursor = if anywhere { somewhere(&ids, SystemClock::default().now()) } else { String::new() };
        times.push(page(client, cursor).await);
    }
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 1_000].as_secs_f64() * 1_000.0;
    println!(
        "{{\"what\": \"{what}\", \"participants\": {PARTICIPANTS}, \"rows\": {ROWS}, \"pages\": {PAGES}, \"p50_ms\": {:.3}, \"p99_ms\": {:.3}, \"p999_ms\": {:.3}}}",
        at(500),
        at(990),
        at(999)
    );
}

fn somewhere(ids: &SeededIds, now: UnixMs) -> String {
    let tenths = u32::try_from(ids.random_u128() % 15_000).unwrap();
    let id = format!("bot_{}", 100_000 + ids.random_u128() % 100_000);
    let place = Place::new(450.0 + f64::from(tenths) / 10.0, ParticipantId::from_stored(id));
    cursor::of_board(&GameId::parse(GAME).unwrap(), &After { place, rank: 1, since: now })
}

async fn sets(client: &Client, name: &str) {
    let ids = SeededIds::new(3);
    let requests: Vec<pb::RecordSetRequest> = (0..SETS).map(|number| set(&ids, number)).collect();
    let watch = Stopwatch::start();
    let calls = stream::iter(requests).map(|request| {
        let mut client = client.clone();
        async move { client.record_set(request).await }
    });
    calls.buffer_unordered(CALLERS).for_each(async |answer| drop(answer.unwrap())).await;
    let per_second = SETS as f64 / watch.elapsed().as_secs_f64();
    println!(
        "{{\"what\": \"{name} sets recorded\", \"sets\": {SETS}, \"callers\": {CALLERS}, \"per_second\": {per_second:.0}}}"
    );
}

fn set(ids: &SeededIds, number: usize) -> pb::RecordSetRequest {
    let set_id = format!("set_bench{number:020}");
    let first = usize::try_from(ids.random_u128() % PARTICIPANTS as u128).unwrap();
    let participant = |number: usize| pb::Participant {
        id: format!("bot_{}", 100_000 + number),
        name: format!("bot{number}"),
        kind: pb::ParticipantKind::Bot.into(),
        owner_id: format!("player_{number}"),
        owner_name: format!("owner{number}"),
    };
    pb::RecordSetRequest {
        request_id: format!("{set_id}:rate"),
        set_id,
        game: GAME.to_owned(),
        rated: true,
        creator: Some(participant(first)),
        acceptor: Some(participant((first + 1 + number) % PARTICIPANTS)),
        outcome: pb::SetOutcome::CreatorWon.into(),
        lost_points: 10,
        won_points: 10,
        finished_at_ms: 1_800_000_000_000 + i64::try_from(number).unwrap(),
        practice: None,
    }
}
