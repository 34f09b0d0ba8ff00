//! Retention: the events of sets that ended long ago are deleted, once the signed record that tells of them is kept. Not
//! here: results, ratings and statements; they do not come from events any more.

use std::sync::Arc;
use std::time::Duration;

use farside_kit::fault::Chain;
use farside_kit::time::{DurationMs, UnixMs};

use super::Engine;
use crate::domain::fault::MatchFault;
use crate::domain::ids::{Seq, SetId};

/// Sets of one round, each in a transaction of its own.
const ROUND_SETS: u32 = 50;
/// Between two rounds while there is more to do: play goes first.
const BUSY_PAUSE: Duration = Duration::from_millis(500);
/// Between two looks while there is nothing.
const IDLE_PAUSE: Duration = Duration::from_secs(10);

impl Engine {
    /// Deletes events of sets that ended longer than `kept` ago, until the process stops.
    pub(super) async fn forget_events(self: Arc<Self>, kept: DurationMs) {
        loop {
            let is_full = self.forget_round(kept).await.unwrap_or_else(|fault| {
                tracing::warn!(chain = %Chain(&fault), "old events are kept for now");
                false
            });
            tokio::time::sleep(if is_full { BUSY_PAUSE } else { IDLE_PAUSE }).await;
        }
    }

    /// One bounded round; true when there may be more to do.
    async fn forget_round(&self, kept: DurationMs) -> Result<bool, MatchFault> {
        let before = self.clock.now().minus(kept);
        let found = self.store.ended_with_events(before, ROUND_SETS).await?;
        for id in &found {
            let record = self.record(id).await?;
            let events = self.store.forget_events(id.clone(), record, self.clock.now()).await?;
            self.metrics.forgotten(events);
        }
        Ok(u32::try_from(found.len()).is_ok_and(|found| found == ROUND_SETS))
    }

    /// Whether events of that time may have been deleted.
    pub(super) fn is_beyond_retention(&self, at: UnixMs) -> bool {
        self.settings.events_kept.is_some_and(|kept| self.clock.now().since(at) >= kept)
    }

    /// Whether events of this set after `seen` were deleted.
    pub(super) async fn is_forgotten(&self, id: &SetId, seen: Seq) -> Result<bool, MatchFault> {
        let last = self.store.last_seq(id).await?;
        Ok(last.is_some_and(|last| last > seen) && !self.store.has_events(id).await?)
    }
}
