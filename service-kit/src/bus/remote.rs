//! Topics between processes: Redis publish and subscribe behind the local topics.
//!
//! Not here: the truth. While Redis is away this process hears its own announcements only.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ::redis::aio::{MultiplexedConnection, PubSubSink, PubSubStream};
use bytes::Bytes;
use futures::StreamExt as _;
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;

use super::local::{Local, LocalSubscription, Watcher};

/// Announcements that wait for Redis; beyond it they are lost.
const QUEUE: usize = 8_192;
/// Announcements sent to Redis at once.
const BATCH: usize = 256;
/// Pauses between attempts to reach Redis: doubling from the first to the last.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LAST_PAUSE: Duration = Duration::from_secs(5);
/// How often Redis is asked for a sign of life, and how long it may take: until then nobody knows that it is away.
const PULSE: Duration = Duration::from_secs(1);
/// Before every topic on the wire, so that one Redis can serve others too.
const PREFIX: &str = "farside:bus:";

enum Interest {
    Opened(Arc<str>),
    Closed(Arc<str>),
}

struct Interests(mpsc::UnboundedSender<Interest>);

impl Watcher for Interests {
    fn opened(&self, topic: &Arc<str>) {
        let _ = self.0.send(Interest::Opened(Arc::clone(topic)));
    }

    fn closed(&self, topic: &Arc<str>) {
        let _ = self.0.send(Interest::Closed(Arc::clone(topic)));
    }
}

/// The topics that are shared over Redis.
#[derive(Clone, Debug)]
pub(super) struct Remote {
    local: Local,
    outgoing: mpsc::Sender<(String, Bytes)>,
    connected: Arc<AtomicBool>,
}

impl Remote {
    /// Starts the tasks that talk to Redis; they end when the last handle is dropped.
    pub(super) fn start(url: &str) -> Result<Self, ::redis::RedisError> {
        let client = ::redis::Client::open(url)?;
        let (interest_sender, interests) = mpsc::unbounded_channel();
        let local = Local::watched(Arc::new(Interests(interest_sender)));
        let (outgoing, queue) = mpsc::channel(QUEUE);
        let connected = Arc::new(AtomicBool::new(false));
        let listener = Listener { client: client.clone(), local: local.clone(), connected: Arc::clone(&connected) };
        let alive = outgoing.downgrade();
        tokio::spawn(async move { listener.run(interests, alive).await });
        tokio::spawn(send_all(client, queue));
        Ok(Self { local, outgoing, connected })
    }

    /// Sends to Redis, which sends it back to this process too; delivers it here alone while Redis is away.
    pub(super) fn publish(&self, topic: &str, payload: Bytes) {
        if !self.connected.load(Ordering::Relaxed) {
            self.local.publish(topic, payload.clone());
        }
        if self.outgoing.try_send((format!("{PREFIX}{topic}"), payload)).is_err() {
            tracing::debug!(topic, "announcement lost, the queue to redis is full");
        }
    }

    /// Whether this process is subscribed at Redis.
    pub(super) fn hears(&self) -> bool {
        self.connected.load(Ordering::Relaxed)
    }

    /// Listens to the topic here and, soon, at Redis.
    pub(super) fn subscribe(&self, topic: &str) -> LocalSubscription {
        self.local.subscribe(topic)
    }
}

/// Takes announcements from the queue and sends them in batches; drops what Redis does not take.
async fn send_all(client: ::redis::Client, mut queue: mpsc::Receiver<(String, Bytes)>) {
    let mut batch = Vec::with_capacity(BATCH);
    let mut pause = FIRST_PAUSE;
    let mut connection = None;
    while queue.recv_many(&mut batch, BATCH).await > 0 {
        // A connection that broke while nothing was sent is noticed only now: a second attempt makes a new one.
        let sent =
            send_once(&client, &mut connection, &batch).await || send_once(&client, &mut connection, &batch).await;
        batch.clear();
        if sent {
            pause = FIRST_PAUSE;
        } else {
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LAST_PAUSE);
        }
    }
}

async fn send_once(
    client: &::redis::Client,
    connection: &mut Option<MultiplexedConnection>,
    batch: &[(String, Bytes)],
) -> bool {
    if connection.is_none() {
        *connection = client.get_multiplexed_async_connection().await.ok();
    }
    let Some(open) = connection else { return false };
    let sent = send_batch(open, batch).await.is_ok();
    if !sent {
        *connection = None;
    }
    sent
}

async fn send_batch(connection: &mut MultiplexedConnection, batch: &[(String, Bytes)]) -> ::redis::RedisResult<()> {
    let mut pipe = ::redis::pipe();
    for (channel, payload) in batch {
        pipe.cmd("PUBLISH").arg(channel).arg(payload.as_ref()).ignore();
    }
    pipe.query_async(connection).await
}

/// The side that hears.
struct Listener {
    client: ::redis::Client,
    local: Local,
    connected: Arc<AtomicBool>,
}

impl Listener {
    async fn run(self, mut interests: mpsc::UnboundedReceiver<Interest>, alive: mpsc::WeakSender<(String, Bytes)>) {
        let mut pause = FIRST_PAUSE;
        while alive.strong_count() > 0 {
            if let Ok(connection) = self.client.get_async_pubsub().await {
                pause = FIRST_PAUSE;
                let (sink, stream) = connection.split();
                let outcome = self.listen(sink, stream, &mut interests, &alive).await;
                self.connected.store(false, Ordering::Relaxed);
                tracing::warn!(error = ?outcome.err().map(|error| error.to_string()), "bus connection to redis ended");
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LAST_PAUSE);
        }
    }

    /// Hears until the connection breaks or the bus is dropped.
    async fn listen(
        &self,
        mut sink: PubSubSink,
        mut stream: PubSubStream,
        interests: &mut mpsc::UnboundedReceiver<Interest>,
        alive: &mpsc::WeakSender<(String, Bytes)>,
    ) -> ::redis::RedisResult<()> {
        // What was opened so far is in the list that follows.
        while interests.try_recv().is_ok() {}
        for topic in self.local.open_topics() {
            self.join(&mut sink, &topic).await?;
        }
        self.connected.store(true, Ordering::Relaxed);
        let mut check = tokio::time::interval(PULSE);
        check.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                message = stream.next() => match message {
                    Some(message) => self.deliver(&message),
                    None => return Ok(()),
                },
                Some(interest) = interests.recv() => self.follow(&mut sink, interest).await?,
                _ = check.tick() => {
                    if alive.strong_count() == 0 { return Ok(()) }
                    let pong = tokio::time::timeout(PULSE, sink.ping::<::redis::Value>());
                    let Ok(pong) = pong.await else { return Ok(()) };
                    pong?;
                }
            }
        }
    }

    fn deliver(&self, message: &::redis::Msg) {
        if let Some(topic) = message.get_channel_name().strip_prefix(PREFIX) {
            self.local.publish(topic, Bytes::copy_from_slice(message.get_payload_bytes()));
        }
    }

    async fn follow(&self, sink: &mut PubSubSink, interest: Interest) -> ::redis::RedisResult<()> {
        match interest {
            Interest::Opened(topic) => self.join(sink, &topic).await,
            Interest::Closed(topic) => sink.unsubscribe(format!("{PREFIX}{topic}")).await,
        }
    }

    /// Subscribes at Redis, then tells those who listen that something may have been announced in between.
    async fn join(&self, sink: &mut PubSubSink, topic: &Arc<str>) -> ::redis::RedisResult<()> {
        sink.subscribe(format!("{PREFIX}{topic}")).await?;
        self.local.lag(topic);
        Ok(())
    }
}
