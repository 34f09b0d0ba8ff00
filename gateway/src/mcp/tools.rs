//! Which requests of the API are tools, and under which names.
//!
//! Not here: what they take; the OpenAPI document says that.

use std::sync::Arc;

use axum::http::Method;
use rmcp::model::Tool;
use serde_json::Value;

use super::schema;

/// A request as a tool.
#[derive(Clone, Debug)]
pub(super) struct ApiTool {
    /// GET or POST.
    pub method: Method,
    /// The path with its parameters in braces.
    pub path: &'static str,
    /// Whether it takes an idempotency key.
    pub takes_key: bool,
    /// As it is listed.
    pub listed: Tool,
}

/// Name, method, path, and whether an idempotency key is taken.
const TOOLS: [(&str, Method, &str, bool); 21] = [
    ("sign_up", Method::POST, "/v1/players", false),
    ("create_bot", Method::POST, "/v1/bots", true),
    ("me", Method::GET, "/v1/me", false),
    ("balance", Method::GET, "/v1/me/balance", false),
    ("games", Method::GET, "/v1/games", false),
    ("game", Method::GET, "/v1/games/{game}", false),
    ("leaderboard", Method::GET, "/v1/games/{game}/leaderboard", false),
    ("position", Method::POST, "/v1/games/{game}/positions", false),
    ("bot", Method::GET, "/v1/bots/{bot}", false),
    ("challenges", Method::GET, "/v1/challenges", false),
    ("create_challenge", Method::POST, "/v1/challenges", true),
    ("challenge", Method::GET, "/v1/challenges/{id}", false),
    ("accept_challenge", Method::POST, "/v1/challenges/{id}/accept", true),
    ("decline_challenge", Method::POST, "/v1/challenges/{id}/decline", true),
    ("cancel_challenge", Method::POST, "/v1/challenges/{id}/cancel", true),
    ("turns", Method::GET, "/v1/me/turns", false),
    ("move", Method::POST, "/v1/sets/{id}/moves", false),
    ("resign", Method::POST, "/v1/sets/{id}/resign", true),
    ("set", Method::GET, "/v1/sets/{id}", false),
    ("sets", Method::GET, "/v1/sets", false),
    ("record", Method::GET, "/v1/sets/{id}/record", false),
];

/// All tools, as the API's document describes them.
pub(super) fn all(document: &Value) -> Arc<[ApiTool]> {
    let tool = |(name, method, path, takes_key): (&'static str, Method, &'static str, bool)| {
        let operation = &document["paths"][path][method.as_str().to_ascii_lowercase()];
        let summary = operation["summary"].as_str().unwrap_or_default();
        let description = format!("{summary} ({method} {path})");
        let listed = Tool::new(name, description, schema::of_arguments(document, operation, takes_key));
        ApiTool { method, path, takes_key, listed }
    };
    TOOLS.into_iter().map(tool).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_a_request_that_the_document_describes() {
        let (_, document) = crate::api::routes();
        let document = serde_json::to_value(&document).unwrap();
        for tool in all(&document).iter() {
            let operation = &document["paths"][tool.path][tool.method.as_str().to_ascii_lowercase()];
            assert!(operation.is_object(), "{} {}", tool.method, tool.path);
            let schema = serde_json::to_value(&tool.listed.input_schema).unwrap();
            let text = schema.to_string();
            assert!(!text.contains("#/components"), "{}: {text}", tool.listed.name);
            jsonschema::validator_for(&schema).unwrap();
        }
    }

    #[test]
    fn a_move_takes_what_the_request_takes() {
        let (_, document) = crate::api::routes();
        let tools = all(&serde_json::to_value(&document).unwrap());
        let found = tools.iter().find(|tool| tool.listed.name == "move").unwrap();
        let schema = serde_json::to_value(&found.listed.input_schema).unwrap();
        assert_eq!(schema["required"], serde_json::json!(["id", "game", "move", "ply"]));
        let names: Vec<_> = schema["properties"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(names, ["game", "id", "key", "move", "ply"]);
    }
}
