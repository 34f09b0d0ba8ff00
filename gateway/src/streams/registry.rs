//! Which streams are open, by whom; beyond the limit the oldest is closed.
//!
//! Not here: how a stream tells its client.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::metrics::GatewayMetrics;

type Open = HashMap<String, VecDeque<(u64, CancellationToken)>>;

/// All open streams of this process.
#[derive(Clone, Debug)]
pub struct Streams {
    open: Arc<Mutex<Open>>,
    next: Arc<AtomicU64>,
    metrics: GatewayMetrics,
    per_key: usize,
    per_address: usize,
}

/// A stream's place; given up when it is dropped.
#[derive(Debug)]
pub struct Ticket {
    streams: Streams,
    holder: String,
    number: u64,
    replaced: CancellationToken,
}

impl Streams {
    /// Nobody has a stream yet.
    #[must_use]
    pub fn new(metrics: GatewayMetrics, per_key: u32, per_address: u32) -> Self {
        Self {
            open: Arc::default(),
            next: Arc::default(),
            metrics,
            per_key: per_key as usize,
            per_address: per_address as usize,
        }
    }

    /// Opens a stream for a key.
    #[must_use]
    pub fn open_for_key(&self, key_id: &str) -> Ticket {
        self.open(format!("key {key_id}"), self.per_key)
    }

    /// Opens a stream for an address without a key.
    #[must_use]
    pub fn open_for_address(&self, address: &str) -> Ticket {
        self.open(format!("address {address}"), self.per_address)
    }

    fn open(&self, holder: String, limit: usize) -> Ticket {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let replaced = CancellationToken::new();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let held = open.entry(holder.clone()).or_default();
        held.push_back((number, replaced.clone()));
        if held.len() > limit
            && let Some((_, oldest)) = held.pop_front()
        {
            oldest.cancel();
        }
        drop(open);
        self.metrics.stream_opened();
        Ticket { streams: self.clone(), holder, number, replaced }
    }
}

impl Ticket {
    /// Waits until a newer stream takes the place.
    pub async fn replaced(&self) {
        self.replaced.cancelled().await;
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut open = self.streams.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = open.get_mut(&self.holder) {
            held.retain(|(number, _)| *number != self.number);
            if held.is_empty() {
                open.remove(&self.holder);
            }
        }
        drop(open);
        self.streams.metrics.stream_closed();
    }
}

#[cfg(test)]
mod tests {
    use farside_kit::metrics::Metrics;

    use super::*;

    fn streams() -> Streams {
        Streams::new(GatewayMetrics::register(&Metrics::new()), 2, 1)
    }

    #[test]
    fn beyond_the_limit_the_oldest_gives_way() {
        let streams = streams();
        let tickets: Vec<_> = (0..3).map(|_| streams.open_for_key("k")).collect();
        let replaced: Vec<_> = tickets.iter().map(|ticket| ticket.replaced.is_cancelled()).collect();
        assert_eq!(replaced, [true, false, false]);
        assert!(!streams.open_for_key("other").replaced.is_cancelled());
    }

    #[test]
    fn a_place_that_was_given_up_is_free() {
        let streams = streams();
        drop(streams.open_for_address("a"));
        let second = streams.open_for_address("a");
        assert!(!second.replaced.is_cancelled());
        drop(second);
        assert!(streams.open.lock().unwrap().is_empty());
    }
}
