//! match-svc: challenges, sets, clocks and the event log.
//!
//! The way of a move: `grpc` parses it, `engine` takes the set from its cache and asks rules-svc, `domain` decides,
//! `store` writes events, state and outbox in one transaction with those of other games, `engine` tells whoever watches.
//! Not here: rules of games, balances, ratings, names and keys.
//!
//! Where the contract leaves room, this is how it is decided:
//!
//! - A repeated request is not carried out again; it gets its first answer: the challenge or set as it was then, from the
//!   log, with the moment that the answer speaks of. Requests are remembered for a day, moves for ever.
//! - Nobody is to act while practice is paused: a move then is `NOT_YOUR_TURN`, with a text and the game's state that
//!   say why. So is another placement by a seat that has placed for the running round; only its own view leaves it out
//!   of `to_move`. Pausing, and time given back, leave placements where they are.
//! - A placement whose round came to nothing, by a flag, a resignation or an abort, is no move: its retry gets
//!   `GAME_OVER` with the result, like any other.
//! - No refusal rests on what a replica remembers: before it refuses, it looks whether another one has gone on.
//! - A move for a game that has not started is `STALE_PLY`, with the state to go on from.
//! - A private challenge to a bot is accepted by that bot; its owner, in person, may decline it, and cancel its bots'.
//! - A flag is logged in the first millisecond after its deadline, whenever the sweep came; the next game begins when
//!   the flag is committed.
//! - One drawn game is a drawn set: the tiebreak compares two games.
//! - The acceptor's hold is named after the attempt, so that a refusal does not bar the next one.
//! - A participant that an operator suspended makes and accepts no challenge, practice included. A challenge that it had
//!   open stands until it expires or is taken back, and whoever accepts it is told `CHALLENGE_CLOSED`.
//! - A move that meets an outage which was not given back yet is decided after its set has its time back.
//! - What is given back is measured by the beats of the gateways, one a second: a beat that is missed is an outage, from
//!   the beat before it to the next one. An outage that no beat meets is shorter than a second and is not seen.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod config;
pub mod domain;
pub mod engine;
pub mod failpoint;
pub mod grpc;
pub mod metrics;
pub mod store;
pub mod upstream;

use std::sync::Arc;
use std::time::Duration;

use farside_kit::bus::Bus;
use farside_kit::config::Secret;
use farside_kit::grpc::{Listener, Server, Traced, channel};
use farside_kit::operator::OperatorLog;
use farside_kit::{Context, Program, Running, StartFault};
use farside_proto::matches::v1::match_service_server::{self, MatchServiceServer};
use farside_proto::operator::v1::operator_service_server;
use tonic::service::Routes;

pub use config::Config;

use engine::{Engine, Parts, Signer};
use metrics::MatchMetrics;
use store::{SharedStore, Store};
use upstream::{Ledger, Rating, Rules};

/// The name of this service.
pub const NAME: &str = "match-svc";
/// It as a program of its own.
pub const PROGRAM: Program = Program { name: NAME, listen: "127.0.0.1:7102", admin_listen: "127.0.0.1:9102" };
/// Its schema in PostgreSQL.
pub const SCHEMA: &str = "match_svc";
/// The check of readiness that holds while rules-svc answers.
const RULES_CHECK: &str = "rules-svc";
/// How long one call of another service may take.
const CALL_TIMEOUT: Duration = Duration::from_secs(3);

/// Starts match-svc: brings the database up to date, gives back what an outage took, and serves. It is ready while its
/// database and rules-svc answer; ledger and ratings may come later, since results wait for them.
///
/// # Errors
///
/// When the database cannot be had or read, or another service has no address.
pub async fn start(config: Config, context: Context, listener: Listener) -> Result<Running, StartFault> {
    let (ready, rules_ready) = (context.readiness.register("match database"), context.readiness.register(RULES_CHECK));
    let database = context.open_database(&config.database, SCHEMA).await?;
    let watched = database.clone();
    let store = Store::open(database).await.map_err(|error| StartFault::new("migrating the match database", error))?;
    let log = OperatorLog::new(store.database().clone(), context.clock.clone(), context.ids.clone());
    let parts = parts(&config, &context, Arc::new(store)).await?;
    let rules = parts.rules.clone();
    let engine = Engine::start(parts).await;
    context.watch_database(&watched, ready);
    context.watch("rules watch", rules_ready, move || {
        let rules = rules.clone();
        async move { rules.ping().await.is_ok() }
    });
    let reading = log.service();
    let routes = Routes::new(MatchServiceServer::new(grpc::Service::new(engine, log))).add_service(reading);
    context.serve(server(&context), listener, routes)
}

fn server(context: &Context) -> Server {
    context
        .server(NAME)
        .descriptors(farside_proto::FILE_DESCRIPTOR_SET)
        .service(match_service_server::SERVICE_NAME)
        .service(operator_service_server::SERVICE_NAME)
        .allow(grpc::allow_list())
}

async fn parts(config: &Config, context: &Context, store: SharedStore) -> Result<Parts, StartFault> {
    let token = config.tokens.service_token.as_ref();
    let configured = config.play.signing_key.as_ref().map(Secret::reveal);
    let signer = Signer::load(&*store, configured, &*context.ids, context.clock.now()).await;
    Ok(Parts {
        rules: Rules::new(way(context, "rules", "--rules-url", config.rules.rules_url.as_deref(), token)?),
        ledger: Ledger::new(way(context, "ledger", "--ledger-url", config.ledger.ledger_url.as_deref(), token)?),
        rating: Rating::new(way(context, "rating", "--rating-url", config.rating.rating_url.as_deref(), token)?),
        bus: bus(config)?,
        clock: context.clock.clone(),
        ids: context.ids.clone(),
        signer: signer.map_err(|fault| StartFault::new("loading the signing key", fault))?,
        metrics: MatchMetrics::register(&context.metrics),
        settings: config.settings(),
        tasks: context.tasks.clone(),
        shutdown: context.shutdown.clone(),
        store,
    })
}

fn way(
    context: &Context,
    name: &str,
    setting: &str,
    url: Option<&str>,
    token: Option<&Secret>,
) -> Result<Traced, StartFault> {
    Ok(channel(&context.endpoint(name, setting, url)?, token, CALL_TIMEOUT))
}

fn bus(config: &Config) -> Result<Bus, StartFault> {
    match &config.bus.redis_url {
        None => Ok(Bus::in_process()),
        Some(url) => Bus::redis(url.reveal()).map_err(|error| StartFault::new("connecting to the bus", error)),
    }
}
