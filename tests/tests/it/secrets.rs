//! Secrets stay secret: no key and no token is in a log of any level, or in an exported trace.

use farside::client::Client;
use farside_tests::{
    apart::Apart,
    bots::{self, agree},
    collector::Collector,
};
use reqwest::Method;
use rmcp::{
    ServiceExt,
    model::CallToolRequestParams,
    transport::{StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig},
};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// What nobody may read, by the name that a failure may show.
type Secrets = Vec<(&'static str, String)>;

/// Signs a player up with a bot; their keys.
async fn keys(anyone: &Client) -> (String, String) {
    let player = anyone.post("/v1/players", json!({ "name": bots::name() })).await.unwrap();
    let key = |answer: &Value| answer["key"].as_str().unwrap().to_owned();
    let owner = anyone.with_key(&key(&player));
    let bot = owner.post("/v1/bots", json!({ "name": bots::name() })).await.unwrap();
    (key(&player), key(&bot))
}

/// Shows a key in every place where one may be shown, and in some where none may.
async fn show_everywhere(url: &str, key: &str) {
    let http = reqwest::Client::new();
    let send = |request: reqwest::RequestBuilder| async { drop(request.send().await.unwrap()) };
    send(http.get(format!("{url}/v1/me")).bearer_auth(key)).await;
    send(http.get(format!("{url}/v1/me")).header("cookie", format!("farside_session={key}"))).await;
    send(http.get(format!("{url}/v1/me")).bearer_auth(format!("{key}x"))).await;
    send(http.post(format!("{url}/v1/challenges")).bearer_auth(key).body(format!("{{\"game\":\"{key}\"}}"))).await;
    send(http.post(format!("{url}/mcp")).bearer_auth(key).body(key.to_owned())).await;
    let config = StreamableHttpClientTransportConfig::with_uri(format!("{url}/mcp")).auth_header(key);
    let model = ().serve(StreamableHttpClientTransport::from_config(config)).await.unwrap();
    let arguments = json!({ "key": key }).as_object().cloned().unwrap();
    model.call_tool(CallToolRequestParams::new("me").with_arguments(arguments)).await.unwrap();
    let mut request = format!("{}/v1/me/socket", url.replace("http", "ws")).into_client_request().unwrap();
    request.headers_mut().insert("authorization", format!("Bearer {key}").parse().unwrap());
    drop(tokio_tungstenite::connect_async(request).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_in_a_log_or_a_trace() {
    let collector = Collector::start().await;
    let mut platform = Apart::prepare().await;
    platform.trace_to(&collector);
    platform.set("FARSIDE_LOG_LEVEL", "trace");
    platform.start_all().await;
    let anyone = Client::new(platform.url()).unwrap();
    let (player_key, bot_key) = keys(&anyone).await;
    let secrets: Secrets = [("a player key", &player_key), ("a bot key", &bot_key)]
        .into_iter()
        .map(|(name, key)| (name, key.rsplit('_').next().unwrap().to_owned()))
        .chain([("a token", "match-secret".to_owned()), ("a token", "gateway-secret".to_owned())])
        .collect();
    show_everywhere(platform.url(), &player_key).await;
    show_everywhere(platform.url(), &bot_key).await;
    let (creator, acceptor) = (bots::Bot::join(platform.url()).await, bots::Bot::join(platform.url()).await);
    agree(&creator, &acceptor, json!({ "game": "breakthrough" })).await;
    assert!(acceptor.play_turns().await.unwrap());
    let added = creator.owner.call(Method::POST, &format!("/v1/bots/{}/keys", creator.id), None).await.unwrap();
    assert!(added["key"].is_string());

    collector.wait_for_trace("a move", |trace| trace.iter().any(|span| span.name.contains("PlayMove"))).await;
    for program in platform.programs() {
        let log = program.log();
        assert!(log.contains("TRACE"), "everything is logged");
        for (name, secret) in &secrets {
            let line = log.lines().find(|line| line.contains(secret.as_str()));
            assert!(line.is_none(), "{name} was logged: {}", line.unwrap_or_default().replace(secret.as_str(), "…"));
        }
    }
    for (name, secret) in &secrets {
        let spans = collector.spans();
        let span = spans.iter().find(|span| format!("{span:?}").contains(secret.as_str()));
        assert!(span.is_none(), "{name} is in a trace: {}", span.map(|span| span.name.clone()).unwrap_or_default());
    }
}
