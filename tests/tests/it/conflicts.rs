//! Every kind of write that the platform makes loses once to another transaction and is made all the same, with exactly
//! one effect: the promise on which a move to a distributed engine stands.
//!
//! All services of one process keep their tables in one PostgreSQL, whose triggers refuse the first statement (or
//! commit) of a kind on each table. Which tables each kind of statement must meet is written down here: a table that
//! nobody writes any more, or that somebody begins to write, is noticed.

use std::{collections::BTreeSet, net::Ipv4Addr, path::Path, sync::Arc, time::Duration};

use farside::{
    client::Client,
    platform::{Platform, PlatformArgs},
    settings,
};
use farside_kit::{
    Context,
    config::{OperatorKeys, TelemetryArgs},
    grpc::{Endpoint, channel},
    testing::{
        TestDatabase,
        conflicts::{Conflict, Conflicts},
    },
    time::{DurationMs, ManualClock, UnixMs},
};
use farside_proto::{
    matches::v1::{AbortSetRequest, SuspendRequest, UnsuspendRequest, match_service_client::MatchServiceClient},
    rating::v1::{RebuildRequest, rating_service_client::RatingServiceClient},
};
use farside_tests::{
    bots::{Bot, agree, name, play_out},
    wait,
};
use sea_orm::{ConnectionTrait as _, Database, DatabaseConnection, Statement};
use serde_json::{Value, json};

/// A schema, and its tables that are inserted into, updated and deleted from.
type Writes = (&'static str, &'static [&'static str], &'static [&'static str], &'static [&'static str]);

/// The services with tables, by their schemas, and on which tables each kind of statement is made.
const WRITES: [Writes; 4] = [
    (
        "match_svc",
        &[
            "beats",
            "challenges",
            "operator_log",
            "outages",
            "outbox",
            "participant_sets",
            "participants",
            "pending_moves",
            "requests",
            "set_events",
            "set_states",
            "sets",
            "signing_keys",
            "suspensions",
        ],
        &["beats", "challenges", "outages", "outbox", "participant_sets", "participants", "set_states", "sets"],
        &["challenges", "pending_moves", "requests", "suspensions"],
    ),
    (
        "ledger",
        &[
            "accounts",
            "audit_marks",
            "audit_reports",
            "entries",
            "holds",
            "postings",
            "statement_lines",
            "system_balances",
            "system_deltas",
        ],
        &["accounts", "audit_marks", "audit_reports", "holds", "system_balances"],
        &["system_deltas"],
    ),
    (
        "rating",
        &["history", "operator_log", "practice", "sets", "standings"],
        &["history", "practice", "sets", "standings"],
        &["history"],
    ),
    ("gateway", &["answers", "bots", "keys", "names", "players", "replays"], &["bots", "keys", "players"], &["names"]),
];

const START: UnixMs = UnixMs(1_800_000_000_000);

/// Between two ticks of the clock that runs with the machine's, and can be turned on by hand.
const TICK: Duration = Duration::from_millis(20);

/// The platform in this process on one PostgreSQL.
struct Armed {
    platform: Platform,
    clock: Arc<ManualClock>,
    conflicts: Vec<Conflicts>,
}

async fn platform(database: &TestDatabase, data: &Path, clock: &Arc<ManualClock>) -> Platform {
    let args = PlatformArgs {
        listen: (Ipv4Addr::LOCALHOST, 0).into(),
        admin_listen: (Ipv4Addr::LOCALHOST, 0).into(),
        data: data.to_owned(),
        database_url: Some(database.args().database_url.clone()),
        redis_url: None,
        exhibition: 0,
        exhibition_pace_ms: 0,
        operator_keys: OperatorKeys::default(),
        telemetry: TelemetryArgs::default(),
    };
    let services = settings::services(&args).unwrap();
    let context = Context { clock: Arc::clone(clock) as _, ..Context::in_process() };
    Platform::start(&args, services, context).await.unwrap()
}

/// Starts on an empty database, forgets the rows that only a first start makes, arms every table, and starts again.
async fn armed(database: &TestDatabase, data: &Path, kind: &str, conflict: Conflict) -> Armed {
    let clock = ManualClock::at(START);
    let running = Arc::clone(&clock);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(TICK).await;
            running.advance(DurationMs(20));
        }
    });
    assert!(platform(database, data, &clock).await.stop().await);
    let connection = Database::connect(database.args().database_url.reveal()).await.unwrap();
    assert_no_sequences(&connection).await;
    connection
        .execute_unprepared("TRUNCATE match_svc.signing_keys, match_svc.beats, ledger.audit_reports")
        .await
        .unwrap();
    let mut conflicts = Vec::new();
    for (schema, ..) in WRITES {
        conflicts.push(Conflicts::arm(database.args(), schema, kind, conflict).await);
    }
    Armed { platform: platform(database, data, &clock).await, clock, conflicts }
}

/// A sequence is one hot row for all machines of a distributed engine: the migrated tables have none, in any form.
async fn assert_no_sequences(connection: &DatabaseConnection) {
    let sql = "SELECT (SELECT count(*) FROM pg_sequences) + (SELECT count(*) FROM information_schema.columns \
               WHERE is_identity = 'YES' OR column_default LIKE 'nextval%')";
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    assert_eq!(row.try_get_by_index::<i64>(0).unwrap(), 0);
}

async fn practised(url: &str) {
    let person = Client::new(url).unwrap().sign_up(&name()).await.unwrap().1;
    let wish = json!({ "game": "breakthrough", "opponent": "house:easy", "format": "single", "clock": null });
    for _ in 0..2 {
        let made = person.post("/v1/challenges", wish.clone()).await.unwrap();
        let set = made["set"]["id"].as_str().unwrap();
        for action in ["pause", "resume", "resign"] {
            person.post(&format!("/v1/sets/{set}/{action}"), json!({ "game": 1 })).await.unwrap();
        }
    }
}

/// A bot with its key changed and renamed, and another one made once however often it is asked for.
async fn managed(url: &str) {
    let bot = Bot::join(url).await;
    assert_made_once(url).await;
    let made = bot.owner.post(&format!("/v1/bots/{}/keys", bot.id), json!({})).await.unwrap();
    let key = made["key_id"].as_str().unwrap();
    bot.owner.call(reqwest::Method::DELETE, &format!("/v1/bots/{}/keys/{key}", bot.id), None).await.unwrap();
    let change = json!({ "name": name(), "description": "changed" });
    bot.owner.call(reqwest::Method::PATCH, &format!("/v1/bots/{}", bot.id), Some(change)).await.unwrap();
}

async fn assert_made_once(url: &str) {
    let anyone = Client::new(url).unwrap();
    let signed_up = anyone.post("/v1/players", json!({ "name": name() })).await.unwrap();
    let request = reqwest::Client::new().post(format!("{url}/v1/bots")).json(&json!({ "name": name() }));
    let request = request.bearer_auth(signed_up["key"].as_str().unwrap()).header("Idempotency-Key", "once");
    let first: Value = request.try_clone().unwrap().send().await.unwrap().json().await.unwrap();
    let again: Value = request.send().await.unwrap().json().await.unwrap();
    assert_eq!(first["bot"]["id"], again["bot"]["id"]);
}

/// Challenges that end without a set, and one that its creator cannot pay for.
async fn challenged(one: &Bot, other: &Bot) {
    let private = json!({ "game": "breakthrough", "opponent": other.id, "stake": { "currency": "PTS", "amount": 10 } });
    for (who, action) in [(one, "cancel"), (other, "decline")] {
        let made = one.client.post("/v1/challenges", private.clone()).await.unwrap();
        let id = made["challenge"]["id"].as_str().unwrap();
        who.client.post(&format!("/v1/challenges/{id}/{action}"), json!({})).await.unwrap();
    }
    let dear = json!({ "game": "breakthrough", "stake": { "currency": "PTS", "amount": 500 } });
    for _ in 0..3 {
        if let Err(error) = one.client.post("/v1/challenges", dear.clone()).await {
            assert_eq!(error.code(), Some("insufficient_balance"));
        }
    }
}

fn staked(game: &str) -> Value {
    json!({ "game": game, "stake": { "currency": "PTS", "amount": 10 } })
}

/// A staked set of `game` to its end; it is rated once and its stakes end once.
async fn played(url: &str, game: &str) {
    let (one, other) = (Bot::join(url).await, Bot::join(url).await);
    let total = async || one.points().await.0 + other.points().await.0;
    let before = total().await;
    let set = agree(&one, &other, staked(game)).await;
    let set = play_out(&one, &other, set["id"].as_str().unwrap()).await;
    assert_eq!(set["status"], "finished");
    assert_eq!((total().await, one.points().await.1, other.points().await.1), (before, 0, 0));
    wait::until("both ratings", async || {
        let standings = [one.standing(game).await, other.standing(game).await];
        standings.iter().all(|standing| standing["sets"] == 1).then_some(())
    })
    .await;
    let record = one.client.get(&format!("/v1/sets/{}/record", set["id"].as_str().unwrap())).await.unwrap();
    let found = one.client.post("/v1/records/verify", record).await.unwrap();
    assert_eq!((&found["ok"], &found["fault"]), (&json!(true), &Value::Null), "no event twice, none missing");
}

/// What operators do, each under a key of its own.
async fn operated(armed: &Armed) {
    let context = armed.platform.context();
    let to = |service: &str| channel(&Endpoint::memory(context.hub.as_ref().unwrap(), service), None, wait::LIMIT);
    let (one, other) = (Bot::join(armed.platform.url()).await, Bot::join(armed.platform.url()).await);
    let set_id = agree(&one, &other, staked("breakthrough")).await["id"].as_str().unwrap().to_owned();
    let (key, reason) = (|name: &str| format!("{name}:{set_id}"), "a test".to_owned());
    let mut matches = MatchServiceClient::new(to("match"));
    let abort = AbortSetRequest { request_id: key("abort"), set_id: set_id.clone(), reason: reason.clone() };
    matches.abort_set(abort).await.unwrap();
    let (request_id, subject_id) = (key("suspend"), one.id.clone());
    matches.suspend(SuspendRequest { request_id, subject_id, reason: reason.clone() }).await.unwrap();
    let (request_id, subject_id) = (key("unsuspend"), one.id.clone());
    matches.unsuspend(UnsuspendRequest { request_id, subject_id, reason: reason.clone() }).await.unwrap();
    let mut rating = RatingServiceClient::new(to("rating"));
    let rebuilt = rating.rebuild(RebuildRequest { request_id: key("rebuild"), reason }).await.unwrap().into_inner();
    assert_eq!(rebuilt.corrected, 0);
    wait::until("the stakes to go back", async || (one.points().await == (1_000, 0)).then_some(())).await;
}

/// Time passes without a beat: it is given back, and what is a day old is forgotten.
async fn an_outage_passes(armed: &Armed) {
    let (one, other) = (Bot::join(armed.platform.url()).await, Bot::join(armed.platform.url()).await);
    let set = agree(&one, &other, staked("breakthrough")).await;
    armed.clock.advance(DurationMs(25 * 3_600 * 1_000));
    let path = format!("/v1/sets/{}", set["id"].as_str().unwrap());
    wait::until("the set to be aborted for the outage", async || {
        (one.client.get(&path).await.ok()?["settlement"] == "refunded").then_some(())
    })
    .await;
    assert_eq!((one.points().await, other.points().await), ((1_000, 0), (1_000, 0)));
}

async fn every_write_survives(kind: &str, conflict: Conflict) {
    let (database, data) = (TestDatabase::postgres().await, tempfile::tempdir().unwrap());
    let armed = armed(&database, data.path(), kind, conflict).await;
    let url = armed.platform.url();
    managed(url).await;
    practised(url).await;
    let (one, other) = (Bot::join(url).await, Bot::join(url).await);
    challenged(&one, &other).await;
    played(url, "breakthrough").await;
    played(url, "maker-breaker").await;
    operated(&armed).await;
    an_outage_passes(&armed).await;
    for (conflicts, (schema, inserted, updated, deleted)) in armed.conflicts.iter().zip(WRITES) {
        let wanted: BTreeSet<String> = match kind {
            "INSERT" => inserted,
            "UPDATE" => updated,
            _ => deleted,
        }
        .iter()
        .map(ToString::to_string)
        .collect();
        wait::until(&format!("{kind} of {schema} to meet conflicts on {wanted:?}"), async || {
            wanted.is_subset(&conflicts.met().await).then_some(())
        })
        .await;
    }
    let audit = one.client.get("/v1/ledger/audit").await.unwrap();
    assert_eq!((&audit["ok"], &audit["violations"]), (&json!(true), &json!([])));
    assert!(armed.platform.stop().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_insert_survives_a_serialisation_failure() {
    every_write_survives("INSERT", Conflict::Serialization).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_update_survives_a_serialisation_failure() {
    every_write_survives("UPDATE", Conflict::Serialization).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_delete_survives_a_serialisation_failure() {
    every_write_survives("DELETE", Conflict::Serialization).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_insert_survives_a_refused_commit() {
    every_write_survives("INSERT", Conflict::SerializationAtCommit).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_insert_survives_a_deadlock() {
    every_write_survives("INSERT", Conflict::Deadlock).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_update_survives_a_deadlock() {
    every_write_survives("UPDATE", Conflict::Deadlock).await;
}
