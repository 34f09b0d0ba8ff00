//! ledger-svc: accounts, holds, settlement and fees in double entry.
//!
//! The way of a posting: `grpc` parses it, `engine::batcher` gathers it with others, `store` loads and locks what the
//! batch needs, `domain` decides each posting by itself, `store` writes everything in the same transaction, `grpc`
//! answers once it is durable. Not here: why stakes are moved; match-svc says that, and nobody else may.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod config;
pub mod domain;
pub mod engine;
pub mod grpc;
pub mod metrics;
pub mod store;

use std::sync::Arc;
use std::time::Duration;

use farside_kit::grpc::{Listener, Server};
use farside_kit::operator::OperatorLog;
use farside_kit::{Context, Program, Running, StartFault};
use farside_proto::ledger::v1::ledger_service_server::{self, LedgerServiceServer};
use farside_proto::operator::v1::operator_service_server;
use tonic::service::Routes;

pub use config::Config;

use engine::auditor::Auditor;
use engine::batcher::{Batcher, Committer};
use engine::folder::fold_now_and_then;
use engine::gate::Gate;
use metrics::LedgerMetrics;
use store::{Batch, Store};

/// The name of this service.
pub const NAME: &str = "ledger-svc";
/// It as a program of its own.
pub const PROGRAM: Program = Program { name: NAME, listen: "127.0.0.1:7103", admin_listen: "127.0.0.1:9103" };

/// How often system accounts are folded.
const FOLD_INTERVAL: Duration = Duration::from_secs(2);

/// Starts the ledger: brings the database up to date, looks whether it is in order, and serves.
///
/// # Errors
///
/// When the database cannot be had or read.
pub async fn start(config: Config, context: Context, listener: Listener) -> Result<Running, StartFault> {
    let ready = context.readiness.register("ledger database");
    let database = context.open_database(&config.database, Store::SCHEMA).await?;
    let watched = database.clone();
    let store =
        Store::open(database).await.map_err(|fault| StartFault::new("migrating the ledger's database", fault))?;
    let log = OperatorLog::new(watched.clone(), context.clock.clone(), context.ids.clone());
    let service = wire(&config, &context, store, &log).await?;
    context.watch_database(&watched, ready);
    let routes = Routes::new(LedgerServiceServer::new(service)).add_service(log.service());
    context.serve(server(&context), listener, routes)
}

fn server(context: &Context) -> Server {
    context
        .server(NAME)
        .descriptors(farside_proto::FILE_DESCRIPTOR_SET)
        .service(ledger_service_server::SERVICE_NAME)
        .service(operator_service_server::SERVICE_NAME)
        .allow(grpc::allow_list())
}

/// Puts the parts together and starts those that run by themselves.
async fn wire(
    config: &Config,
    context: &Context,
    store: Store,
    log: &OperatorLog,
) -> Result<grpc::Service, StartFault> {
    let metrics = LedgerMetrics::register(&context.metrics);
    let gate = Gate::default();
    let auditor = Auditor::new(store.clone(), context.clock.clone(), gate.clone(), metrics.clone());
    auditor.resume().await.map_err(|fault| StartFault::new("auditing the ledger", fault))?;
    let currencies = Arc::new(config.currencies.clone());
    let (clock, ids) = (context.clock.clone(), context.ids.clone());
    let batch = Batch { table: Arc::clone(&currencies), clock, ids, log: log.clone() };
    let committer = Committer { store: store.clone(), batch, gate, metrics };
    let batcher = Batcher::start(&committer, config.sizes(), &context.tasks, &context.shutdown);
    let (tasks, shutdown) = (&context.tasks, &context.shutdown);
    tasks.spawn("ledger audit", auditor.clone().stand(config.rhythm(), shutdown.clone()));
    tasks.spawn("ledger folding", fold_now_and_then(store.clone(), FOLD_INTERVAL, shutdown.clone()));
    Ok(grpc::Service { batcher, store, auditor, currencies, log: log.clone() })
}
