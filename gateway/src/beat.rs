//! The beat: once a second it is proven end to end that a move could be accepted.
//!
//! Not here: what a gap between beats means; match-svc gives that time back.

use std::time::Duration;

use farside_kit::admin::ReadinessHandle;
use farside_proto::matches::v1::BeatRequest;
use tokio::time::MissedTickBehavior;

use crate::app::SharedApp;

/// How often.
const INTERVAL: Duration = Duration::from_secs(1);

/// Beats until the gateway stops, and says with each beat whether the platform takes moves.
pub(crate) async fn run(app: SharedApp, ready: ReadinessHandle) {
    let gateway_id = format!("gateway-{}", app.identity.request_id());
    let mut pulse = tokio::time::interval(INTERVAL);
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = pulse.tick() => {}
            () = app.shutdown.requested() => return,
        }
        let beat = app.upstream.matches.beat(BeatRequest { gateway_id: gateway_id.clone() }).await;
        ready.set(beat.is_ok());
        if let Err(fault) = beat {
            app.metrics.beat_missed();
            tracing::debug!(reason = fault.reason, "a beat was missed");
        }
    }
}
