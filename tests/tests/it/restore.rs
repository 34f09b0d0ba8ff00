//! A backup is one only if it can be put back: dumps of all databases, restored elsewhere, give the same audit, ratings and
//! records.

use std::process::Command;

use farside_tests::{
    TestDatabase,
    apart::Apart,
    bots::{Bot, agree, play_out},
    wait,
};
use serde_json::{Value, json};

/// What must be the same before and after, but for when it was looked at. The audit is the first one after the set's end.
async fn picture(bot: &Bot, set_id: &str) -> Value {
    let mut audit = wait::until("an audit after the end of the set", async || {
        let audit = bot.client.get("/v1/ledger/audit").await.unwrap();
        (audit["totals"]["PTS"]["open_holds"] == 0).then_some(audit)
    })
    .await;
    audit["checked_at"].take();
    json!({
        "audit": audit,
        "leaderboard": bot.client.get("/v1/games/breakthrough/leaderboard").await.unwrap(),
        "standing": bot.standing("breakthrough").await,
        "balance": bot.client.get("/v1/me/balance").await.unwrap(),
        "record": bot.client.get(&format!("/v1/sets/{set_id}/record")).await.unwrap(),
    })
}

/// Runs one of PostgreSQL's tools.
fn run(program: &str, arguments: &[&str]) {
    let done = Command::new(program).args(arguments).output().expect("PostgreSQL's tools are on the search path");
    assert!(done.status.success(), "{program}: {}", String::from_utf8_lossy(&done.stderr));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_backup_yields_the_same_audit_and_ratings() {
    let mut platform = Apart::start().await;
    let (creator, acceptor) = (Bot::join(platform.url()).await, Bot::join(platform.url()).await);
    let wish = json!({ "game": "breakthrough", "stake": { "currency": "PTS", "amount": 30 } });
    let set = agree(&creator, &acceptor, wish).await;
    let id = set["id"].as_str().unwrap().to_owned();
    play_out(&creator, &acceptor, &id).await;
    wait::until("the rating", async || (creator.standing("breakthrough").await["sets"] == 1).then_some(())).await;
    wait::until("an audit after the set", async || {
        let audit = creator.client.get("/v1/ledger/audit").await.unwrap();
        (audit["totals"]["PTS"]["open_holds"] == 0).then_some(())
    })
    .await;
    let before = picture(&creator, &id).await;

    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("farside.dump").display().to_string();
    let source = platform.database.args().database_url.reveal().to_owned();
    run("pg_dump", &["--format=custom", "--file", &dump, &source]);
    let elsewhere = TestDatabase::postgres().await;
    let target = elsewhere.args().database_url.reveal().to_owned();
    run("pg_restore", &["--no-owner", "--exit-on-error", "--dbname", &target, &dump]);
    for program in platform.programs() {
        program.stop().await;
    }
    for program in [&mut platform.gateway, &mut platform.matches, &mut platform.ledger, &mut platform.rating] {
        program.set("FARSIDE_DATABASE_URL", &target);
    }
    platform.start_all().await;

    assert_eq!(picture(&creator, &id).await, before);
    assert_eq!(before["audit"]["ok"], true);
}
