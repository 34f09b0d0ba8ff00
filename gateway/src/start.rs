//! The start: settings and context become a running gateway.
//!
//! Not here: the life of the process, which is the kit's.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderName, Method};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::get;
use farside_kit::grpc::Listener;
use farside_kit::redis::RedisHandle;
use farside_kit::{Context, Program, Running, StartFault};
use tokio::sync::Semaphore;
use tower::{Layer, ServiceBuilder, ServiceExt};
use tower_http::cors::{Any as AnyOrigin, CorsLayer};

use crate::api::{self, guard};
use crate::app::{App, Catalogue, Quotas, SharedApp, lobby};
use crate::config::Config;
use crate::identity::Identity;
use crate::limits::Limits;
use crate::metrics::GatewayMetrics;
use crate::store::Store;
use crate::streams::{Hub, StreamLimits, Streams};
use crate::upstream::{Endpoints, Upstream};
use crate::{beat, health, mcp, pages, server};

/// The gateway as a program of its own.
pub const PROGRAM: Program = Program { name: "gateway", listen: "127.0.0.1:8080", admin_listen: "127.0.0.1:9080" };
/// The schema in a shared PostgreSQL.
const SCHEMA: &str = "gateway";
/// The currency of sign-up grants.
const GRANT_CURRENCY: &str = "PTS";

/// Starts the gateway at `listener`; the other services are in this process when the context has a hub, else where the
/// settings say.
///
/// # Errors
///
/// Names the step that failed.
pub async fn start(config: Config, context: Context, listener: Listener) -> Result<Running, StartFault> {
    let endpoints = endpoints(&config, &context)?;
    let takes_moves = context.readiness.register("moves");
    let app = app(&config, &context, &endpoints).await?;
    let listener = listener.into_tcp().map_err(|error| StartFault::new("listening", error))?;
    let local_addr = listener.local_addr().ok();
    let router = router(app.clone());
    context.tasks.spawn("beat", beat::run(app, takes_moves));
    let (tasks, shutdown) = (context.tasks.clone(), context.shutdown.clone());
    context.tasks.spawn("http server", server::serve(listener, router, tasks, shutdown));
    Ok(Running { local_addr })
}

fn endpoints(config: &Config, context: &Context) -> Result<Endpoints, StartFault> {
    Ok(Endpoints {
        matches: context.endpoint("match", "--match-url", config.matches.match_url.as_deref())?,
        ledger: context.endpoint("ledger", "--ledger-url", config.ledger.ledger_url.as_deref())?,
        rating: context.endpoint("rating", "--rating-url", config.rating.rating_url.as_deref())?,
        rules: context.endpoint("rules", "--rules-url", config.rules.rules_url.as_deref())?,
    })
}

async fn app(config: &Config, context: &Context, endpoints: &Endpoints) -> Result<SharedApp, StartFault> {
    let ready = context.readiness.register("gateway database");
    let database = context.open_database(&config.database, SCHEMA).await?;
    let watched = database.clone();
    let store = Store::open(database).await.map_err(|fault| StartFault::new("migrations", fault))?;
    context.watch_database(&watched, ready);
    let redis = config.redis.redis_url.as_ref().map(|url| RedisHandle::connect(url.reveal())).transpose();
    let redis = redis.map_err(|error| StartFault::new("redis", error))?;
    let upstream = Upstream::connect(endpoints, config.token.service_token.as_ref());
    let (clock, ids, public) = (context.clock.clone(), context.ids.clone(), &config.public);
    let metrics = GatewayMetrics::register(&context.metrics);
    let identity =
        Identity::new(store, upstream.ledger.clone(), clock.clone(), ids, public.signup_grant, GRANT_CURRENCY);
    Ok(Arc::new(App {
        identity,
        upstream,
        limits: Limits::new(clock.clone(), redis),
        quotas: Quotas::from(public),
        streams: Streams::new(metrics.clone(), StreamLimits::from(public)),
        hub: Hub::default(),
        at_once: Arc::new(Semaphore::new(public.requests_at_once as usize)),
        clock,
        metrics,
        readiness: context.readiness.clone(),
        shutdown: context.shutdown.clone(),
        is_behind_tls: public.behind_tls,
        trust_forwarded: public.trust_forwarded,
        catalogue: Catalogue::default(),
        lobby: lobby(),
    }))
}

/// From the outside in: headers and CORS, what surrounds every handler, handler.
fn router(app: SharedApp) -> Router {
    let (v1, document) = api::routes();
    let around = ServiceBuilder::new()
        .layer(from_fn_with_state(Arc::new(cors()), cross_origin))
        .layer(from_fn_with_state(app.clone(), guard::around));
    v1.merge(pages::routes(&document))
        .merge(mcp::routes(&app))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .fallback(api::no_such_path)
        .method_not_allowed_fallback(api::no_such_method)
        .layer(around)
        .with_state(app)
}

/// The layer of CORS answers every `OPTIONS` itself: one that is no preflight goes round it, to learn what there is.
async fn cross_origin(State(cors): State<Arc<CorsLayer>>, request: Request, next: Next) -> Response {
    let response = if request.method() == Method::OPTIONS && !guard::is_preflight(&request) {
        next.run(request).await
    } else {
        cors.layer(next).oneshot(request).await.unwrap_or_else(|never| match never {})
    };
    guard::secured(response)
}

/// Pages elsewhere may call with a key of their own; never with a session.
fn cors() -> CorsLayer {
    let header = HeaderName::from_static;
    CorsLayer::new()
        .allow_origin(AnyOrigin)
        .allow_methods([Method::GET, Method::POST, Method::PATCH, Method::DELETE])
        .allow_headers(["authorization", "content-type", "idempotency-key", "last-event-id", "traceparent"].map(header))
        .expose_headers(["ratelimit", "ratelimit-policy", "retry-after"].map(header))
        .max_age(std::time::Duration::from_secs(3_600))
}

/// The OpenAPI document as JSON, for tools and tests.
#[must_use]
pub fn openapi_json() -> String {
    api::routes().1.to_pretty_json().unwrap_or_default()
}
