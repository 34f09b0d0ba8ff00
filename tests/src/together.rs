//! The platform in one process, this one, with its data in a temporary folder.

use std::sync::OnceLock;

use farside::platform::Temporary;
use farside_kit::{
    config::TelemetryArgs,
    telemetry::{self, TelemetryGuard},
};

/// Starts it, with trace ids as in production; only faults are logged.
///
/// # Panics
///
/// When it does not start.
pub async fn start() -> Temporary {
    static TELEMETRY: OnceLock<TelemetryGuard> = OnceLock::new();
    TELEMETRY.get_or_init(|| {
        let args = TelemetryArgs { log_level: "error".to_owned(), ..TelemetryArgs::default() };
        telemetry::init(&args, "farside").expect("telemetry")
    });
    Temporary::start().await.expect("the platform starts")
}
