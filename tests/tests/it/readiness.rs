//! Readiness tells the truth, over HTTP and as gRPC health: what a process stands on is missing, comes, goes away and
//! comes back.

use farside_kit::grpc::Endpoint;
use farside_tests::{apart::Apart, door::Door, program::Program, wait};
use serde_json::{Value, json};
use tonic_health::{
    ServingStatus,
    pb::{HealthCheckRequest, health_client::HealthClient},
};
use url::Url;

/// The name by which health speaks of a server as a whole.
const WHOLE: &str = "";

/// Has the services reach their database through a door, which is shut.
fn behind_a_door(platform: &mut Apart) -> Door {
    let mut url = Url::parse(platform.database.args().database_url.reveal()).unwrap();
    let door = Door::before(&format!("{}:{}", url.host_str().unwrap(), url.port().unwrap_or(5_432)));
    url.set_host(Some(&door.address().ip().to_string())).unwrap();
    url.set_port(Some(door.address().port())).unwrap();
    for (program, _) in with_databases(platform) {
        program.set("FARSIDE_DATABASE_URL", url.as_str());
    }
    door
}

/// The processes that have a database, each with its check of it.
fn with_databases(platform: &mut Apart) -> [(&mut Program, &'static str); 4] {
    [
        (&mut platform.gateway, "gateway database"),
        (&mut platform.matches, "match database"),
        (&mut platform.rating, "rating database"),
        (&mut platform.ledger, "ledger database"),
    ]
}

/// Waits until a process reports exactly these checks, and whether it is ready by them.
async fn reports(program: &Program, checks: Value) {
    let ready = checks.as_object().unwrap().values().all(|holds| *holds == json!(true));
    let expected = json!({ "ready": ready, "checks": checks });
    wait::until(&format!("the report {expected}"), async || (program.readiness().await? == expected).then_some(()))
        .await;
}

/// Waits until a process is not ready for want of this.
async fn lacks(program: &Program, check: &str) {
    wait::until(&format!("{check} to be missed"), async || {
        let report = program.readiness().await?;
        (report["checks"][check] == false && report["ready"] == false).then_some(())
    })
    .await;
}

/// What a server's health says; nothing while it takes no calls.
async fn health(program: &Program) -> Option<i32> {
    let mut client = HealthClient::new(Endpoint::url(&program.url()).unwrap().connect());
    let answer = client.check(HealthCheckRequest { service: WHOLE.to_owned() }).await;
    answer.ok().map(|answer| answer.into_inner().status)
}

async fn health_is(program: &Program, status: ServingStatus) {
    wait::until(&format!("health to be {status:?}"), async || (health(program).await? == status as i32).then_some(()))
        .await;
}

async fn everything_is_ready(platform: &mut Apart) {
    for program in platform.programs() {
        program.ready().await;
    }
    for program in [&platform.rules, &platform.matches, &platform.rating, &platform.ledger] {
        health_is(program, ServingStatus::Serving).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_is_ready_while_its_database_is_there_and_not_before() {
    let mut platform = Apart::prepare().await;
    let mut door = behind_a_door(&mut platform);
    for program in platform.programs() {
        program.spawn();
    }
    platform.rules.ready().await;
    reports(&platform.rules, json!({ "rules-svc": true, "start": true })).await;
    reports(&platform.ledger, json!({ "ledger database": false, "start": false })).await;
    reports(&platform.rating, json!({ "rating database": false, "start": false })).await;
    reports(&platform.matches, json!({ "match database": false, "rules-svc": false, "start": false })).await;
    reports(&platform.gateway, json!({ "gateway database": false, "moves": false, "start": false })).await;
    for program in [&platform.matches, &platform.rating, &platform.ledger] {
        assert_eq!(health(program).await, None, "who calls is told at once that nobody is there");
    }
    assert!(reqwest::get(platform.url()).await.unwrap_err().is_connect());

    door.open().await;
    everything_is_ready(&mut platform).await;

    door.shut().await;
    for (program, check) in with_databases(&mut platform) {
        lacks(program, check).await;
    }
    lacks(&platform.gateway, "moves").await;
    for program in [&platform.matches, &platform.rating, &platform.ledger] {
        health_is(program, ServingStatus::NotServing).await;
    }
    reports(&platform.rules, json!({ "rules-svc": true, "start": true })).await;
    health_is(&platform.rules, ServingStatus::Serving).await;

    door.open().await;
    everything_is_ready(&mut platform).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_is_ready_with_rules_svc_and_needs_neither_ledger_nor_ratings() {
    let mut platform = Apart::prepare().await;
    platform.gateway.spawn();
    platform.matches.spawn();
    for starts in 0..2 {
        reports(&platform.matches, json!({ "match database": true, "rules-svc": false, "start": true })).await;
        reports(&platform.gateway, json!({ "gateway database": true, "moves": false, "start": true })).await;
        health_is(&platform.matches, ServingStatus::NotServing).await;
        platform.rules.start().await;
        platform.matches.ready().await;
        platform.gateway.ready().await;
        health_is(&platform.matches, ServingStatus::Serving).await;
        if starts == 0 {
            platform.rules.kill();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_waits_for_its_database_ends_in_order_when_it_is_told_to() {
    let mut platform = Apart::prepare().await;
    let _shut = behind_a_door(&mut platform);
    for (program, check) in with_databases(&mut platform) {
        program.spawn();
        lacks(program, check).await;
        assert_eq!(program.stop().await.code(), Some(0), "{}", program.log());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_refuses_ends_the_start_with_1() {
    let mut platform = Apart::prepare().await;
    let nowhere = format!("{}_that_is_not_there", platform.database.args().database_url.reveal());
    for (program, _) in with_databases(&mut platform) {
        program.set("FARSIDE_DATABASE_URL", &nowhere).spawn();
        assert_eq!(program.ended().await.code(), Some(1), "{}", program.log());
        assert!(program.log().contains("error: opening the database failed"), "{}", program.log());
    }
}
