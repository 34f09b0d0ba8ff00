//! Bad input of every kind: always a problem with its code, never a fault of ours.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Platform, generous};

#[tokio::test(flavor = "multi_thread")]
async fn each_kind_of_bad_request_has_its_status_and_code() {
    let platform = Platform::start().await;
    let (anyone, bot) = (platform.anyone(), platform.newcomer().await);
    let raw = |path: &str, body: &'static str| bot.owner.request(Method::POST, path).body(body);
    let cases = [
        ("cut short", raw("/v1/bots", "{\"name\""), 400, "malformed_request", None),
        ("no body", raw("/v1/bots", ""), 400, "malformed_request", None),
        ("an unknown field", raw("/v1/bots", r#"{"name":"abc","x":1}"#), 422, "malformed_request", Some("/x")),
        (
            "a wrong type",
            raw("/v1/bots", r#"{"name":"abc","max_stake":"5"}"#),
            422,
            "malformed_request",
            Some("/max_stake"),
        ),
        (
            "a huge number",
            raw("/v1/bots", r#"{"name":"abc","max_stake":1e400}"#),
            422,
            "malformed_request",
            Some("/max_stake"),
        ),
        ("a bad name", raw("/v1/bots", r#"{"name":"a b c"}"#), 422, "malformed_request", Some("/name")),
        ("a reserved name", raw("/v1/bots", r#"{"name":"House9"}"#), 422, "malformed_request", Some("/name")),
        ("an unknown game", raw("/v1/challenges", r#"{"game":"chess"}"#), 404, "not_found", None),
        (
            "an unknown opponent",
            raw("/v1/challenges", r#"{"game":"breakthrough","opponent":"nobody-here"}"#),
            404,
            "not_found",
            None,
        ),
        (
            "bad options",
            raw("/v1/challenges", r#"{"game":"breakthrough","options":{"size":99}}"#),
            422,
            "options_invalid",
            None,
        ),
        (
            "a bad clock",
            raw("/v1/challenges", r#"{"game":"breakthrough","clock":{"initial_s":1,"increment_s":0}}"#),
            422,
            "clock_invalid",
            None,
        ),
        (
            "a stake too low",
            raw("/v1/challenges", r#"{"game":"breakthrough","stake":{"currency":"PTS","amount":1}}"#),
            422,
            "stake_out_of_range",
            None,
        ),
        (
            "a limit beyond",
            bot.owner.request(Method::GET, "/v1/bots?limit=101"),
            422,
            "malformed_request",
            Some("/limit"),
        ),
        ("an unknown parameter", bot.owner.request(Method::GET, "/v1/bots?limt=1"), 422, "malformed_request", None),
        ("a path that is not there", anyone.request(Method::GET, "/v1/nothing"), 404, "not_found", None),
        ("a method that is not there", anyone.request(Method::PUT, "/v1/bots"), 405, "method_not_allowed", None),
        ("an id with a NUL", anyone.request(Method::GET, "/v1/sets/a%00b"), 404, "not_found", None),
        ("no such set", anyone.request(Method::GET, "/v1/sets/set_01ARZ3NDEKTSV4RRFFQ69G5FAV"), 404, "not_found", None),
        ("no key", anyone.request(Method::GET, "/v1/me"), 401, "unauthenticated", None),
        (
            "a key that is none",
            anyone.with_key("nonsense").request(Method::GET, "/v1/games"),
            401,
            "unauthenticated",
            None,
        ),
        (
            "a long address",
            anyone.request(Method::GET, &format!("/v1/games?x={}", "y".repeat(9_000))),
            414,
            "uri_too_long",
            None,
        ),
    ];
    for (kind, request, status, code, pointer) in cases {
        let (found, problem) = anyone.send(request).await;
        assert_eq!((found, problem["code"].as_str().unwrap()), (status, code), "{kind}: {problem}");
        assert_eq!(problem["status"], json!(status), "{kind}");
        assert_eq!(problem["trace_id"].as_str().map(str::len), Some(32), "{kind}: {problem}");
        if let Some(pointer) = pointer {
            assert_eq!(problem["errors"][0]["pointer"], json!(pointer), "{kind}: {problem}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_beyond_the_limit_are_refused_and_large_ones_are_taken_where_they_belong() {
    let platform = Platform::start().await;
    let bot = platform.newcomer().await;
    let padding = " ".repeat(100_000);
    let big = |path: &str, body: &str| bot.me.request(Method::POST, path).body(format!("{padding}{body}"));
    let (status, problem) = bot.me.send(big("/v1/challenges", "{}")).await;
    assert_eq!((status, &problem["code"]), (413, &json!("payload_too_large")));
    let line = json!({"options": {"start": "standard"}, "moves": []}).to_string();
    let (status, position) = bot.me.send(big("/v1/games/breakthrough/positions", &line)).await;
    assert_eq!((status, &position["to_move"]), (200, &json!([1])), "{position}");
}

/// Every operation of the document, with parameters filled in.
fn operations(document: &Value) -> Vec<(Method, String)> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        let methods = item.as_object().unwrap().keys().filter_map(|name| match name.as_str() {
            "get" => Some(Method::GET),
            "post" => Some(Method::POST),
            "patch" => Some(Method::PATCH),
            "delete" => Some(Method::DELETE),
            _ => None,
        });
        operations.extend(methods.map(|method| (method, path.clone())));
    }
    operations
}

#[tokio::test(flavor = "multi_thread")]
async fn garbage_at_every_operation_is_never_a_fault_of_ours() {
    let platform = Platform::with(generous()).await;
    let bot = platform.newcomer().await;
    let document = platform.anyone().ok("/openapi.json").await;
    let nested = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    let bodies = [
        "",
        "null",
        "[]",
        "{}",
        "\u{feff}{}",
        "{\"game\":{\"a\":1}}",
        "\"\\ud800\"",
        &nested,
        "{\"name\":\"\\u0000\"}",
        "1e999",
    ];
    let ids =
        ["x", "%00", "%ff", "..%2f..", "set_01ARZ3NDEKTSV4RRFFQ69G5FAV", "a'--", "%F0%9F%99%82", &"z".repeat(300)];
    let mut tried = 0;
    for (method, path) in operations(&document).into_iter().filter(|(_, path)| !path.ends_with("/events")) {
        for id in ids.iter().take(if path.contains('{') { ids.len() } else { 1 }) {
            let path = path
                .split('/')
                .map(|part| if part.starts_with('{') { *id } else { part })
                .collect::<Vec<_>>()
                .join("/");
            for body in bodies.iter().take(if method == Method::GET { 1 } else { bodies.len() }) {
                for caller in [&bot.owner, &bot.me] {
                    let request =
                        caller.request(method.clone(), &format!("{path}?cursor=%27&limit=0&status=x&wait=-1"));
                    let (status, answer) = caller.send(request.body((*body).to_owned())).await;
                    assert!(status < 500, "{method} {path} {body:.40}: {status} {answer}");
                    tried += 1;
                }
                let request = bot.me.request(method.clone(), &path).body((*body).to_owned());
                let (status, answer) = bot.me.send(request).await;
                assert!(status < 500, "{method} {path} {body:.40}: {status} {answer}");
            }
        }
    }
    assert!(tried > 500, "{tried}");
    assert_eq!(bot.me.get("/v1/me").await.0, 200);
}
