//! Migrations go forwards on live data: what the first version wrote is understood, and played on, by this one.
//!
//! The data is that version's own (`tests/data/oldest`), not made by today's code.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use farside::client::Client;
use farside_tests::{
    TestDatabase,
    bots::{Bot, play_out},
    program::{Program, free_address},
    wait,
};
use sea_orm::{ConnectOptions, ConnectionTrait as _, Database};
use serde_json::{Value, json};

fn oldest() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/oldest")
}

/// What the public API said when the data was written.
fn facts(kind: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(oldest().join(format!("{kind}.json"))).unwrap()).unwrap()
}

/// One of the two who played then.
fn player(facts: &Value, name: &str, url: &str) -> Bot {
    let player = &facts["players"][name];
    let with = |key: &str| Client::new(url).unwrap().with_key(player[key].as_str().unwrap());
    Bot { id: player["bot"].as_str().unwrap().to_owned(), client: with("bot_key"), owner: with("key") }
}

/// This version on a free port. The years since then are an outage that no set is aborted for.
fn platform() -> (Program, String) {
    let (mut program, address) = (Program::new("farside"), free_address());
    program.set("FARSIDE_LISTEN", &address.to_string()).set("FARSIDE_EXHIBITION", "0");
    program.set("FARSIDE_OUTAGE_ABORT_S", &u32::MAX.to_string());
    (program, format!("http://{address}"))
}

async fn everything_is_there_and_goes_on(url: &str, facts: &Value) {
    let (ada, bob) = (player(facts, "ada", url), player(facts, "bob", url));
    let me = ada.owner.get("/v1/me").await.unwrap();
    assert_eq!(me["player"]["id"], facts["players"]["ada"]["id"], "the key is known");
    assert_eq!(ada.client.get("/v1/games/breakthrough/leaderboard").await.unwrap(), facts["leaderboard"]);
    let finished = facts["finished"].as_str().unwrap();
    let record = ada.client.get(&format!("/v1/sets/{finished}/record")).await.unwrap();
    assert_eq!(record, facts["record"], "the record is signed as it was");
    assert_eq!(ada.client.post("/v1/records/verify", record).await.unwrap()["ok"], true);
    let before = &facts["players"]["ada"]["balance"];
    let (available, held) = (before["available"].as_i64().unwrap(), before["held"].as_i64().unwrap());
    wait::until("the challenge of then to expire and its stake to come back", async || {
        (ada.points().await == (available + 30, held - 30)).then_some(())
    })
    .await;
    a_paused_practice_is_resumed(&bob, facts["paused"].as_str().unwrap()).await;
    the_set_that_ran_is_played_on(&ada, &bob, facts).await;
}

async fn a_paused_practice_is_resumed(bob: &Bot, set_id: &str) {
    let set = bob.client.get(&format!("/v1/sets/{set_id}")).await.unwrap();
    assert_eq!(set["games"][0]["status"], "paused");
    bob.client.post(&format!("/v1/sets/{set_id}/resume"), json!({})).await.unwrap();
    for game in 1..=set["games_total"].as_u64().unwrap_or(2) {
        bob.client.post(&format!("/v1/sets/{set_id}/resign"), json!({ "game": game })).await.unwrap();
    }
}

async fn the_set_that_ran_is_played_on(ada: &Bot, bob: &Bot, facts: &Value) {
    let running = facts["running"].as_str().unwrap();
    let set = ada.client.get(&format!("/v1/sets/{running}")).await.unwrap();
    assert_eq!((&set["status"], &set["games"][0]["ply"]), (&json!("active"), &facts["running_ply"]));
    let set = play_out(ada, bob, running).await;
    assert_eq!(set["status"], "finished", "nobody was flagged for the time in between");
    assert_eq!((ada.points().await.1, bob.points().await.1), (0, 0), "every stake has ended");
    wait::until("the second rating", async || (ada.standing("breakthrough").await["sets"] == 2).then_some(())).await;
    let audit = wait::until("an audit after the end of the set", async || {
        let audit = ada.client.get("/v1/ledger/audit").await.unwrap();
        (audit["totals"]["PTS"]["open_holds"] == 0).then_some(audit)
    })
    .await;
    assert_eq!((&audit["ok"], &audit["violations"]), (&json!(true), &json!([])));
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_the_first_version_are_brought_up_to_date_and_played_on() {
    let data = tempfile::tempdir().unwrap();
    for service in ["gateway", "match", "ledger", "rating"] {
        let dump = std::fs::read_to_string(oldest().join(format!("sqlite/{service}.sql"))).unwrap();
        let url = format!("sqlite://{}?mode=rwc", data.path().join(format!("{service}.db")).display());
        let connection = Database::connect(ConnectOptions::new(url).max_connections(1).to_owned()).await.unwrap();
        connection.execute_unprepared(&dump).await.unwrap();
        connection.close().await.unwrap();
    }
    let (mut program, url) = platform();
    program.set("FARSIDE_DATA", data.path().to_str().unwrap()).start().await;
    everything_is_there_and_goes_on(&url, &facts("sqlite")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_the_first_version_is_brought_up_to_date_and_played_on() {
    let database = TestDatabase::postgres().await;
    let (target, dump) = (database.args().database_url.reveal().to_owned(), oldest().join("postgres.sql"));
    let mut loaded = Command::new("psql");
    loaded.args(["--quiet", "--set", "ON_ERROR_STOP=1", "--file"]).arg(dump).arg(&target);
    let loaded = loaded.output().expect("PostgreSQL's tools are on the search path");
    assert!(loaded.status.success(), "{}", String::from_utf8_lossy(&loaded.stderr));
    let (mut program, url) = platform();
    program.set("FARSIDE_DATABASE_URL", &target).start().await;
    everything_is_there_and_goes_on(&url, &facts("postgres")).await;
}
