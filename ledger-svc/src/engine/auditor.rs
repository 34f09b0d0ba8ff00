//! The standing audit: looks at what changed every few seconds, at everything now and then, and shuts the gate when an
//! invariant does not hold.
//!
//! Not here: the invariants (`domain::audit`). A gate once shut opens only when a full audit finds nothing, in this
//! process or after a restart: the last report is kept in the database.

use std::sync::Arc;
use std::time::Duration;

use farside_kit::fault::Chain;
use farside_kit::shutdown::Shutdown;
use farside_kit::time::{DurationMs, SharedClock, UnixMs};
use tokio::sync::Mutex;

use super::fault::EngineFault;
use super::gate::Gate;
use crate::domain::audit::{Report, Scope};
use crate::metrics::LedgerMetrics;
use crate::store::Store;

/// How often the audit looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rhythm {
    /// Between looks at what changed.
    pub interval: Duration,
    /// Between looks at everything.
    pub full_interval: DurationMs,
}

/// Audits the ledger; one audit at a time. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Auditor {
    store: Store,
    clock: SharedClock,
    gate: Gate,
    metrics: LedgerMetrics,
    last_full: Arc<Mutex<Option<UnixMs>>>,
}

impl Auditor {
    /// An auditor that has not looked yet.
    #[must_use]
    pub fn new(store: Store, clock: SharedClock, gate: Gate, metrics: LedgerMetrics) -> Self {
        Self { store, clock, gate, metrics, last_full: Arc::default() }
    }

    /// Takes over what the last audit before this process found, and looks at what has changed since.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn resume(&self) -> Result<(), EngineFault> {
        let last = self.store.last_report().await?;
        self.gate.set_shut(last.is_some_and(|report| !report.is_ok()));
        let scope = if self.gate.is_shut() { Scope::Full } else { Scope::Recent };
        self.run(scope).await.map(drop)
    }

    /// Audits now.
    ///
    /// # Errors
    ///
    /// When the database fails; then nothing is known that was not known before.
    pub async fn run(&self, scope: Scope) -> Result<Report, EngineFault> {
        let mut last_full = self.last_full.lock().await;
        let now = self.clock.now();
        let report = self.store.audit(scope, now).await?;
        match scope {
            Scope::Full => {
                *last_full = Some(now);
                self.gate.set_shut(!report.is_ok());
            }
            Scope::Recent if !report.is_ok() => self.gate.set_shut(true),
            Scope::Recent => {}
        }
        self.tell(&report);
        Ok(report)
    }

    /// What was found last, by any replica.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn last(&self) -> Result<Report, EngineFault> {
        match self.store.last_report().await? {
            Some(report) => Ok(report),
            None => self.run(Scope::Recent).await,
        }
    }

    /// Audits until a shutdown is requested.
    pub async fn stand(self, rhythm: Rhythm, shutdown: Shutdown) {
        loop {
            tokio::select! {
                () = shutdown.requested() => return,
                () = tokio::time::sleep(rhythm.interval) => {}
            }
            if let Err(fault) = self.look(rhythm.full_interval).await {
                tracing::warn!(chain = %Chain(&fault), "the audit could not look");
            }
        }
    }

    /// One look, at as much as is due. What another replica found counts here too.
    async fn look(&self, full_interval: DurationMs) -> Result<(), EngineFault> {
        let last = self.store.last_report().await?;
        if last.is_some_and(|report| !report.is_ok()) {
            self.gate.set_shut(true);
        }
        let scope = self.due(full_interval).await;
        self.run(scope).await.map(drop)
    }

    async fn due(&self, full_interval: DurationMs) -> Scope {
        let last_full = *self.last_full.lock().await;
        let is_fresh = last_full.is_some_and(|last| self.clock.now().since(last) < full_interval);
        if is_fresh && !self.gate.is_shut() { Scope::Recent } else { Scope::Full }
    }

    fn tell(&self, report: &Report) {
        self.metrics.audited(report);
        for violation in &report.violations {
            tracing::error!(violation, "the ledger is out of balance, postings are stopped");
        }
    }
}
