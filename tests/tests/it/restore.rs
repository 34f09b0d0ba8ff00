//! A backup is one only if it can be put back: dumps of all databases, restored elsewhere, give the same audit, ratings and
//! records; and a stake that fell between two dumps goes back to its owner.

use std::{path::Path, process::Command};

use farside_tests::{
    TestDatabase,
    apart::Apart,
    bots::{Bot, agree, play_out},
    operator::Operator,
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

/// Runs one of PostgreSQL's tools, or what uses them; returns what it wrote.
fn run(program: impl AsRef<Path>, arguments: &[&str]) -> String {
    let program = program.as_ref();
    let done = Command::new(program).args(arguments).output().expect("PostgreSQL's tools are on the search path");
    assert!(done.status.success(), "{}: {}", program.display(), String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// Stops all processes and starts them again on another database.
async fn move_to(platform: &mut Apart, url: &str) {
    for program in platform.programs() {
        program.stop().await;
    }
    for program in [&mut platform.gateway, &mut platform.matches, &mut platform.ledger, &mut platform.rating] {
        program.set("FARSIDE_DATABASE_URL", url);
    }
    platform.start_all().await;
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
    move_to(&mut platform, &target).await;

    assert_eq!(picture(&creator, &id).await, before);
    assert_eq!(before["audit"]["ok"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stake_that_was_held_between_two_dumps_is_found_and_released() {
    let (operator, mut platform) = Operator::of_five_processes("ann").await;
    let wish = json!({ "game": "breakthrough", "stake": { "currency": "PTS", "amount": 30 } });
    let (early, late) = (Bot::join(platform.url()).await, Bot::join(platform.url()).await);
    early.client.post("/v1/challenges", wish.clone()).await.unwrap();

    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), TestDatabase::postgres().await);
    let source = platform.database.args().database_url.reveal().to_owned();
    let target = elsewhere.args().database_url.reveal().to_owned();
    for schema in ["gateway", "match_svc", "ledger", "rating"] {
        let dump = folder.path().join(schema).display().to_string();
        run("pg_dump", &["--format=custom", "--schema", schema, "--file", &dump, &source]);
        run("pg_restore", &["--no-owner", "--exit-on-error", "--dbname", &target, &dump]);
        if schema == "match_svc" {
            late.client.post("/v1/challenges", wish.clone()).await.unwrap();
        }
    }
    move_to(&mut platform, &target).await;

    assert_eq!((early.points().await, late.points().await), ((970, 30), (970, 30)));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/orphaned-holds");
    let found = run(&script, &[&target, &target]);
    let orphans: Vec<&str> = found.lines().collect();
    assert_eq!(orphans.len(), 1, "{found}");
    operator.does(&["release-hold", orphans[0], "--reason", "restored from dumps"]).await;
    assert_eq!((early.points().await, late.points().await), ((970, 30), (1_000, 0)));
    assert_eq!(run(&script, &[&target, &target]), "");
}
