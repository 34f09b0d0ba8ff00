//! rules-svc: the rules of every game as pure functions, the engine that plays them, records, and the gRPC service
//! that offers all of it. It stores nothing: a state is a value that the caller keeps.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod config;
pub mod domain;
mod engine;
mod grpc;
mod metrics;

use farside_kit::grpc::Listener;
use farside_kit::metrics::Metrics;
use farside_kit::{Context, Program, Running, StartFault};
use farside_proto::rules::v1::rules_service_server::{self, RulesServiceServer};
use tonic::service::Routes;

pub use config::Config;
pub use domain::record;

use engine::pool::{Pool, Standing};
use grpc::{Pools, RulesGrpc};
use metrics::RulesMetrics;

/// The service's name in health checks, metrics and the hub.
pub const NAME: &str = "rules-svc";
/// It as a program of its own.
pub const PROGRAM: Program = Program { name: NAME, listen: "127.0.0.1:7101", admin_listen: "127.0.0.1:9101" };

/// Places for house bots that wait for a thread: every running practice game at once.
const HOUSE_QUEUE: usize = 4_096;
/// Records that wait to be sealed or verified.
const RECORD_QUEUE: usize = 256;

/// Starts the service.
///
/// # Errors
/// When somebody else listens at its address.
pub async fn start(config: Config, context: Context, listener: Listener) -> Result<Running, StartFault> {
    let server = context
        .server(NAME)
        .descriptors(farside_proto::FILE_DESCRIPTOR_SET)
        .service(rules_service_server::SERVICE_NAME)
        .allow(grpc::allow_list());
    let routes = routes(&config, &context.metrics);
    context.readiness.register(NAME).set(true);
    context.serve(server, listener, routes)
}

/// The service itself, for whoever has a way to it of another kind than a listener.
#[must_use]
pub fn routes(config: &Config, metrics: &Metrics) -> Routes {
    let pools = Pools {
        analysis: Pool::new(Standing::Background, config.analysis_threads, config.analysis_queue),
        house: Pool::new(Standing::Background, config.analysis_threads, HOUSE_QUEUE),
        records: Pool::new(Standing::Equal, 2, RECORD_QUEUE),
    };
    Routes::new(RulesServiceServer::new(RulesGrpc::new(pools, RulesMetrics::register(metrics))))
}
