//! Sets in memory: one slot for each, with a lock so that two requests on one replica do not fight over the fence.
//! A slot may be stale; the fence finds out. Not here: reading or writing sets.

use std::sync::Arc;

use moka::future::Cache;
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::domain::ids::SetId;
use crate::domain::set::Set;

type Slot = Arc<Mutex<Option<Arc<Set>>>>;

/// The sets of this replica.
#[derive(Clone, Debug)]
pub(super) struct SetCache {
    slots: Cache<SetId, Slot>,
}

/// A slot that only its holder may look at and change.
#[derive(Debug)]
pub(super) struct Locked {
    guard: OwnedMutexGuard<Option<Arc<Set>>>,
}

impl SetCache {
    pub(super) fn new(capacity: u64) -> Self {
        let idle = std::time::Duration::from_secs(3_600);
        Self { slots: Cache::builder().max_capacity(capacity).time_to_idle(idle).build() }
    }

    /// Waits for the slot of a set; it may be empty.
    pub(super) async fn lock(&self, id: &SetId) -> Locked {
        let slot = self.slots.get_with_by_ref(id, async { Slot::default() }).await;
        Locked { guard: slot.lock_owned().await }
    }

    /// Removes the slot of a set that there is not.
    pub(super) async fn forget(&self, id: &SetId) {
        self.slots.invalidate(id).await;
    }
}

impl Locked {
    pub(super) fn get(&self) -> Option<&Arc<Set>> {
        self.guard.as_ref()
    }

    pub(super) fn put(&mut self, set: Option<Arc<Set>>) {
        *self.guard = set;
    }
}
