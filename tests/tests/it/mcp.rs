//! The tools at `/mcp` through the SDK's own client: a model's way to play.

use farside::chooser;
use farside_tests::{bots, bots::Bot, together};
use rmcp::{
    RoleClient, ServiceExt,
    model::{CallToolRequestParams, CallToolResult},
    service::RunningService,
    transport::{StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig},
};
use serde_json::{Value, json};

/// A connected client of the tools, with a key in its header or without.
struct Model {
    client: RunningService<RoleClient, ()>,
}

impl Model {
    async fn connect(url: &str, key: Option<&str>) -> Self {
        let config = StreamableHttpClientTransportConfig::with_uri(format!("{url}/mcp"));
        let config = match key {
            Some(key) => config.auth_header(key),
            None => config,
        };
        Self { client: ().serve(StreamableHttpClientTransport::from_config(config)).await.unwrap() }
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        let arguments = arguments.as_object().cloned().unwrap();
        self.client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await.unwrap()
    }

    /// Calls a tool that must succeed.
    async fn ok(&self, tool: &'static str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_ne!(result.is_error, Some(true), "{tool}: {result:?}");
        result.structured_content.unwrap()
    }

    /// Calls a tool that must be refused, and returns the problem.
    async fn refused(&self, tool: &'static str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_eq!(result.is_error, Some(true), "{tool}: {result:?}");
        result.structured_content.unwrap()
    }

    /// Plays every turn until the set has ended; `key` goes with each call.
    async fn play(&self, set_id: &str, key: &Value) -> Value {
        loop {
            for turn in self.ok("turns", json!({ "wait": 5, "key": key })).await["turns"].as_array().unwrap() {
                let (seat, ply) = (turn["seat"].as_u64().unwrap(), turn["ply"].as_u64().unwrap());
                let choice = chooser::choose(&turn["state"], seat, ply).unwrap();
                let (id, game) = (&turn["set_id"], &turn["game"]);
                self.ok("move", json!({ "id": id, "game": game, "ply": ply, "move": choice, "key": key })).await;
            }
            let set = self.ok("set", json!({ "id": set_id })).await;
            if set["status"] != "active" {
                return set;
            }
        }
    }
}

fn practice() -> Value {
    let options = json!({ "size": 6, "pieces": 12, "start": "standard" });
    json!({ "game": "breakthrough", "opponent": "house:easy", "options": options })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_begins_with_nothing_signs_up_and_plays_a_set() {
    let platform = together::start().await;
    let model = Model::connect(platform.url(), None).await;
    let player = model.ok("sign_up", json!({ "name": bots::name() })).await;
    let bot = model.ok("create_bot", json!({ "name": bots::name(), "key": player["key"] })).await;
    let mut wish = practice();
    wish["key"] = bot["key"].clone();
    let made = model.ok("create_challenge", wish).await;
    let set = model.play(made["set"]["id"].as_str().unwrap(), &bot["key"]).await;
    assert_eq!((&set["status"], &set["creator"]["id"]), (&json!("finished"), &bot["bot"]["id"]));
    assert!(model.ok("record", json!({ "id": set["id"] })).await.is_object());
    platform.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_answer_and_refuse_as_the_api_does() {
    let platform = together::start().await;
    let bot = Bot::join(platform.url()).await;
    let made = bot.client.post("/v1/challenges", practice()).await.unwrap();
    let id = &made["set"]["id"];
    let nobody = Model::connect(platform.url(), None).await;
    assert_eq!(nobody.refused("me", json!({})).await["code"], "unauthenticated");
    assert_eq!(nobody.refused("set", json!({ "id": "../me" })).await["code"], "not_found");
    assert_eq!(nobody.refused("sets", json!({ "surprise": 1 })).await["code"], "malformed_request");
    let problem =
        nobody.refused("move", json!({ "id": id, "game": 1, "ply": 0, "move": {}, "key": "fsk_wrong" })).await;
    assert_eq!(problem["code"], "unauthenticated");
    let stranger = Bot::join(platform.url()).await;
    let api = stranger.client.post(&format!("/v1/sets/{}/resign", id.as_str().unwrap()), json!({ "game": 1 })).await;
    assert_eq!(api.unwrap_err().code(), Some("not_in_set"));
    let key = stranger.owner.post(&format!("/v1/bots/{}/keys", stranger.id), json!({})).await.unwrap();
    let model = Model::connect(platform.url(), key["key"].as_str()).await;
    let problem = model.refused("resign", json!({ "id": id, "game": 1 })).await;
    assert_eq!((&problem["code"], &problem["status"]), (&json!("not_in_set"), &json!(403)));
    assert_eq!(model.ok("me", json!({})).await["bot"]["id"], json!(stranger.id), "the header says who calls");
    platform.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tool_is_listed_with_what_it_takes() {
    let platform = together::start().await;
    let model = Model::connect(platform.url(), None).await;
    let tools = model.client.list_all_tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    for name in ["sign_up", "create_bot", "create_challenge", "accept_challenge", "turns", "move", "resign", "set"] {
        assert!(names.contains(&name), "{name} is not in {names:?}");
    }
    assert!(tools.iter().all(|tool| tool.description.as_ref().is_some_and(|text| text.len() > 10)));
    platform.stop().await;
}
