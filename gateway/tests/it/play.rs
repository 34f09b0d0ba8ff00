//! Sets played through the API alone: points, ratings, retries, refusals.

use serde_json::{Value, json};

use crate::harness::{Api, Bot, PATIENCE, Platform};

/// A move that brings the game forward: the most advanced pawn goes.
pub fn choose(state: &Value, seat: u64) -> Value {
    let moves = state["legal_moves"].as_array().unwrap();
    let chosen = if seat == 1 { moves.last() } else { moves.first() };
    chosen.unwrap_or_else(|| panic!("no legal move in {state}")).clone()
}

/// Plays one turn of the long poll.
pub async fn play_turn(me: &Api, turn: &Value) -> (u16, Value) {
    let body = json!({"game": turn["game"], "ply": turn["ply"], "move": choose(&turn["state"], turn["seat"].as_u64().unwrap())});
    me.post(&format!("/v1/sets/{}/moves", turn["set_id"].as_str().unwrap()), body).await
}

/// Plays by long poll until the set is over.
pub async fn play_by_poll(me: Api, set: String) {
    loop {
        let turns = me.ok("/v1/me/turns?wait=1").await;
        let turns = turns["turns"].as_array().unwrap().clone();
        for turn in turns.iter().filter(|turn| turn["set_id"] == json!(set)) {
            let (status, state) = play_turn(&me, turn).await;
            assert_eq!(status, 200, "{state}");
        }
        if turns.is_empty() && me.ok(&format!("/v1/sets/{set}")).await["status"] != "active" {
            return;
        }
    }
}

/// Challenge and acceptance; the set's id.
pub async fn agree(creator: &Bot, acceptor: &Bot, wish: Value) -> String {
    let (status, made) = creator.me.post("/v1/challenges", wish).await;
    assert_eq!((status, &made["set"]), (201, &Value::Null), "{made}");
    let path = format!("/v1/challenges/{}/accept", made["challenge"]["id"].as_str().unwrap());
    let (status, answer) = acceptor.me.call(reqwest::Method::POST, &path, None).await;
    assert_eq!((status, &answer["challenge"]["status"]), (200, &json!("accepted")), "{answer}");
    answer["set"]["id"].as_str().unwrap().to_owned()
}

pub fn small() -> Value {
    json!({"game": "breakthrough", "options": {"size": 6, "pieces": 12, "start": "standard"}})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_staked_set_moves_points_and_ratings() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let mut wish = small();
    wish["stake"] = json!({"currency": "PTS", "amount": 50});
    let set = agree(&ada, &bob, wish).await;
    assert_eq!(ada.me.ok("/v1/me/balance").await, json!({"PTS": {"available": 950, "held": 50}}));
    tokio::join!(play_by_poll(ada.me.clone(), set.clone()), play_by_poll(bob.me.clone(), set.clone()));
    let path = format!("/v1/sets/{set}");
    let mut state = platform.anyone().ok(&path).await;
    while state["settlement"] == "pending" {
        state = platform.anyone().ok(&path).await;
    }
    let points = (state["points"]["creator"].as_f64().unwrap(), state["points"]["acceptor"].as_f64().unwrap());
    assert!((points.0 + points.1 - 2.0).abs() < f64::EPSILON, "{state}");
    let total =
        |balance: &Value| balance["PTS"]["available"].as_i64().unwrap() + balance["PTS"]["held"].as_i64().unwrap();
    let sum = total(&ada.me.ok("/v1/me/balance").await) + total(&bob.me.ok("/v1/me/balance").await);
    assert_eq!(sum, 2_000);
    for field in ["server_seed", "seed"] {
        assert_eq!(state[field].as_str().map(str::len), Some(64), "{field}");
    }
    let games = state["games"].as_array().unwrap();
    assert_eq!((games.len(), &games[0]["seats"]["1"], &games[1]["seats"]["1"]), (2, &json!(bob.id), &json!(ada.id)));
    let record = platform.anyone().ok(&format!("{path}/record")).await;
    let (status, verified) = platform.anyone().post("/v1/records/verify", record).await;
    assert_eq!((status, &verified["ok"]), (200, &json!(true)), "{verified}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_move_gets_the_first_answer_and_another_is_stale() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let set = agree(&ada, &bob, small()).await;
    let path = format!("/v1/sets/{set}/moves");
    let step = |column: u8| json!({"game": 1, "ply": 0, "move": {"from": [1, column], "to": [2, column]}});
    assert_eq!(ada.me.refused(&path, step(0)).await, (409, "not_your_turn".to_owned()));
    let stranger = platform.newcomer().await;
    assert_eq!(stranger.me.refused(&path, step(0)).await, (403, "not_in_set".to_owned()));
    let (first, again) = (bob.me.post(&path, step(0)).await, bob.me.post(&path, step(0)).await);
    assert_eq!(first.0, 200, "{}", first.1);
    assert_eq!(first, again);
    let (status, problem) = bob.me.post(&path, step(1)).await;
    assert_eq!((status, &problem["code"], &problem["ply"]), (409, &json!("stale_ply"), &json!(1)));
    assert_eq!(problem["state"]["ply"], json!(1));
    let illegal = json!({"game": 1, "ply": 1, "move": {"from": [4, 0], "to": [2, 0]}});
    let (status, problem) = ada.me.post(&path, illegal).await;
    assert_eq!((status, &problem["code"]), (422, &json!("illegal_move")));
    assert!(problem["reason"].is_string(), "{problem}");
    let resigned = ada.me.post(&format!("/v1/sets/{set}/resign"), json!({"game": 1})).await;
    assert_eq!((resigned.0, &resigned.1["points"]["acceptor"]), (200, &json!(1)));
    let (status, problem) =
        ada.me.post(&path, json!({"game": 1, "ply": 1, "move": {"from": [4, 0], "to": [3, 0]}})).await;
    assert_eq!(
        (status, &problem["code"], &problem["state"]["result"]["reason"]),
        (409, &json!("game_over"), &json!("resignation"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_end_in_exactly_one_way_and_give_stakes_back() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let mut wish = small();
    wish["stake"] = json!({"currency": "PTS", "amount": 20});
    wish["opponent"] = json!(bob.name);
    let (_, made) = ada.me.post("/v1/challenges", wish).await;
    assert_eq!((&made["challenge"]["kind"], &made["challenge"]["opponent"]["id"]), (&json!("private"), &json!(bob.id)));
    let path = format!("/v1/challenges/{}", made["challenge"]["id"].as_str().unwrap());
    let stranger = platform.newcomer().await;
    assert_eq!(stranger.me.refused(&format!("{path}/accept"), json!({})).await, (403, "forbidden".to_owned()));
    assert_eq!(ada.me.refused(&format!("{path}/accept"), json!({})).await, (422, "own_challenge".to_owned()));
    let (status, declined) = bob.me.call(reqwest::Method::POST, &format!("{path}/decline"), None).await;
    assert_eq!((status, &declined["status"]), (200, &json!("declined")));
    assert_eq!(ada.me.refused(&format!("{path}/cancel"), json!({})).await, (409, "challenge_closed".to_owned()));
    let back = async { while ada.me.ok("/v1/me/balance").await["PTS"] != json!({"available": 1000, "held": 0}) {} };
    tokio::time::timeout(PATIENCE, back).await.expect("the stake comes back");
    let listed = platform.anyone().ok(&format!("/v1/challenges?status=declined&participant={}", bob.name)).await;
    assert_eq!(listed["challenges"][0]["id"], made["challenge"]["id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn practice_starts_at_once_and_can_wait() {
    let platform = Platform::start().await;
    let ada = platform.newcomer().await;
    let mut wish = small();
    wish["opponent"] = json!("house:easy");
    wish["clock"] = Value::Null;
    wish["format"] = json!("single");
    let (status, made) = ada.me.post("/v1/challenges", wish).await;
    assert_eq!(
        (status, &made["challenge"]["kind"], &made["set"]["status"]),
        (201, &json!("practice"), &json!("active")),
        "{made}"
    );
    assert_eq!((&made["set"]["rated"], &made["set"]["clock"]), (&json!(false), &Value::Null));
    let set = made["set"]["id"].as_str().unwrap();
    let (status, paused) = ada.me.call(reqwest::Method::POST, &format!("/v1/sets/{set}/pause"), None).await;
    assert_eq!((status, &paused["games"][0]["status"]), (200, &json!("paused")));
    let step = json!({"game": 1, "ply": 0, "move": {"from": [1, 0], "to": [2, 0]}});
    let (status, problem) = ada.me.post(&format!("/v1/sets/{set}/moves"), step).await;
    assert_eq!((status, &problem["code"]), (409, &json!("not_your_turn")));
    assert_eq!(problem["state"]["status"], "paused", "{problem}");
    assert!(problem["detail"].as_str().unwrap().contains("paused"), "{problem}");
    assert_eq!(ada.me.ok("/v1/me/turns").await["turns"], json!([]));
    assert_eq!(ada.me.call(reqwest::Method::POST, &format!("/v1/sets/{set}/resume"), None).await.0, 200);
    play_by_poll(ada.me.clone(), set.to_owned()).await;
    assert_eq!(ada.me.ok(&format!("/v1/sets/{set}")).await["status"], "finished");
}

/// Posts with an idempotency key; the status and the very bytes of the answer.
async fn post_once(me: &Api, path: &str, key: &str, body: &Value) -> (u16, String) {
    let request = me.request(reqwest::Method::POST, path).header("idempotency-key", key).body(body.to_string());
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_request_again_gets_the_first_answer_byte_for_byte() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let first = post_once(&ada.me, "/v1/challenges", "a", &small()).await;
    assert_eq!(first.0, 201, "{}", first.1);
    let made: Value = serde_json::from_str(&first.1).unwrap();
    let accept = format!("/v1/challenges/{}/accept", made["challenge"]["id"].as_str().unwrap());
    let accepted = post_once(&bob.me, &accept, "b", &json!({})).await;
    assert_eq!(accepted.0, 200, "{}", accepted.1);
    assert_eq!(post_once(&ada.me, "/v1/challenges", "a", &small()).await, first, "it has been accepted meanwhile");
    let set: Value = serde_json::from_str(&accepted.1).unwrap();
    let resign = format!("/v1/sets/{}/resign", set["set"]["id"].as_str().unwrap());
    let resigned = post_once(&bob.me, &resign, "c", &json!({"game": 1})).await;
    assert_eq!(resigned.0, 200, "{}", resigned.1);
    assert_eq!(post_once(&bob.me, &accept, "b", &json!({})).await, accepted, "a game has been played meanwhile");
    assert_eq!(post_once(&bob.me, &resign, "c", &json!({"game": 1})).await, resigned);
    let other = post_once(&bob.me, &resign, "c", &json!({"game": 2})).await;
    assert!(other.0 == 422 && other.1.contains("idempotency_mismatch"), "{}", other.1);
    let elsewhere = post_once(&ada.me, &resign, "c", &json!({"game": 2})).await;
    assert_eq!(elsewhere.0, 200, "another's keys are another's: {}", elsewhere.1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_longest_analysis_answers_in_time() {
    let platform = Platform::start().await;
    let bot = platform.newcomer().await;
    let line = json!({"options": {"start": "standard"}, "moves": [], "nodes": 2_000_000});
    let (status, found) = bot.me.post("/v1/games/breakthrough/analysis", line).await;
    assert_eq!(status, 200, "{found}");
    assert!((1..=2_000_000).contains(&found["nodes"].as_u64().unwrap()), "{found}");
    assert!(found["move"].is_object(), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_single_game_with_odds_is_analysed_from_where_its_creator_sits() {
    let platform = Platform::start().await;
    let ada = platform.newcomer().await;
    let wish = json!({"game": "breakthrough-handicap", "opponent": "house:easy", "clock": null, "format": "single"});
    let (status, made) = ada.me.post("/v1/challenges", wish).await;
    assert_eq!(status, 201, "{made}");
    let path = format!("/v1/sets/{}", made["set"]["id"].as_str().unwrap());
    let set = ada.me.ok(&path).await;
    assert_eq!(set["games"][0]["seats"]["1"], set["creator"]["id"], "in a single game the creator is first");
    let offer = &set["games"][0]["legal_moves"][0]["place"];
    let count = usize::try_from(offer["count"].as_u64().unwrap()).unwrap();
    let placing = json!({"place": offer["squares"].as_array().unwrap()[..count]});
    let (status, state) = ada.me.post(&format!("{path}/moves"), json!({"game": 1, "ply": 0, "move": placing})).await;
    assert_eq!(status, 200, "{state}");
    let mut line = json!({"options": set["options"], "moves": [placing], "nodes": 1_000});
    let analysis = "/v1/games/breakthrough-handicap/analysis";
    assert_eq!(ada.me.refused(analysis, line.clone()).await.0, 422, "as in a set, the creator would be second");
    line["creator_seat"] = json!(1);
    let (status, found) = ada.me.post(analysis, line.clone()).await;
    assert!(status == 200 && found["move"]["from"].is_array(), "{found}");
    line["creator_seat"] = json!(3);
    let (status, problem) = ada.me.post(analysis, line).await;
    assert_eq!((status, &problem["errors"][0]["pointer"]), (422, &json!("/creator_seat")), "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_placement_gets_the_very_same_answer_before_and_after_the_round_is_revealed() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let set = agree(&ada, &bob, json!({"game": "maker-breaker"})).await;
    let path = format!("/v1/sets/{set}/moves");
    let mut placed = Vec::new();
    for bot in [&ada, &bob] {
        let state = bot.me.ok(&format!("/v1/sets/{set}")).await["games"][0].clone();
        let body = json!({"game": 1, "ply": 0, "move": state["legal_moves"][0]});
        let first = bot.me.post(&path, body.clone()).await;
        assert_eq!(first.0, 200, "{}", first.1);
        placed.push((bot, body, first));
    }
    for (bot, body, first) in placed {
        assert_eq!(bot.me.post(&path, body).await, first, "server_time and all");
    }
}
