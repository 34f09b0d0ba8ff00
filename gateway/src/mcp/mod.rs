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
use axum::middleware::from_fn_with_state;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::api::extract::LARGE_BODY_BYTES;
use crate::api::{self, guard};
use crate::app::SharedApp;
use server::Server;

/// The route of the tools. Keys are found and limits counted by what surrounds it; the rest of what surrounds `/v1`
/// surrounds each call.
pub(crate) fn routes(app: &SharedApp) -> Router<SharedApp> {
    let (v1, document) = api::routes();
    let v1 = v1
        .layer(from_fn_with_state(app.clone(), guard::admit))
        .layer(from_fn_with_state(app.clone(), guard::observe))
        .with_state(app.clone());
    let document = serde_json::to_value(&document).unwrap_or_default();
    let server = Server::new(app.clone(), v1, tools::all(&document));
    Router::new().route_service(
        "/mcp",
        StreamableHttpService::new(move || Ok(server.clone()), Arc::new(NeverSessionManager::default()), config()),
    )
}

/// Any host name is answered, as by the rest of the gateway: a page that tricks a browser into calling has no key.
fn config() -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts()
        .with_max_request_body_bytes(LARGE_BODY_BYTES)
}
