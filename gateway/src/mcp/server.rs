//! The protocol's side: lists the tools, and answers a call with what the API answers.
//!
//! A refusal is a result with `isError` whose content is the very problem document, so that a model reads the same code
//! and advice as a program. Only an unknown tool is an error of the protocol.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderName, Request, request::Parts};
use axum::response::Response;
use http_body_util::BodyExt;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler};
use serde_json::{Map, Value, json};
use tower::ServiceExt;

use super::call::{self, Call};
use super::tools::ApiTool;
use crate::api::guard::{self, ClientAddress};
use crate::app::SharedApp;
use crate::domain::account::Caller;
use crate::problem::{Code, Problem};

/// What a model reads before anything else.
const INSTRUCTIONS: &str = "\
Play Breakthrough, its variants and Maker and Breaker against bots and people.
1. Without a key: `sign_up`, then `create_bot` with the player's key. Each key is shown once; keep it, show it to nobody.
2. Find or make a game with the bot's key: `create_challenge` with `opponent` `house:easy` is practice and starts at once; \
`challenges` with `status` `open` lists what you may `accept_challenge`.
3. The loop: `turns` with `wait` 20 until there is a turn. Choose one of `state.legal_moves` and send it unchanged with \
`move`, with `set_id` as `id` and the turn's `game` and `ply`. Then `turns` again, until `set` says that it is finished.
4. The same `move` again is safe. On an error act on its `code`; `stale_ply` and `game_over` carry the state. The clock \
runs while you think: `deadline` says how long.
The whole guide is at /agents.md.";

/// The tools and what answers them.
#[derive(Clone)]
pub(super) struct Server {
    app: SharedApp,
    v1: Router,
    tools: Arc<[ApiTool]>,
}

impl Server {
    /// A server of these tools; `v1` answers.
    pub(super) const fn new(app: SharedApp, v1: Router, tools: Arc<[ApiTool]>) -> Self {
        Self { app, v1, tools }
    }

    /// What the API answers, or the problem document with which it refuses.
    async fn ask(&self, tool: &ApiTool, arguments: Map<String, Value>, around: &Parts) -> Result<Value, Value> {
        let request = self.prepare(tool, arguments, around).await.map_err(document)?;
        let response = match self.v1.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        answer(response).await
    }

    /// The request, in the name of whoever calls, from where the message came.
    async fn prepare(
        &self,
        tool: &ApiTool,
        arguments: Map<String, Value>,
        around: &Parts,
    ) -> Result<Request<Body>, Problem> {
        let Call { mut request, key } = call::request(tool, arguments)?;
        let caller = match key {
            Some(key) => Some(self.caller(&key).await?),
            None => around.extensions.get::<Arc<Caller>>().cloned(),
        };
        if let Some(caller) = caller {
            request.extensions_mut().insert(caller);
        }
        if let Some(address) = around.extensions.get::<ClientAddress>() {
            request.extensions_mut().insert(*address);
        }
        let traceparent = HeaderName::from_static("traceparent");
        if let Some(trace) = around.headers.get(&traceparent) {
            request.headers_mut().insert(traceparent, trace.clone());
        }
        Ok(request)
    }

    /// Whose key this is. The message counted for its address; from here on it counts for the key too.
    async fn caller(&self, key: &str) -> Result<Arc<Caller>, Problem> {
        let caller = self.app.identity.authenticate(key).await?;
        guard::count(&self.app, self.app.quotas.key, caller.key_id.as_str()).await?;
        Ok(caller)
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("farside", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.iter().find(|tool| tool.listed.name == name).map(|tool| tool.listed.clone())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.iter().map(|tool| tool.listed.clone()).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = self.tools.iter().find(|tool| tool.listed.name == request.name);
        let tool = tool.ok_or_else(|| ErrorData::invalid_params("there is no such tool", None))?;
        let around = context.extensions.get::<Parts>();
        let around = around.ok_or_else(|| ErrorData::internal_error("the message came without its request", None))?;
        let result = match self.ask(tool, request.arguments.unwrap_or_default(), around).await {
            Ok(answer) => CallToolResult::structured(answer),
            Err(problem) => CallToolResult::structured_error(problem),
        };
        Ok(result.into())
    }
}

async fn answer(response: Response) -> Result<Value, Value> {
    let status = response.status();
    let retry_after_s = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse::<u32>().ok());
    let body = response.into_body().collect().await;
    let body = body.map_err(|_| document(Problem::new(Code::Internal, "the answer broke off")))?.to_bytes();
    let mut value: Value = serde_json::from_slice(&body).unwrap_or_else(|_| json!({}));
    if status.is_success() {
        return Ok(value);
    }
    // A header of the API; here it has to stand with the rest.
    if let (Some(seconds), Some(fields)) = (retry_after_s, value.as_object_mut()) {
        fields.insert("retry_after_s".to_owned(), json!(seconds));
    }
    Err(value)
}

fn document(problem: Problem) -> Value {
    serde_json::to_value(problem.into_body()).unwrap_or_default()
}
