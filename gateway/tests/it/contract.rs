//! The OpenAPI document, the pages, and what every answer carries.

use reqwest::Method;
use serde_json::json;

use crate::harness::Platform;

#[tokio::test(flavor = "multi_thread")]
async fn the_document_describes_the_whole_api() {
    let platform = Platform::start().await;
    let document = platform.anyone().ok("/openapi.json").await;
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let text = document.to_string();
    for path in [
        "/v1/players",
        "/v1/me",
        "/v1/me/balance",
        "/v1/me/ledger",
        "/v1/players/{player}",
        "/v1/bots/{bot}",
        "/v1/bots",
        "/v1/bots/{bot}/keys",
        "/v1/bots/{bot}/keys/{key_id}",
        "/v1/games",
        "/v1/games/{game}",
        "/v1/games/{game}/leaderboard",
        "/v1/games/{game}/sets",
        "/v1/games/{game}/positions",
        "/v1/games/{game}/analysis",
        "/v1/challenges",
        "/v1/challenges/{id}",
        "/v1/challenges/{id}/accept",
        "/v1/challenges/{id}/decline",
        "/v1/challenges/{id}/cancel",
        "/v1/sets/{id}",
        "/v1/sets",
        "/v1/sets/{id}/moves",
        "/v1/sets/{id}/resign",
        "/v1/sets/{id}/pause",
        "/v1/sets/{id}/resume",
        "/v1/sets/{id}/events",
        "/v1/sets/{id}/record",
        "/v1/records/verify",
        "/v1/ledger/audit",
        "/v1/keys",
        "/v1/me/turns",
        "/v1/me/events",
        "/v1/me/socket",
        "/healthz",
        "/readyz",
    ] {
        assert!(document["paths"].get(path).is_some(), "{path}");
    }
    for reference in text.split("\"#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(document["components"]["schemas"].get(name).is_some(), "{name} is referred to and not there");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_and_guides_are_there_and_load_nothing_from_elsewhere() {
    let platform = Platform::start().await;
    for (path, content_type) in [
        ("/", "text/html; charset=utf-8"),
        ("/docs", "text/html; charset=utf-8"),
        ("/agents.md", "text/markdown; charset=utf-8"),
        ("/llms.txt", "text/plain; charset=utf-8"),
        ("/assets/css/farside.css", "text/css; charset=utf-8"),
        ("/healthz", "application/json"),
    ] {
        let response = platform.anyone().request(Method::GET, path).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.headers()["content-type"], content_type, "{path}");
        assert_eq!(response.headers()["x-content-type-options"], "nosniff", "{path}");
        assert!(response.headers().contains_key("content-security-policy"), "{path}");
        let text = response.text().await.unwrap();
        assert!(!text.contains("src=\"http") && !text.contains("href=\"http"), "{path} loads something from elsewhere");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_say_what_is_left_of_the_limit_and_let_pages_elsewhere_read_it() {
    let platform = Platform::start().await;
    let bot = platform.newcomer().await;
    let request = bot.me.request(Method::GET, "/v1/games").header("origin", "http://pages.test");
    let response = request.send().await.unwrap();
    assert_eq!(response.headers()["ratelimit-policy"], "\"key\";q=500;w=5");
    assert!(response.headers()["ratelimit"].to_str().unwrap().starts_with("\"key\";r="));
    assert_eq!(response.headers()["access-control-allow-origin"], "*");
    assert!(!response.headers().contains_key("access-control-allow-credentials"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_catalogue_leads_to_contracts_tables_and_positions() {
    let platform = Platform::start().await;
    let anyone = platform.anyone();
    let games = anyone.ok("/v1/games").await;
    for game in games["games"].as_array().unwrap() {
        let id = game["id"].as_str().unwrap();
        let contract = anyone.ok(&format!("/v1/games/{id}")).await;
        assert_eq!(contract["move_schema"]["$schema"], "https://json-schema.org/draft/2020-12/schema", "{id}");
        assert_eq!((&contract["stakes"][0]["min"], &contract["stakes"][0]["max"]), (&json!(10), &json!(1000)));
        for list in ["leaderboard", "sets"] {
            assert!(anyone.ok(&format!("/v1/games/{id}/{list}")).await["next_cursor"].is_null());
        }
    }
    let line = json!({"options": {"size": 6, "start": "standard"}, "moves": [{"from": [1, 0], "to": [2, 0]}]});
    let (status, position) = anyone.post("/v1/games/breakthrough/positions", line).await;
    assert_eq!((status, &position["to_move"], &position["ply"]), (200, &json!([2]), &json!(1)), "{position}");
    assert!(!position["legal_moves"].as_array().unwrap().is_empty());
    let random = anyone.refused("/v1/games/breakthrough/positions", json!({"moves": []})).await;
    assert_eq!(random, (422, "malformed_request".to_owned()));
    let illegal = json!({"options": {"start": "standard"}, "moves": [{"from": [1, 0], "to": [3, 0]}]});
    let (status, problem) = anyone.post("/v1/games/breakthrough/positions", illegal).await;
    assert_eq!(
        (status, &problem["code"], &problem["errors"][0]["pointer"]),
        (422, &json!("illegal_move"), &json!("/moves/0"))
    );
    assert!(anyone.ok("/v1/ledger/audit").await["ok"].is_boolean());
    assert!(anyone.ok("/v1/keys").await["keys"].is_array());
}
