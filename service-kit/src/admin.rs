//! The admin port: metrics, liveness and readiness over HTTP.
//!
//! Not here: anything that changes something. The port is for the operator's network, not for the public.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::metrics::Metrics;
use crate::shutdown::Shutdown;

const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What must hold before a process should get work: a set of named checks.
#[derive(Clone, Debug, Default)]
pub struct Readiness {
    checks: watch::Sender<BTreeMap<String, bool>>,
}

impl Readiness {
    /// No checks yet: ready.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a check, which does not hold until its handle says so. The same name again is the same check.
    #[must_use]
    pub fn register(&self, name: &str) -> ReadinessHandle {
        let handle = ReadinessHandle { name: name.to_owned(), checks: self.checks.clone() };
        handle.set(false);
        handle
    }

    /// Each check, and whether it holds.
    #[must_use]
    pub fn report(&self) -> ReadinessReport {
        let checks = self.checks.borrow().clone();
        ReadinessReport { ready: checks.values().all(|ready| *ready), checks }
    }

    /// The changes from now on.
    pub(crate) fn changes(&self) -> Changes {
        Changes(self.checks.subscribe())
    }
}

/// Tells of changes of any check.
#[derive(Debug)]
pub(crate) struct Changes(watch::Receiver<BTreeMap<String, bool>>);

impl Changes {
    /// Waits for one.
    pub(crate) async fn next(&mut self) {
        if self.0.changed().await.is_err() {
            // Nobody is left who could change anything.
            std::future::pending::<()>().await;
        }
    }
}

/// Says whether one check holds.
#[derive(Clone, Debug)]
pub struct ReadinessHandle {
    name: String,
    checks: watch::Sender<BTreeMap<String, bool>>,
}

impl ReadinessHandle {
    /// Says whether it holds from now on.
    pub fn set(&self, is_ready: bool) {
        self.checks.send_if_modified(|checks| checks.insert(self.name.clone(), is_ready) != Some(is_ready));
    }
}

/// The answer of `/readyz`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadinessReport {
    /// Whether every check holds.
    pub ready: bool,
    /// Each check by name.
    pub checks: BTreeMap<String, bool>,
}

#[derive(Clone)]
struct Admin {
    metrics: Metrics,
    readiness: Readiness,
    shutdown: Shutdown,
}

/// The routes of the admin port.
pub fn routes(metrics: Metrics, readiness: Readiness, shutdown: Shutdown) -> Router {
    Router::new()
        .route("/metrics", get(metrics_text))
        .route("/healthz", get(async || "ok"))
        .route("/readyz", get(readyz))
        .with_state(Admin { metrics, readiness, shutdown })
}

async fn metrics_text(State(admin): State<Admin>) -> Response {
    ([(CONTENT_TYPE, OPENMETRICS)], admin.metrics.encode()).into_response()
}

/// A process that is stopping is not ready, so that it gets no new work.
async fn readyz(State(admin): State<Admin>) -> Response {
    let mut report = admin.readiness.report();
    report.ready &= !admin.shutdown.is_requested();
    let status = if report.ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(report)).into_response()
}

/// Serves the admin port until `shutdown` is requested.
///
/// # Errors
///
/// When the listener gives up.
pub async fn serve(
    listener: TcpListener,
    metrics: Metrics,
    readiness: Readiness,
    shutdown: Shutdown,
) -> std::io::Result<()> {
    let stop = shutdown.requested_owned();
    axum::serve(listener, routes(metrics, readiness, shutdown)).with_graceful_shutdown(stop).await
}
