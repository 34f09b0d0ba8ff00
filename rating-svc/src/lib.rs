//! rating-svc: turns finished sets into Glicko-2 ratings, statistics, leaderboards and practice statistics.
//!
//! It keeps the log of sets that it was told of; everything else can be made anew from that log at any time. Each set is
//! counted exactly once, at its place in the order of set ends, however often and in whatever order it arrives.
//! Not here: who won a set (match-svc) and whose points are whose (ledger-svc).

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod config;
pub mod domain;
mod engine;
mod grpc;
mod metrics;
pub mod store;

use farside_kit::grpc::{Listener, Server};
use farside_kit::operator::OperatorLog;
use farside_kit::redis::RedisHandle;
use farside_kit::{Context, Program, Running, StartFault};
use farside_proto::operator::v1::operator_service_server;
use farside_proto::rating::v1::rating_service_server::{self, RatingServiceServer};
use tonic::service::Routes;

pub use config::Config;
use store::{BoardCache, Store};

/// The name under which it listens.
pub const NAME: &str = "rating-svc";
/// It as a program of its own.
pub const PROGRAM: Program = Program { name: NAME, listen: "127.0.0.1:7104", admin_listen: "127.0.0.1:9104" };
/// Its schema in PostgreSQL.
pub const SCHEMA: &str = "rating";

/// Opens the storage, serves the contract at `listener` and goes on in the background until the context's shutdown.
///
/// # Errors
/// When the database cannot be opened or brought up to date, or a setting cannot be right.
pub async fn start(config: Config, context: Context, listener: Listener) -> Result<Running, StartFault> {
    let ready = context.readiness.register("rating database");
    let db = context.open_database(&config.database, SCHEMA).await?;
    let watched = db.clone();
    let store = Store::open(db, context.clock.clone()).await.map_err(|fault| StartFault::new("migrations", fault))?;
    let metrics = metrics::RatingMetrics::register(&context.metrics);
    let boards = boards(&config, &context, &store)?;
    let log = OperatorLog::new(watched.clone(), context.clock.clone(), context.ids.clone());
    let ratings = engine::Ratings::new(store, boards, context.clock.clone(), metrics, log.clone());
    context.watch_database(&watched, ready);
    let api = grpc::RatingApi::new(ratings, log.clone());
    let routes = Routes::new(RatingServiceServer::new(api)).add_service(log.service());
    context.serve(server(&context), listener, routes)
}

fn server(context: &Context) -> Server {
    context
        .server(NAME)
        .descriptors(farside_proto::FILE_DESCRIPTOR_SET)
        .service(rating_service_server::SERVICE_NAME)
        .service(operator_service_server::SERVICE_NAME)
        .allow(grpc::allow_list())
}

/// The boards in Redis, when there is one.
fn boards(config: &Config, context: &Context, store: &Store) -> Result<Option<engine::Boards>, StartFault> {
    let Some(url) = &config.bus.redis_url else { return Ok(None) };
    let redis = RedisHandle::connect(url.reveal()).map_err(|error| StartFault::new("settings of redis", error))?;
    let cache = BoardCache::new(redis, config.rating_cache_prefix.as_str());
    let (clock, ids, tasks) = (context.clock.clone(), context.ids.clone(), context.tasks.clone());
    Ok(Some(engine::Boards::new(cache, store.clone(), clock, ids, tasks)))
}
