//! Topics within one process: a small ring of events for each topic that somebody listens to.
//!
//! Not here: other processes.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::BusEvent;

/// Events kept for a slow subscriber. Small, because whoever falls behind reads the log anyway, and thousands of idle
/// topics each hold a ring of this size.
const RING: usize = 16;

/// Told when a topic gets its first subscriber and loses its last.
pub(super) trait Watcher: Send + Sync {
    /// The topic has its first subscriber.
    fn opened(&self, topic: &Arc<str>);
    /// The topic has lost its last subscriber.
    fn closed(&self, topic: &Arc<str>);
}

#[derive(Default)]
struct Topics {
    rings: HashMap<Arc<str>, broadcast::Sender<BusEvent>>,
}

/// The topics of this process.
#[derive(Clone, Default)]
pub(super) struct Local {
    topics: Arc<Mutex<Topics>>,
    watcher: Option<Arc<dyn Watcher>>,
}

impl fmt::Debug for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Local").field("topics", &self.lock().rings.len()).finish_non_exhaustive()
    }
}

impl Local {
    /// Topics whose openings and closings are told to `watcher`.
    pub(super) fn watched(watcher: Arc<dyn Watcher>) -> Self {
        Self { topics: Arc::default(), watcher: Some(watcher) }
    }

    fn lock(&self) -> MutexGuard<'_, Topics> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Delivers to those who listen to the topic.
    pub(super) fn publish(&self, topic: &str, payload: Bytes) {
        let topics = self.lock();
        if let Some((topic, ring)) = topics.rings.get_key_value(topic) {
            // Without subscribers there is nobody to miss it.
            let _ = ring.send(BusEvent::Message { topic: Arc::clone(topic), payload });
        }
    }

    /// Tells those who listen to the topic that they may have missed something.
    pub(super) fn lag(&self, topic: &str) {
        if let Some(ring) = self.lock().rings.get(topic) {
            let _ = ring.send(BusEvent::Lagged);
        }
    }

    /// All topics that somebody listens to.
    pub(super) fn open_topics(&self) -> Vec<Arc<str>> {
        self.lock().rings.keys().cloned().collect()
    }

    /// Listens to the topic.
    pub(super) fn subscribe(&self, topic: &str) -> LocalSubscription {
        let mut topics = self.lock();
        let known = topics.rings.get_key_value(topic).map(|(topic, ring)| (Arc::clone(topic), ring.subscribe()));
        let (topic, receiver) = known.unwrap_or_else(|| self.open(&mut topics, topic));
        drop(topics);
        LocalSubscription { local: self.clone(), topic, receiver: Some(receiver) }
    }

    fn open(&self, topics: &mut Topics, topic: &str) -> (Arc<str>, broadcast::Receiver<BusEvent>) {
        let topic: Arc<str> = topic.into();
        let (sender, receiver) = broadcast::channel(RING);
        topics.rings.insert(Arc::clone(&topic), sender);
        // Told under the lock, so that openings and closings of a topic are told in their order.
        if let Some(watcher) = &self.watcher {
            watcher.opened(&topic);
        }
        (topic, receiver)
    }

    fn leave(&self, topic: &Arc<str>, receiver: broadcast::Receiver<BusEvent>) {
        let mut topics = self.lock();
        drop(receiver);
        if topics.rings.get(topic).is_some_and(|ring| ring.receiver_count() == 0) {
            topics.rings.remove(topic);
            if let Some(watcher) = &self.watcher {
                watcher.closed(topic);
            }
        }
    }
}

/// A place among those who listen to a topic.
pub(super) struct LocalSubscription {
    local: Local,
    topic: Arc<str>,
    receiver: Option<broadcast::Receiver<BusEvent>>,
}

impl fmt::Debug for LocalSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LocalSubscription").field(&self.topic).finish()
    }
}

impl LocalSubscription {
    /// Waits for the next event.
    pub(super) async fn recv(&mut self) -> BusEvent {
        let Some(receiver) = &mut self.receiver else { return std::future::pending().await };
        match receiver.recv().await {
            Ok(event) => event,
            Err(RecvError::Lagged(_)) => BusEvent::Lagged,
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}

impl Drop for LocalSubscription {
    fn drop(&mut self) {
        if let Some(receiver) = self.receiver.take() {
            self.local.leave(&self.topic, receiver);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_subscriber_hears_its_topic_alone() {
        let local = Local::default();
        let mut subscription = local.subscribe("set:1");
        local.publish("set:2", Bytes::from_static(b"other"));
        local.publish("set:1", Bytes::from_static(b"seq 4"));
        let heard = BusEvent::Message { topic: "set:1".into(), payload: Bytes::from_static(b"seq 4") };
        assert_eq!(subscription.recv().await, heard);
    }

    #[tokio::test]
    async fn a_slow_subscriber_is_told_that_it_lags() {
        let local = Local::default();
        let mut subscription = local.subscribe("set:1");
        for _ in 0..=RING {
            local.publish("set:1", Bytes::new());
        }
        assert_eq!(subscription.recv().await, BusEvent::Lagged);
        assert!(matches!(subscription.recv().await, BusEvent::Message { .. }));
    }

    #[test]
    fn a_topic_without_subscribers_is_forgotten() {
        let local = Local::default();
        let (first, second) = (local.subscribe("set:1"), local.subscribe("set:1"));
        drop(first);
        assert_eq!(local.open_topics().len(), 1);
        drop(second);
        assert!(local.open_topics().is_empty());
    }
}
