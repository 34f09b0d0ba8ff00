//! Which streams and long polls are open, by whom; beyond the limit the oldest gives way.
//!
//! Not here: how a stream tells its client.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::metrics::GatewayMetrics;

type Open = HashMap<String, VecDeque<(u64, CancellationToken)>>;

/// How many streams and long polls one holder may have.
#[derive(Clone, Copy, Debug)]
pub struct StreamLimits {
    /// Streams of a key.
    pub per_key: u32,
    /// Streams of an address without a key.
    pub per_address: u32,
    /// Long polls of a key.
    pub polls_per_key: u32,
}

/// All open streams and long polls of this process.
#[derive(Clone, Debug)]
pub struct Streams {
    open: Arc<Mutex<Open>>,
    next: Arc<AtomicU64>,
    metrics: GatewayMetrics,
    limits: StreamLimits,
}

/// The place of a stream or a long poll; given up when it is dropped.
#[derive(Debug)]
pub struct Ticket {
    streams: Streams,
    holder: String,
    number: u64,
    replaced: CancellationToken,
    _counted: Option<Counted>,
}

/// A stream in the metrics.
#[derive(Debug)]
struct Counted(GatewayMetrics);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.stream_closed();
    }
}

impl Streams {
    /// Nobody has a stream yet.
    #[must_use]
    pub fn new(metrics: GatewayMetrics, limits: StreamLimits) -> Self {
        Self { open: Arc::default(), next: Arc::default(), metrics, limits }
    }

    /// Opens a stream for a key.
    #[must_use]
    pub fn open_for_key(&self, key_id: &str) -> Ticket {
        self.open_stream(format!("key {key_id}"), self.limits.per_key)
    }

    /// Opens a stream for an address without a key.
    #[must_use]
    pub fn open_for_address(&self, address: &str) -> Ticket {
        self.open_stream(format!("address {address}"), self.limits.per_address)
    }

    /// Begins a long poll of a key.
    #[must_use]
    pub fn poll_for_key(&self, key_id: &str) -> Ticket {
        self.open(format!("poll {key_id}"), self.limits.polls_per_key, None)
    }

    fn open_stream(&self, holder: String, limit: u32) -> Ticket {
        self.metrics.stream_opened();
        self.open(holder, limit, Some(Counted(self.metrics.clone())))
    }

    fn open(&self, holder: String, limit: u32, counted: Option<Counted>) -> Ticket {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let replaced = CancellationToken::new();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let held = open.entry(holder.clone()).or_default();
        held.push_back((number, replaced.clone()));
        if held.len() > limit as usize
            && let Some((_, oldest)) = held.pop_front()
        {
            oldest.cancel();
        }
        drop(open);
        Ticket { streams: self.clone(), holder, number, replaced, _counted: counted }
    }
}

impl Ticket {
    /// Waits until a newer one takes the place.
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
    }
}

#[cfg(test)]
mod tests {
    use farside_kit::metrics::Metrics;

    use super::*;

    fn streams() -> Streams {
        let limits = StreamLimits { per_key: 2, per_address: 1, polls_per_key: 1 };
        Streams::new(GatewayMetrics::register(&Metrics::new()), limits)
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
    fn long_polls_have_places_of_their_own() {
        let streams = streams();
        let (poll, stream) = (streams.poll_for_key("k"), streams.open_for_key("k"));
        assert!(!poll.replaced.is_cancelled());
        let newer = streams.poll_for_key("k");
        let replaced = [&poll, &stream, &newer].map(|ticket| ticket.replaced.is_cancelled());
        assert_eq!(replaced, [true, false, false]);
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
