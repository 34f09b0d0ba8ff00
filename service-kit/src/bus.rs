//! Announcements between the parts and replicas of the platform: lossy by contract, so only ever "look again".
//!
//! Not here: anything that must arrive. A reader that gets [`BusEvent::Lagged`] goes to the log for what it lacks.

mod local;
mod remote;

use bytes::Bytes;
use std::sync::Arc;

use local::{Local, LocalSubscription};
use remote::Remote;

/// What a subscriber hears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BusEvent {
    /// Something was announced.
    Message {
        /// Under which topic.
        topic: Arc<str>,
        /// What.
        payload: Bytes,
    },
    /// Announcements may have been missed: read the log. Also sent once after a subscription over Redis has taken
    /// hold, and after every reconnection.
    Lagged,
}

/// A cheap handle on the bus.
#[derive(Clone, Debug)]
pub struct Bus {
    kind: BusKind,
}

#[derive(Clone, Debug)]
enum BusKind {
    InProcess(Local),
    Redis(Remote),
}

impl Bus {
    /// A bus within this process.
    #[must_use]
    pub fn in_process() -> Self {
        Self { kind: BusKind::InProcess(Local::default()) }
    }

    /// A bus between processes over Redis publish and subscribe. Never waits for Redis: while it is away, announcements
    /// reach this process alone. Needs a running tokio runtime.
    ///
    /// # Errors
    ///
    /// When `url` is not the address of a Redis.
    pub fn redis(url: &str) -> Result<Self, ::redis::RedisError> {
        Ok(Self { kind: BusKind::Redis(Remote::start(url)?) })
    }

    /// Announces `payload` under `topic`. Never blocks; what cannot be delivered is lost.
    pub fn publish(&self, topic: &str, payload: Vec<u8>) {
        match &self.kind {
            BusKind::InProcess(local) => local.publish(topic, payload.into()),
            BusKind::Redis(remote) => remote.publish(topic, payload.into()),
        }
    }

    /// Whether announcements of other processes arrive at present, as far as is known. Where there are none, they do.
    #[must_use]
    pub fn hears_others(&self) -> bool {
        match &self.kind {
            BusKind::InProcess(_) => true,
            BusKind::Redis(remote) => remote.hears(),
        }
    }

    /// Listens to `topic` from now on.
    #[must_use]
    pub fn subscribe(&self, topic: &str) -> BusSubscription {
        let inner = match &self.kind {
            BusKind::InProcess(local) => local.subscribe(topic),
            BusKind::Redis(remote) => remote.subscribe(topic),
        };
        BusSubscription { inner }
    }
}

/// A subscription to one topic; ends when it is dropped.
#[derive(Debug)]
pub struct BusSubscription {
    inner: LocalSubscription,
}

impl BusSubscription {
    /// Waits for the next event. Cancelling loses nothing.
    pub async fn recv(&mut self) -> BusEvent {
        self.inner.recv().await
    }
}
