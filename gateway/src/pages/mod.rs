//! Pages for people, rendered from the binary, with the files that they load.
//!
//! Pages show what the API answers and decide nothing. Each stands in a [`frame::Frame`], works without scripts, and
//! gets better with modules of our own (`gateway/assets/js`). Not here: the API.

mod assets;
mod docs;
mod frame;
mod home;
mod text;

use std::sync::Arc;

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use utoipa::openapi::OpenApi;

use self::docs::Docs;
use self::frame::Frame;
use crate::app::SharedApp;

/// The routes of pages, guides and the document itself.
pub(crate) fn routes(document: &OpenApi) -> Router<SharedApp> {
    let json = document.to_json().unwrap_or_default();
    let reference = Arc::new(Docs::new(document));
    Router::new()
        .route("/", get(home::home))
        .route("/docs", get(move |frame: Frame| async move { reference.show(frame) }))
        .route("/openapi.json", get(move || text("application/json", json.clone())))
        .route("/agents.md", get(|| text("text/markdown; charset=utf-8", text::agents())))
        .route("/llms.txt", get(|| text("text/plain; charset=utf-8", text::llms())))
        .route("/robots.txt", get(|| text("text/plain; charset=utf-8", text::ROBOTS.to_owned())))
        .route("/assets/{*path}", get(assets::serve))
        .route("/favicon.ico", get(|| async { Redirect::temporary(&assets::address("img/icon.svg")) }))
}

async fn text(content_type: &'static str, body: String) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (CACHE_CONTROL, HeaderValue::from_static("public, max-age=60")),
    ];
    (headers, body).into_response()
}
