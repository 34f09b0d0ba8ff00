//! The public JSON API under `/v1`: one file for each resource, handlers that parse, call and convert.
//!
//! The OpenAPI document is made of the very handlers and types that serve. Not here: any rule of a game, any decision
//! about points.

pub(crate) mod bots;
mod challenges;
mod change;
pub mod extract;
mod frames;
mod games;
pub mod guard;
pub mod json;
mod me;
mod my_keys;
pub mod openapi;
mod players;
mod records;
mod sets;

use axum::Router;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Document;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::SharedApp;
use crate::problem::{Code, Problem};

/// What load balancers ask, outside of `/v1`.
#[derive(OpenApi)]
#[openapi(paths(crate::health::healthz, crate::health::readyz))]
struct Health;

/// The routes under `/v1` and the document that describes them.
pub fn routes() -> (Router<SharedApp>, Document) {
    let v1 = OpenApiRouter::new()
        .routes(routes!(players::sign_up, players::list))
        .routes(routes!(players::get))
        .routes(routes!(bots::create, bots::list))
        .routes(routes!(bots::get, bots::change))
        .routes(routes!(bots::history))
        .routes(routes!(bots::keys, bots::add_key))
        .routes(routes!(bots::revoke_key))
        .routes(routes!(me::me))
        .routes(routes!(me::balance))
        .routes(routes!(me::ledger))
        .routes(routes!(me::practice))
        .routes(routes!(my_keys::list, my_keys::add))
        .routes(routes!(my_keys::revoke))
        .routes(routes!(me::turns))
        .routes(routes!(me::events))
        .routes(routes!(me::socket))
        .routes(routes!(games::list))
        .routes(routes!(games::get))
        .routes(routes!(games::leaderboard))
        .routes(routes!(games::sets))
        .routes(routes!(games::positions))
        .routes(routes!(games::analysis))
        .routes(routes!(challenges::create, challenges::list))
        .routes(routes!(challenges::get))
        .routes(routes!(challenges::accept))
        .routes(routes!(challenges::decline))
        .routes(routes!(challenges::cancel))
        .routes(routes!(sets::list))
        .routes(routes!(sets::get))
        .routes(routes!(sets::play))
        .routes(routes!(sets::resign))
        .routes(routes!(sets::pause))
        .routes(routes!(sets::resume))
        .routes(routes!(sets::events))
        .routes(routes!(sets::record))
        .routes(routes!(records::verify))
        .routes(routes!(records::keys))
        .routes(routes!(records::audit));
    let (router, mut document) = OpenApiRouter::with_openapi(openapi::document()).nest("/v1", v1).split_for_parts();
    document.merge(Health::openapi());
    openapi::complete(&mut document);
    (router, document)
}

/// The answer to a path that there is not.
pub async fn no_such_path() -> Problem {
    Problem::not_found("path")
}

/// The answer to a method that a path does not have.
pub async fn no_such_method() -> Response {
    let problem = Problem::new(Code::MethodNotAllowed, "the path exists, the method does not");
    (StatusCode::METHOD_NOT_ALLOWED, problem).into_response()
}
