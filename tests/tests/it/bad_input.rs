//! Bad input to the way of a move: each kind gets its code and status, and changes nothing.

use farside::{client::Client, platform::Temporary};
use farside_tests::{
    bots::{Bot, agree, play_out},
    together,
};
use reqwest::Method;
use serde_json::{Value, json};

/// A platform with a set in progress whose acceptor is to move, and somebody who is not in it.
struct Scene {
    platform: Temporary,
    creator: Bot,
    acceptor: Bot,
    stranger: Bot,
    set: String,
}

impl Scene {
    async fn new() -> Self {
        let platform = together::start().await;
        let url = platform.url().to_owned();
        let (creator, acceptor, stranger) = (Bot::join(&url).await, Bot::join(&url).await, Bot::join(&url).await);
        let wish = json!({ "game": "breakthrough", "options": { "start": "standard" } });
        let set = agree(&creator, &acceptor, wish).await["id"].as_str().unwrap().to_owned();
        Self { platform, creator, acceptor, stranger, set }
    }

    fn moves(&self) -> String {
        format!("/v1/sets/{}/moves", self.set)
    }

    async fn state(&self) -> Value {
        let mut set = self.creator.client.get(&format!("/v1/sets/{}", self.set)).await.unwrap();
        set["server_time"] = Value::Null;
        for game in set["games"].as_array_mut().unwrap() {
            game["server_time"] = Value::Null;
        }
        set
    }
}

fn step(ply: u64, from: [u8; 2], to: [u8; 2]) -> Value {
    json!({ "game": 1, "ply": ply, "move": { "from": from, "to": to } })
}

/// Posts and returns status and code of the refusal.
async fn refusal(client: &Client, path: &str, body: Value) -> (u16, String, Value) {
    match client.call(Method::POST, path, Some(body)).await {
        Err(farside::client::ClientError::Refused(problem)) => (problem.status.as_u16(), problem.code, problem.body),
        other => panic!("{path} was not refused: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_bad_move_has_its_code_and_changes_nothing() {
    let scene = Scene::new().await;
    let (moves, before) = (scene.moves(), scene.state().await);
    let anyone = Client::new(scene.platform.url()).unwrap();
    let (creator, acceptor) = (&scene.creator.client, &scene.acceptor.client);
    let legal = || step(0, [1, 0], [2, 0]);
    let no_set = "/v1/sets/set_01ARZ3NDEKTSV4RRFFQ69G5FAV/moves";
    let cases = [
        ("no key", &anyone, moves.as_str(), legal(), 401, "unauthenticated"),
        ("a wrong key", &anyone.with_key("fsk_no_such"), &moves, legal(), 401, "unauthenticated"),
        ("an unknown set", acceptor, no_set, legal(), 404, "not_found"),
        ("no set's id at all", acceptor, "/v1/sets/x/moves", legal(), 404, "not_found"),
        ("somebody else's set", &scene.stranger.client, &moves, legal(), 403, "not_in_set"),
        (
            "a move that is none",
            acceptor,
            &moves,
            json!({ "game": 1, "ply": 0, "move": { "from": [1, 0] } }),
            422,
            "malformed_move",
        ),
        ("a square beyond the schema", acceptor, &moves, step(0, [1, 0], [99, 0]), 422, "malformed_move"),
        ("out of turn", creator, &moves, step(0, [6, 0], [5, 0]), 409, "not_your_turn"),
        ("a future ply", acceptor, &moves, step(4, [1, 0], [2, 0]), 409, "stale_ply"),
        ("a pawn going back", acceptor, &moves, step(0, [1, 0], [0, 0]), 422, "illegal_move"),
        ("off the board", acceptor, &moves, step(0, [1, 7], [2, 8]), 422, "illegal_move"),
        (
            "an unknown field",
            acceptor,
            &moves,
            json!({ "game": 1, "ply": 0, "move": {}, "x": 1 }),
            422,
            "malformed_request",
        ),
        ("a wrong type", acceptor, &moves, json!({ "game": "one", "ply": 0, "move": {} }), 422, "malformed_request"),
        ("a missing field", acceptor, &moves, json!({ "game": 1 }), 422, "malformed_request"),
    ];
    for (kind, client, path, body, status, code) in cases {
        let found = refusal(client, path, body).await;
        assert_eq!((found.0, found.1.as_str()), (status, code), "{kind}: {}", found.2);
        assert!(found.2["trace_id"].as_str().is_some_and(|id| id.len() == 32), "{kind} has a trace id: {}", found.2);
        assert_eq!(scene.state().await, before, "{kind} changes nothing");
    }
    scene.platform.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_ply_tells_where_to_go_on_and_a_retry_gets_the_first_answer() {
    let scene = Scene::new().await;
    let client = &scene.acceptor.client;
    let first = client.post(&scene.moves(), step(0, [1, 0], [2, 0])).await.unwrap();
    let again = client.post(&scene.moves(), step(0, [1, 0], [2, 0])).await.unwrap();
    assert_eq!(first, again, "the same move for the same ply gets the first answer");
    let (status, code, problem) = refusal(client, &scene.moves(), step(0, [1, 1], [2, 1])).await;
    assert_eq!((status, code.as_str()), (409, "stale_ply"));
    assert_eq!((&problem["ply"], &problem["state"]["ply"]), (&json!(1), &json!(1)), "{problem}");
    let unstarted = json!({ "game": 2, "ply": 0, "move": { "from": [1, 1], "to": [2, 1] } });
    let (status, code, problem) = refusal(client, &scene.moves(), unstarted).await;
    assert_eq!((status, code.as_str()), (409, "stale_ply"));
    assert_eq!((&problem["ply"], &problem["state"]["number"]), (&json!(1), &json!(1)), "{problem}");
    scene.platform.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_after_the_end_is_answered_with_the_result() {
    let scene = Scene::new().await;
    play_out(&scene.creator, &scene.acceptor, &scene.set).await;
    let (status, code, problem) = refusal(&scene.acceptor.client, &scene.moves(), step(200, [1, 0], [2, 0])).await;
    assert_eq!((status, code.as_str()), (409, "game_over"));
    assert!(problem["state"]["result"]["reason"].is_string(), "{problem}");
    scene.platform.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_not_json_is_a_bad_request() {
    let scene = Scene::new().await;
    let http = reqwest::Client::new();
    for (path, body) in [("/v1/players", "{\"name\": "), ("/v1/players", ""), ("/v1/challenges", "not json")] {
        let url = format!("{}{path}", scene.platform.url());
        let answer = http.post(&url).header("content-type", "application/json").body(body).send().await.unwrap();
        // Who one is comes before what one says: the second path needs a key.
        let expected = if path == "/v1/players" { 400 } else { 401 };
        assert_eq!(answer.status().as_u16(), expected, "{path} {body}");
        assert_eq!(answer.headers()["content-type"], "application/problem+json");
    }
    scene.platform.stop().await;
}
