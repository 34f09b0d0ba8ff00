//! Pages for people, rendered from the binary: the first page, the reference, and the guides for agents.
//!
//! Pages show what the API answers and decide nothing. Not here: the API.

mod docs;
mod home;
mod text;

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use utoipa::openapi::OpenApi;

use crate::app::SharedApp;

/// The routes of pages, guides and the document itself.
pub(crate) fn routes(document: &OpenApi) -> Router<SharedApp> {
    let json = document.to_json().unwrap_or_default();
    let reference = docs::render(document);
    Router::new()
        .route("/", get(home::home))
        .route("/openapi.json", get(move || asset("application/json", json.clone())))
        .route("/docs", get(move || asset(HTML, reference.clone())))
        .route("/agents.md", get(|| asset("text/markdown; charset=utf-8", text::agents())))
        .route("/llms.txt", get(|| asset("text/plain; charset=utf-8", text::llms())))
        .route("/robots.txt", get(|| asset("text/plain; charset=utf-8", text::ROBOTS.to_owned())))
        .route("/assets/farside.css", get(|| asset("text/css; charset=utf-8", text::CSS.to_owned())))
        .route("/favicon.ico", get(|| asset("image/svg+xml", text::ICON.to_owned())))
}

const HTML: &str = "text/html; charset=utf-8";

async fn asset(content_type: &'static str, body: String) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (CACHE_CONTROL, HeaderValue::from_static("public, max-age=60")),
    ];
    (headers, body).into_response()
}

/// A rendered page; one that cannot be rendered is a fault of ours.
fn page(status: StatusCode, rendered: Result<String, askama::Error>) -> Response {
    match rendered {
        Ok(body) => {
            let headers =
                [(CONTENT_TYPE, HeaderValue::from_static(HTML)), (CACHE_CONTROL, HeaderValue::from_static("no-store"))];
            (status, headers, body).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "a page cannot be rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
