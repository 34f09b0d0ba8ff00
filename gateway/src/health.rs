//! Liveness and readiness on the public port, for load balancers.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::SharedApp;

/// The process is alive.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Alive {
    /// Always `ok`.
    status: &'static str,
}

/// Whether the platform takes moves now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Ready {
    /// Whether every check holds.
    ready: bool,
    /// Each check by name.
    checks: BTreeMap<String, bool>,
}

/// Says that the process is alive.
#[utoipa::path(get, path = "/healthz", tag = "health",
    responses((status = 200, description = "Alive", body = Alive)))]
pub(crate) async fn healthz() -> Json<Alive> {
    Json(Alive { status: "ok" })
}

/// Says whether the platform takes moves now, check by check.
#[utoipa::path(get, path = "/readyz", tag = "health", responses(
    (status = 200, description = "Ready", body = Ready),
    (status = 503, description = "Not ready", body = Ready)))]
pub(crate) async fn readyz(State(app): State<SharedApp>) -> (StatusCode, Json<Ready>) {
    let report = app.readiness.report();
    let ready = report.ready && !app.shutdown.is_requested();
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(Ready { ready, checks: report.checks }))
}
