//! Refusals: the right code, in the right order, pointing at the right place. Bad input as such is in `bad_input`.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Api, Platform};
use crate::play::{agree, small};

/// Status, code and the first pointer of a refusal.
async fn refusal(api: &Api, request: reqwest::RequestBuilder) -> (u16, String, Value) {
    let (status, problem) = api.send(request).await;
    let code = problem["code"].as_str().unwrap_or_else(|| panic!("not refused: {problem}")).to_owned();
    (status, code, problem["errors"][0]["pointer"].clone())
}

fn expected(status: u16, code: &str, pointer: &str) -> (u16, String, Value) {
    (status, code.to_owned(), json!(pointer))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_out_of_range_has_the_code_of_its_field_however_large_it_is() {
    let platform = Platform::start().await;
    let me = platform.newcomer().await.me;
    let wish = |field: &str, value: &str| {
        me.request(Method::POST, "/v1/challenges").body(format!(r#"{{"game":"breakthrough","{field}":{value}}}"#))
    };
    let initial = expected(422, "clock_invalid", "/clock/initial_s");
    for number in ["9", "601", "-1", "4294967296", "99999999999999999999", "-99999999999999999999"] {
        let clock = format!(r#"{{"initial_s":{number},"increment_s":2}}"#);
        assert_eq!(refusal(&me, wish("clock", &clock)).await, initial, "{number}");
    }
    let increment = wish("clock", r#"{"initial_s":60,"increment_s":-5}"#);
    assert_eq!(refusal(&me, increment).await, expected(422, "clock_invalid", "/clock/increment_s"));
    let other_kind = wish("clock", r#"{"per_round_s":30}"#);
    assert_eq!(refusal(&me, other_kind).await, expected(422, "clock_invalid", "/clock"));
    let fraction = wish("clock", r#"{"initial_s":60.5,"increment_s":2}"#);
    assert_eq!(refusal(&me, fraction).await, expected(422, "malformed_request", "/clock/initial_s"));
    for amount in ["9", "-1", "1001", "99999999999999999999", "-99999999999999999999"] {
        let stake = wish("stake", &format!(r#"{{"currency":"PTS","amount":{amount}}}"#));
        assert_eq!(refusal(&me, stake).await, expected(422, "stake_out_of_range", "/stake/amount"), "{amount}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_that_nobody_gave_out_is_refused_where_it_was_sent() {
    let platform = Platform::start().await;
    let bot = platform.newcomer().await;
    let (me, owner) = (&bot.me, &bot.owner);
    for path in
        ["/v1/bots", "/v1/players", "/v1/challenges", "/v1/sets", "/v1/me/ledger", "/v1/games/breakthrough/sets"]
    {
        for cursor in ["nonsense", "%27", "bot_01"] {
            let request = owner.request(Method::GET, &format!("{path}?cursor={cursor}"));
            assert_eq!(refusal(owner, request).await, expected(422, "malformed_request", "/cursor"), "{path} {cursor}");
        }
    }
    let turns = me.request(Method::GET, "/v1/me/turns?after=nonsense");
    assert_eq!(refusal(me, turns).await, expected(422, "malformed_request", "/after"));
    let events = me.request(Method::GET, "/v1/me/events").header("last-event-id", "nonsense");
    assert_eq!(refusal(me, events).await, expected(422, "malformed_request", "/Last-Event-ID"));
    let page = owner.ok("/v1/bots?limit=1").await;
    assert!(page["bots"].is_array());
    platform.newcomer().await;
    let cursor = owner.ok("/v1/bots?limit=1").await["next_cursor"].as_str().unwrap().to_owned();
    assert_eq!(owner.ok(&format!("/v1/bots?cursor={cursor}")).await["bots"][0]["id"], json!(bot.id));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_plays_is_checked_before_what_is_played() {
    let platform = Platform::start().await;
    let (ada, bob, eve) = (platform.newcomer().await, platform.newcomer().await, platform.newcomer().await);
    let set = agree(&ada, &bob, small()).await;
    for action in ["moves", "resign"] {
        for body in ["{}", r#"{"game":"one"}"#, r#"{"game":1,"ply":0,"move":{},"x":1}"#, "[]"] {
            let post = |api: &Api, set: &str| {
                api.request(Method::POST, &format!("/v1/sets/{set}/{action}")).body(body.to_owned())
            };
            assert_eq!(refusal(&eve.me, post(&eve.me, &set)).await.1, "not_in_set", "{action} {body}");
            let nowhere = post(&eve.me, "set_01ARZ3NDEKTSV4RRFFQ69G5FAV");
            assert_eq!(refusal(&eve.me, nowhere).await.1, "not_found", "{action} {body}");
            assert_eq!(refusal(&ada.me, post(&ada.me, &set)).await.1, "malformed_request", "{action} {body}");
        }
    }
    for game in [0, 2, 3, 7] {
        let refused = bob.me.refused(&format!("/v1/sets/{set}/resign"), json!({"game": game})).await;
        assert_eq!(refused, (404, "not_found".to_owned()), "game {game} has not begun");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn declining_ones_own_challenge_is_not_called_accepting() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let mut wish = small();
    wish["opponent"] = json!(bob.name);
    let (_, made) = ada.me.post("/v1/challenges", wish).await;
    let path = format!("/v1/challenges/{}/decline", made["challenge"]["id"].as_str().unwrap());
    let (status, problem) = ada.me.call(Method::POST, &path, None).await;
    assert_eq!((status, &problem["code"]), (422, &json!("own_challenge")));
    assert!(!problem["detail"].as_str().unwrap().contains("cannot accept"), "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_names_only_games_that_there_are() {
    let platform = Platform::start().await;
    let bot = platform.newcomer().await;
    let path = format!("/v1/bots/{}", bot.id);
    let accepts = json!({"accepts": {"games": ["breakthrough", "chess"]}});
    let change = bot.owner.request(Method::PATCH, &path).body(accepts.to_string());
    assert_eq!(refusal(&bot.owner, change).await, expected(422, "malformed_request", "/accepts/games/1"));
    let make = json!({"name": crate::harness::name(), "accepts": {"games": ["chess"]}});
    let make = bot.owner.request(Method::POST, "/v1/bots").body(make.to_string());
    assert_eq!(refusal(&bot.owner, make).await, expected(422, "malformed_request", "/accepts/games/0"));
    let (status, _) = bot.owner.call(Method::PATCH, &path, Some(json!({"accepts": {"games": ["breakthrough"]}}))).await;
    assert_eq!(status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn options_is_a_method_like_others_unless_a_page_elsewhere_asks_first() {
    let platform = Platform::start().await;
    let anyone = platform.anyone();
    let options = |path: &str| anyone.request(Method::OPTIONS, path);
    assert_eq!(anyone.send(options("/nope")).await.0, 404);
    assert_eq!(anyone.send(options("/v1/bots")).await.0, 405);
    let preflight =
        options("/v1/bots").header("origin", "http://pages.test").header("access-control-request-method", "POST");
    let answer = preflight.send().await.unwrap();
    assert_eq!(
        (answer.status().as_u16(), &answer.headers()["access-control-allow-origin"]),
        (200, &"*".parse().unwrap())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_message_for_the_tools_is_refused_with_a_problem() {
    let platform = Platform::start().await;
    let anyone = platform.anyone();
    let post = |content_type: &str, body: &'static str| {
        let request = anyone.request(Method::POST, "/mcp").header("accept", "application/json, text/event-stream");
        request.header("content-type", content_type).body(body)
    };
    assert_eq!(refusal(&anyone, post("text/plain", "hello")).await.0, 415);
    assert_eq!(refusal(&anyone, anyone.request(Method::PUT, "/mcp")).await.1, "method_not_allowed");
    let nothing = anyone.request(Method::POST, "/mcp").header("content-type", "application/json").body("{}");
    assert!((400..500).contains(&refusal(&anyone, nothing).await.0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_carries_the_game_as_its_player_sees_it() {
    let platform = Platform::start().await;
    let (ada, bob) = (platform.newcomer().await, platform.newcomer().await);
    let set = agree(&ada, &bob, small()).await;
    let moves = format!("/v1/sets/{set}/moves");
    let step = |ply: u32, from: [u8; 2], to: [u8; 2]| json!({"game": 1, "ply": ply, "move": {"from": from, "to": to}});
    assert_eq!(bob.me.post(&moves, step(0, [1, 0], [2, 0])).await.0, 200);
    let (_, stale) = bob.me.post(&moves, step(0, [1, 1], [2, 1])).await;
    let mut shown = bob.me.ok(&format!("/v1/sets/{set}")).await["games"][0].take();
    let mut carried = stale["state"].clone();
    (shown["server_time"], carried["server_time"]) = (Value::Null, Value::Null);
    assert_eq!((&stale["code"], carried), (&json!("stale_ply"), shown));
    assert_eq!(ada.me.post(&format!("/v1/sets/{set}/resign"), json!({"game": 1})).await.0, 200);
    let (_, over) = ada.me.post(&moves, step(1, [4, 0], [3, 0])).await;
    let mut shown = ada.me.ok(&format!("/v1/sets/{set}")).await["games"][0].take();
    let mut carried = over["state"].clone();
    (shown["server_time"], carried["server_time"]) = (Value::Null, Value::Null);
    assert_eq!((&over["code"], &carried["result"]["reason"]), (&json!("game_over"), &json!("resignation")));
    assert_eq!(carried, shown);
    let (_, again) = ada.me.post(&format!("/v1/sets/{set}/resign"), json!({"game": 1})).await;
    assert_eq!((&again["code"], &again["state"]["number"]), (&json!("game_over"), &json!(1)));
}
