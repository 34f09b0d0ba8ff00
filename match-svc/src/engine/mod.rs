//! The imperative shell: load, decide, commit state with events and outbox in one transaction, then tell. Not here:
//! decisions (`domain/`), statements (`store/`), messages (`grpc/`).

mod cache;
mod change;
mod committer;
mod dispatcher;
mod games;
mod house;
mod lobby;
mod moves;
mod operations;
mod outages;
mod positions;
mod records;
mod retention;
mod rounds;
mod sets;
mod signer;
mod sweeper;
mod turns;
mod watch;

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use farside_kit::bus::Bus;
use farside_kit::ids::{SharedIds, new_ulid};
use farside_kit::shutdown::{Shutdown, Tasks};
use farside_kit::time::{DurationMs, SharedClock};
use tokio::sync::Notify;

use crate::domain::fault::MatchFault;
use crate::domain::outage::OutagePolicy;
use crate::metrics::MatchMetrics;
use crate::store::SharedStore;
use crate::upstream::{Ledger, Rating, Rules};

use cache::SetCache;
use committer::Committer;
use games::GameBook;
use house::HouseQueue;
use outages::BeatWatch;
use positions::Positions;

pub use lobby::{AcceptRequest, ChallengeAnswer, CreateRequest};
pub use moves::{MoveAnswer, MoveRequest};
pub use sets::{ActorRequest, SetAnswer};
pub use signer::{PublicKey, Signer};
pub use turns::{Turn, Turns};
pub use watch::{ParticipantItem, SetItem, WatchEnd, Watching};

/// Numbers that an operator may choose.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long a challenge stands unless it says so.
    pub challenge_expiry_s: u32,
    /// Active sets and open challenges together that one participant may have.
    pub set_limit: u32,
    /// How long after a deadline a flag falls at the earliest; gives nobody time.
    pub grace: DurationMs,
    /// When a gap between beats counts.
    pub outages: OutagePolicy,
    /// Moves that may wait for a commit.
    pub queue: usize,
    /// Decisions written together at most.
    pub batch: usize,
    /// Transactions under way at once.
    pub writers: usize,
    /// How long the events of an ended set are kept; for ever unless set.
    pub events_kept: Option<DurationMs>,
    /// House bots that think at once.
    pub house_workers: usize,
    /// Sets kept in memory.
    pub cached_sets: u64,
    /// Positions kept in memory.
    pub cached_positions: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            challenge_expiry_s: 600,
            set_limit: 32,
            grace: DurationMs(50),
            outages: OutagePolicy { tolerated: DurationMs(1_800), abort_after: DurationMs(600_000) },
            queue: 8_192,
            batch: 256,
            writers: 1,
            events_kept: None,
            house_workers: 2,
            cached_sets: 20_000,
            cached_positions: 4_096,
        }
    }
}

/// What an engine is made of.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The tables.
    pub store: SharedStore,
    /// rules-svc.
    pub rules: Rules,
    /// ledger-svc.
    pub ledger: Ledger,
    /// rating-svc.
    pub rating: Rating,
    /// Announcements.
    pub bus: Bus,
    /// The time.
    pub clock: SharedClock,
    /// Random bits.
    pub ids: SharedIds,
    /// Signs records.
    pub signer: Signer,
    /// What is counted.
    pub metrics: MatchMetrics,
    /// Numbers.
    pub settings: Settings,
    /// Background tasks.
    pub tasks: Tasks,
    /// The request to stop.
    pub shutdown: Shutdown,
}

/// The engine: shared by all requests and background tasks of a replica.
#[derive(Debug)]
pub struct Engine {
    store: SharedStore,
    rules: Rules,
    ledger: Ledger,
    rating: Rating,
    bus: Bus,
    clock: SharedClock,
    ids: SharedIds,
    signer: Signer,
    metrics: MatchMetrics,
    settings: Settings,
    tasks: Tasks,
    shutdown: Shutdown,
    cache: SetCache,
    positions: Positions,
    committer: Committer,
    games: GameBook,
    beats: BeatWatch,
    house: HouseQueue,
    outbox_wake: Notify,
    /// Streams that are open here.
    streams: AtomicUsize,
}

impl Engine {
    /// Puts an engine together, gives back what an outage before this moment took, and starts what runs by itself. What
    /// cannot be given back now is given back later.
    pub async fn start(parts: Parts) -> Arc<Self> {
        let engine = Arc::new(Self::assemble(parts));
        if let Err(fault) = engine.recover_outage().await {
            // rules-svc may start later than this process. No move is charged for what is still to be given back.
            tracing::warn!(chain = %farside_kit::fault::Chain(&fault), "outages are given back later");
        }
        engine.spawn("match sweep", |engine| async move { engine.sweep_deadlines().await });
        engine.spawn("match upkeep", |engine| async move { engine.keep_up().await });
        engine.spawn("match outbox", |engine| async move { engine.dispatch().await });
        engine.spawn("match beats", |engine| async move { engine.watch_beats().await });
        if let Some(kept) = engine.settings.events_kept {
            engine.spawn("match retention", move |engine| async move { engine.forget_events(kept).await });
        }
        for _ in 0..engine.settings.house_workers {
            engine.spawn("house bot", |engine| async move { engine.play_house().await });
        }
        engine
    }

    fn assemble(parts: Parts) -> Self {
        let committer = Committer::start(&parts);
        Self {
            cache: SetCache::new(parts.settings.cached_sets),
            positions: Positions::new(parts.rules.clone(), parts.settings.cached_positions),
            games: GameBook::new(parts.rules.clone(), parts.ledger.clone()),
            beats: BeatWatch::default(),
            house: HouseQueue::new(),
            outbox_wake: Notify::new(),
            streams: AtomicUsize::new(0),
            committer,
            store: parts.store,
            rules: parts.rules,
            ledger: parts.ledger,
            rating: parts.rating,
            bus: parts.bus,
            clock: parts.clock,
            ids: parts.ids,
            signer: parts.signer,
            metrics: parts.metrics,
            settings: parts.settings,
            tasks: parts.tasks,
            shutdown: parts.shutdown,
        }
    }

    fn spawn<F, Fut>(self: &Arc<Self>, name: &'static str, task: F)
    where
        F: FnOnce(Arc<Self>) -> Fut,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let (running, shutdown) = (task(Arc::clone(self)), self.shutdown.clone());
        self.tasks.spawn(name, async move {
            tokio::select! {
                biased;
                () = shutdown.requested() => {}
                () = running => {}
            }
        });
    }

    /// A new id with this prefix.
    fn new_id(&self, prefix: &str) -> String {
        format!("{prefix}{}", new_ulid(self.clock.now(), self.ids.random_u128()))
    }

    /// Carries out `work` to its end even when the caller goes away, so that nothing that was written stays untold.
    ///
    /// # Errors
    ///
    /// Those of `work`.
    pub async fn uncancelled<T, Fut>(work: Fut) -> Result<T, MatchFault>
    where
        T: Send + 'static,
        Fut: Future<Output = Result<T, MatchFault>> + Send + 'static,
    {
        use tracing::Instrument as _;
        match tokio::spawn(work.in_current_span()).await {
            Ok(outcome) => outcome,
            Err(error) => Err(MatchFault::Internal(Box::new(error))),
        }
    }
}
