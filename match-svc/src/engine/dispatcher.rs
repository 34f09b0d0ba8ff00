//! Delivers the outbox to ledger-svc and rating-svc, at least once, with keys by which they know an errand again.

use std::sync::Arc;
use std::time::Duration;

use farside_kit::fault::{Chain, Fault as _, Kind};
use farside_kit::time::DurationMs;
use futures::StreamExt as _;

use super::Engine;
use crate::domain::fault::MatchFault;
use crate::domain::ids::SetId;
use crate::failpoint::Failpoint;
use crate::store::{DueErrand, Errand};
use crate::upstream::RatedSet;

/// Errands taken at once.
const BATCH: u32 = 64;
/// Errands under way at once.
const AT_ONCE: usize = 16;
/// An errand taken and not finished by then is taken again: whoever took it is gone.
const TAKEN_FOR: DurationMs = DurationMs(15_000);
/// How long the outbox is left alone when nothing wakes the task.
const PAUSE: Duration = Duration::from_millis(250);
/// The pause before the second attempt; each further one is twice as long.
const FIRST_RETRY_MS: i64 = 200;
/// The longest pause between two attempts.
const LAST_RETRY_MS: i64 = 60_000;

impl Engine {
    /// Delivers errands until the process stops.
    pub(super) async fn dispatch(self: Arc<Self>) {
        loop {
            match self.dispatch_once().await {
                Ok(taken) if taken > 0 => {}
                Ok(_) => self.rest().await,
                Err(fault) => {
                    tracing::warn!(chain = %Chain(&fault), "the outbox cannot be read now");
                    self.rest().await;
                }
            }
        }
    }

    async fn rest(&self) {
        tokio::select! {
            biased;
            () = self.outbox_wake.notified() => {}
            () = tokio::time::sleep(PAUSE) => {}
        }
    }

    /// Delivers what is due; answers how much was taken.
    async fn dispatch_once(&self) -> Result<usize, MatchFault> {
        let now = self.clock.now();
        let taken = self.store.take_errands(now, now.plus(TAKEN_FOR), BATCH).await?;
        let count = taken.len();
        if count > 0 {
            Failpoint::ErrandsTaken.reach();
        }
        let outcomes: Vec<(DueErrand, Result<(), MatchFault>)> = futures::stream::iter(taken)
            .map(|due| async move {
                let outcome = self.deliver(&due).await;
                (due, outcome)
            })
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        let mut done = Vec::new();
        for (due, outcome) in outcomes {
            match outcome {
                Ok(()) => done.push(due),
                Err(fault) => self.put_off(&due, &fault).await?,
            }
        }
        if !done.is_empty() {
            self.store.finish_errands(done, self.clock.now()).await?;
        }
        Ok(count)
    }

    async fn put_off(&self, due: &DueErrand, fault: &MatchFault) -> Result<(), MatchFault> {
        let doublings = due.attempts.saturating_sub(1).min(16);
        let pause_ms = FIRST_RETRY_MS.saturating_mul(1_i64 << doublings).min(LAST_RETRY_MS);
        if fault.kind() == Kind::Unavailable {
            tracing::info!(key = due.key, attempts = due.attempts, pause_ms, "errand is put off");
        } else {
            tracing::error!(key = due.key, attempts = due.attempts, chain = %Chain(fault), "errand was refused");
        }
        self.store.put_off(&due.key, self.clock.now().plus(DurationMs(pause_ms))).await
    }

    async fn deliver(&self, due: &DueErrand) -> Result<(), MatchFault> {
        let outcome = self.deliver_once(due).await;
        match due.errand {
            Errand::Rate { .. } => Failpoint::RatingAnswered.reach(),
            _ => Failpoint::LedgerAnswered.reach(),
        }
        outcome
    }

    async fn deliver_once(&self, due: &DueErrand) -> Result<(), MatchFault> {
        match &due.errand {
            Errand::Release { hold_id } => self.ledger.release(&due.key, hold_id).await,
            Errand::Settle { set_id, winner, hold_ids } => {
                self.ledger.settle(&due.key, set_id, *winner, hold_ids).await
            }
            Errand::Split { set_id, hold_ids } => self.ledger.split(&due.key, set_id, hold_ids).await,
            Errand::Refund { set_id, hold_ids } => self.ledger.refund(&due.key, set_id, hold_ids).await,
            Errand::Rate { set_id } => self.rate(&due.key, set_id).await,
        }
    }

    async fn rate(&self, key: &str, set_id: &SetId) -> Result<(), MatchFault> {
        let set = self.current(set_id).await?;
        let Some((end, result)) = set.end.and_then(|end| end.result.map(|result| (end, result))) else {
            return Err(MatchFault::internal("a set without a result cannot be rated"));
        };
        self.rating.record(key, RatedSet { set: &set, end, result }).await
    }
}
