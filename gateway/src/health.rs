//! Liveness and readiness on the public port, for load balancers.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use farside_kit::admin::ReadinessReport;
use serde_json::{Value, json};

use crate::app::SharedApp;

/// The process is alive.
pub(crate) async fn healthz() -> Json<Value> {
    Json(json!({"status": "ok"}))
}

/// Whether the platform takes moves now, check by check.
pub(crate) async fn readyz(State(app): State<SharedApp>) -> (StatusCode, Json<ReadinessReport>) {
    let mut report = app.readiness.report();
    report.ready &= !app.shutdown.is_requested();
    let status = if report.ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(report))
}
