//! Whether postings are taken: open until the audit sees a violation, and again once a full audit sees none.
//!
//! Not here: auditing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::fault::EngineFault;

/// A cheap handle on the one gate of a ledger.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    is_shut: Arc<AtomicBool>,
}

impl Gate {
    /// Refuses when it is shut.
    ///
    /// # Errors
    ///
    /// [`EngineFault::AuditViolation`] while the audit sees a violation.
    pub fn check(&self) -> Result<(), EngineFault> {
        if self.is_shut() { Err(EngineFault::AuditViolation) } else { Ok(()) }
    }

    /// Whether it is shut.
    #[must_use]
    pub fn is_shut(&self) -> bool {
        self.is_shut.load(Ordering::Acquire)
    }

    pub(super) fn set_shut(&self, is_shut: bool) {
        self.is_shut.store(is_shut, Ordering::Release);
    }
}
