//! Pages for people, rendered from the binary, with the files that they load.
//!
//! Pages show what the API answers and decide nothing. Each stands in a [`frame::Frame`], works without scripts, and
//! gets better with modules of our own (`gateway/assets/js`). Not here: the API.

mod assets;
mod audit;
mod board;
mod challenge;
mod diagram;
mod docs;
pub(crate) mod error;
mod form;
mod frame;
mod games;
mod graph;
mod home;
mod lines;
mod markdown;
mod me;
mod my_bots;
mod names;
mod pager;
mod people;
mod play;
mod rows;
mod session;
mod set;
mod table;
mod text;
mod words;

use std::sync::Arc;

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use utoipa::openapi::OpenApi;

use self::docs::Docs;
use self::frame::Frame;
pub(crate) use self::home::RunningSet;
use crate::app::SharedApp;

/// The routes of pages, guides and the document itself.
pub(crate) fn routes(document: &OpenApi) -> Router<SharedApp> {
    let json = document.to_json().unwrap_or_default();
    let reference = Arc::new(Docs::new(document));
    Router::new()
        .route("/", get(home::home))
        .route("/sign-up", get(session::sign_up_form).post(session::sign_up))
        .route("/sign-in", get(session::sign_in_form).post(session::sign_in))
        .route("/sign-out", post(session::sign_out))
        .route("/sign-out/others", post(session::sign_out_others))
        .route("/play/guest", post(session::play_as_guest))
        .route("/games", get(games::list))
        .route("/games/{game}", get(games::game))
        .route("/games/{game}/leaderboard", get(games::leaderboard))
        .route("/games/{game}/sets", get(games::sets))
        .route("/bots", get(people::bots))
        .route("/bots/{bot}", get(people::bot))
        .route("/players/{player}", get(people::player))
        .route("/challenges", post(challenge::create))
        .route("/challenges/new", get(challenge::new_form))
        .route("/challenges/{id}", get(challenge::show_one))
        .route("/challenges/{id}/accept", post(me::accept))
        .route("/challenges/{id}/decline", post(me::decline))
        .route("/challenges/{id}/cancel", post(me::cancel))
        .route("/me", get(me::me))
        .route("/me/statement", get(me::statement))
        .route("/me/keys", get(me::keys).post(me::add_key))
        .route("/me/keys/{key}/revoke", post(me::revoke_key))
        .route("/me/bots", post(my_bots::create))
        .route("/me/bots/new", get(my_bots::new_form))
        .route("/me/bots/{bot}", get(my_bots::edit_form).post(my_bots::change))
        .route("/me/bots/{bot}/keys", post(my_bots::add_key))
        .route("/me/bots/{bot}/keys/{key}/revoke", post(my_bots::revoke_key))
        .route("/audit", get(audit::audit))
        .route("/docs", get(move |frame: Frame| async move { reference.show(frame) }))
        .route("/sets/{id}", get(set::set))
        .route("/play", get(play::settings).post(play::start))
        .route("/play/maker-breaker", get(play::maker_settings))
        .route("/play/{id}", get(play::game))
        .route("/openapi.json", get(move || text("application/json", json.clone())))
        .route("/guide", get(text::guide))
        .route("/agents.md", get(|| text("text/markdown; charset=utf-8", text::agents())))
        .route("/llms.txt", get(|| text("text/plain; charset=utf-8", text::llms())))
        .route("/robots.txt", get(|| text("text/plain; charset=utf-8", text::ROBOTS.to_owned())))
        .route("/assets/{*path}", get(assets::serve))
        .route("/favicon.ico", get(|| async { Redirect::temporary(&assets::address("img/icon.svg")) }))
        .layer(from_fn(session::same_origin))
}

async fn text(content_type: &'static str, body: String) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (CACHE_CONTROL, HeaderValue::from_static("public, max-age=60")),
    ];
    (headers, body).into_response()
}
