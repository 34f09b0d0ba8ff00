//! One staked set between two bots that know nothing but the public API: points, ratings, record and audit follow.

use farside_tests::{
    apart::Apart,
    bots::{Bot, agree, play_out},
    program::Program,
    together, wait,
};
use serde_json::{Value, json};

const STAKE: i64 = 30;

fn staked() -> Value {
    json!({ "game": "breakthrough", "stake": { "currency": "PTS", "amount": STAKE } })
}

/// Plays a staked set on the platform at `url` and checks everything that must follow.
async fn a_staked_set_adds_up(url: &str) {
    let (creator, acceptor) = (Bot::join(url).await, Bot::join(url).await);
    let before = creator.points().await;
    let set = agree(&creator, &acceptor, staked()).await;
    assert_eq!(creator.points().await, (before.0 - STAKE, STAKE), "the stake is held while the set runs");
    assert_eq!(acceptor.points().await, (before.0 - STAKE, STAKE), "the acceptor's as well");
    assert_eq!(set["seed"], Value::Null, "the seed is secret until the end");

    let set = play_out(&creator, &acceptor, set["id"].as_str().unwrap()).await;
    assert_eq!(set["status"], "finished");
    assert_eq!(set["games"].as_array().unwrap().len(), 2);
    assert_seats_swap(&set);
    let expected = match set["result"]["winner"].as_str() {
        Some("creator") => (before.0 + STAKE, before.0 - STAKE),
        Some(_) => (before.0 - STAKE, before.0 + STAKE),
        None => (before.0, before.0),
    };
    assert_eq!((creator.points().await, acceptor.points().await), ((expected.0, 0), (expected.1, 0)));
    assert_rated_once(&creator, &acceptor).await;
    assert_record_holds(&creator, &set).await;
    let audit = creator.client.get("/v1/ledger/audit").await.unwrap();
    assert_eq!((&audit["ok"], &audit["violations"]), (&json!(true), &json!([])));
}

fn assert_seats_swap(set: &Value) {
    let seats = |game: usize, seat: &str| set["games"][game]["seats"][seat].clone();
    assert_eq!(seats(0, "1"), set["acceptor"]["id"], "game 1 seats the acceptor first");
    assert_eq!((seats(0, "1"), seats(0, "2")), (seats(1, "2"), seats(1, "1")));
}

async fn assert_rated_once(creator: &Bot, acceptor: &Bot) {
    let standings = wait::until("both ratings", async || {
        let pair = [creator.standing("breakthrough").await, acceptor.standing("breakthrough").await];
        pair.iter().all(|standing| standing["sets"] == 1).then_some(pair)
    })
    .await;
    let rating = |index: usize| standings[index]["rating"].as_f64().unwrap();
    assert!((rating(0) + rating(1) - 2400.0).abs() <= 1.0, "equal newcomers move by the same amount");
}

async fn assert_record_holds(bot: &Bot, set: &Value) {
    let id = set["id"].as_str().unwrap();
    let record = bot.client.get(&format!("/v1/sets/{id}/record")).await.unwrap();
    let found = bot.client.post("/v1/records/verify", record).await.unwrap();
    assert_eq!((&found["ok"], &found["fault"]), (&json!(true), &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_staked_set_in_one_process_moves_points_and_ratings() {
    let platform = together::start().await;
    a_staked_set_adds_up(platform.url()).await;
    platform.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_staked_set_over_five_processes_moves_points_and_ratings() {
    let platform = Apart::start().await;
    a_staked_set_adds_up(platform.url()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_adds_up_by_itself() {
    let mut demo = Program::new("farside");
    demo.argument("demo").spawn();
    let status = demo.ended().await;
    assert!(status.success(), "{}", demo.log());
}
