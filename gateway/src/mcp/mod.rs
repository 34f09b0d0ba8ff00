//! The API as tools for language models (Model Context Protocol over streamable HTTP, at `/mcp`).
//!
//! A tool is one request of the API, and calling it sends that request to the very handlers that serve `/v1`, so that
//! answers, codes, limits and traces are the same. There are no sessions: every message stands alone, and any replica
//! answers it. A call counts as one request of its key, like any other.
//!
//! The key comes in `Authorization: Bearer KEY`, as everywhere. Clients that cannot send a header, or get their key
//! during the conversation, may hand it over as the argument `key`. Not here: streams; `turns` waits instead.

mod call;
mod schema;
mod server;
mod tools;

use std::sync::Arc;

use axum::Router;
use axum::body::to_bytes;
use axum::http::StatusCode;
use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::api::extract::LARGE_BODY_BYTES;
use crate::api::{self, guard};
use crate::app::SharedApp;
use crate::problem::{Code, Problem};
use server::Server;

/// The route of the tools. Keys are found and limits counted by what surrounds it; the rest of what surrounds `/v1`
/// surrounds each call.
pub(crate) fn routes(app: &SharedApp) -> Router<SharedApp> {
    let (v1, document) = api::routes();
    let v1 = v1.layer(from_fn_with_state(app.clone(), guard::around_call)).with_state(app.clone());
    let document = serde_json::to_value(&document).unwrap_or_default();
    let server = Server::new(app.clone(), v1, tools::all(&document));
    let service =
        StreamableHttpService::new(move || Ok(server.clone()), Arc::new(NeverSessionManager::default()), config());
    Router::new().route_service("/mcp", service).layer(map_response(in_our_form))
}

/// Most bytes of what the SDK says of a message that it refuses.
const REFUSAL_BYTES: usize = 4 * 1024;

/// What the SDK refuses in plain words is refused like everything else: as a problem with its code.
async fn in_our_form(response: Response) -> Response {
    let (status, is_json) = (response.status(), has_json(&response));
    if !status.is_client_error() || is_json {
        return response;
    }
    let (parts, body) = response.into_parts();
    let words = to_bytes(body, REFUSAL_BYTES).await.unwrap_or_default();
    let mut problem = Problem::new(code(status), String::from_utf8_lossy(&words)).with_status(status).into_response();
    if let Some(methods) = parts.headers.get(ALLOW) {
        problem.headers_mut().insert(ALLOW, methods.clone());
    }
    problem
}

fn has_json(response: &Response) -> bool {
    let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    content_type.is_some_and(|text| text.contains("json"))
}

fn code(status: StatusCode) -> Code {
    match status {
        StatusCode::METHOD_NOT_ALLOWED => Code::MethodNotAllowed,
        StatusCode::PAYLOAD_TOO_LARGE => Code::PayloadTooLarge,
        StatusCode::NOT_FOUND => Code::NotFound,
        _ => Code::MalformedRequest,
    }
}

/// Any host name is answered, as by the rest of the gateway: a page that tricks a browser into calling has no key.
fn config() -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts()
        .with_max_request_body_bytes(LARGE_BODY_BYTES)
}
