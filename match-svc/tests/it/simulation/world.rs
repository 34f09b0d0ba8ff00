//! The world of a simulation: replicas of the real engine over tables in memory, under virtual time; who dies when, and
//! how callers reach whoever lives. Not here: who plays what, and what must hold.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use farside_kit::bus::Bus;
use farside_kit::grpc::Direct;
use farside_kit::ids::SeededIds;
use farside_kit::metrics::Metrics;
use farside_kit::shutdown::{Shutdown, Tasks};
use farside_kit::time::{Clock, DurationMs, SharedClock, UnixMs};
use farside_match::domain::fault::MatchFault;
use farside_match::domain::ids::{Seq, SetId};
use farside_match::domain::outage::OutagePolicy;
use farside_match::engine::{Engine, Parts, Settings, Signer};
use farside_match::metrics::MatchMetrics;
use farside_match::store::{MemoryStore, Storage as _};
use farside_match::upstream::{Ledger, Rating, Rules};

use super::services::{ModelLedger, ModelRating, real_rules};
use super::weather::{Life, OpenGate, StormyGate, Weather, way};

pub const REPLICAS: usize = 3;
/// An outage that is longer ends timed sets.
pub const ABORT_MS: i64 = 20_000;
/// How long a caller waits for an answer.
const PATIENCE: Duration = Duration::from_secs(8);
/// Virtual time begins here.
const START_MS: i64 = 1_800_000_000_000;

/// Virtual time as a clock.
#[derive(Debug)]
pub struct SimulatedClock {
    start: tokio::time::Instant,
}

impl SimulatedClock {
    pub fn start() -> Arc<Self> {
        Arc::new(Self { start: tokio::time::Instant::now() })
    }
}

impl Clock for SimulatedClock {
    fn now(&self) -> UnixMs {
        UnixMs(START_MS + i64::try_from(self.start.elapsed().as_millis()).unwrap())
    }
}

/// A replica: none while it is down.
type Replica = Option<(Arc<Engine>, Life)>;

/// Everything there is.
pub struct World {
    pub weather: Weather,
    pub clock: Arc<SimulatedClock>,
    /// The tables as they are.
    pub truth: MemoryStore,
    pub ledger: ModelLedger,
    pub rating: ModelRating,
    rules: Direct,
    bus: Option<Bus>,
    replicas: Mutex<Vec<Replica>>,
    /// When no move could have been accepted.
    pub nights: Mutex<Vec<(UnixMs, UnixMs)>>,
}

impl World {
    pub async fn start(seed: u64) -> Arc<Self> {
        let clock = SimulatedClock::start();
        let weather = Weather::new(seed, Arc::clone(&clock));
        let truth = MemoryStore::new(Arc::new(OpenGate));
        // In some worlds the replicas hear nothing of each other.
        let bus = if weather.one_in(3) { None } else { Some(Bus::in_process()) };
        let world = Arc::new(Self {
            weather,
            clock,
            truth,
            ledger: ModelLedger::default(),
            rating: ModelRating::default(),
            rules: real_rules(),
            bus,
            replicas: Mutex::new(vec![None; REPLICAS]),
            nights: Mutex::default(),
        });
        for index in 0..REPLICAS {
            world.start_replica(index).await;
        }
        world
    }

    /// The number of a set's last event.
    pub async fn truth_seq(&self, id: &SetId) -> Seq {
        self.truth.last_seq(id).await.unwrap().unwrap()
    }

    pub fn now(&self) -> UnixMs {
        self.clock.now()
    }

    async fn start_replica(&self, index: usize) {
        let life = Life::new();
        let gate = StormyGate { weather: self.weather.clone(), life: life.clone() };
        let ids = SeededIds::shared(self.weather.below(u64::MAX));
        let to = |service: &Direct| way(service.clone(), &self.weather, &life);
        let signer = Signer::load(&self.truth, None, &*ids, self.now()).await.unwrap();
        let parts = Parts {
            store: Arc::new(self.truth.through(Arc::new(gate))),
            rules: Rules::new(to(&self.rules)),
            ledger: Ledger::new(to(&self.ledger.service())),
            rating: Rating::new(to(&self.rating.service())),
            bus: self.bus.clone().unwrap_or_else(Bus::in_process),
            clock: Arc::clone(&self.clock) as SharedClock,
            ids,
            signer,
            metrics: MatchMetrics::register(&Metrics::new()),
            settings: settings(),
            tasks: Tasks::new(),
            shutdown: Shutdown::new(),
        };
        let engine = Engine::start(parts).await;
        self.replicas.lock().unwrap()[index] = Some((engine, life));
    }

    fn kill(&self, index: usize) {
        if let Some((_, life)) = self.replicas.lock().unwrap()[index].take() {
            life.end();
        }
    }

    /// A replica that lives, if any does.
    fn any(&self) -> Replica {
        let index = self.weather.index(REPLICAS);
        self.replicas.lock().unwrap()[index].clone()
    }

    /// Calls some replica; nothing when no answer comes. Calls may arrive twice, late, or not at all.
    pub async fn ask<T, F, Fut>(&self, call: F) -> Option<Result<T, MatchFault>>
    where
        T: Send + 'static,
        F: Fn(Arc<Engine>) -> Fut,
        Fut: Future<Output = Result<T, MatchFault>> + Send + 'static,
    {
        self.weather.delay().await;
        let (engine, life) = self.any()?;
        if self.weather.strikes(60) {
            return None;
        }
        if self.weather.strikes(25) {
            let (copy, weather) = (self.any().map(|(engine, _)| call(engine)), self.weather.clone());
            tokio::spawn(async move {
                weather.delay().await;
                if let Some(copy) = copy {
                    let _ = copy.await;
                }
            });
        }
        let work = tokio::spawn(call(engine));
        let answer = tokio::select! {
            biased;
            () = life.ended() => return None,
            answer = tokio::time::timeout(PATIENCE, work) => answer.ok()?.unwrap(),
        };
        self.weather.delay().await;
        if self.weather.strikes(60) { None } else { Some(answer) }
    }

    /// Calls until something is decided.
    pub async fn insist<T, F, Fut>(&self, call: F) -> Result<T, MatchFault>
    where
        T: Send + 'static,
        F: Fn(Arc<Engine>) -> Fut,
        Fut: Future<Output = Result<T, MatchFault>> + Send + 'static,
    {
        use farside_kit::fault::{Fault as _, Kind};
        loop {
            match self.ask(&call).await {
                None => {}
                Some(Err(fault)) if matches!(fault.kind(), Kind::Unavailable | Kind::ResourceExhausted) => {}
                Some(answer) => return answer,
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// An engine to watch, with what ends it.
    pub fn watchable(&self) -> Replica {
        self.any()
    }

    /// Beats once a second, as gateways do.
    pub async fn keep_beating(self: Arc<Self>) {
        loop {
            let _ = self.ask(|engine| async move { engine.beat().await }).await;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    /// Replicas die and come back, alone and all at once; tables go away. In the end all live.
    pub async fn trouble(self: Arc<Self>) {
        while !self.weather.is_calm() {
            tokio::time::sleep(Duration::from_millis(1_500 + self.weather.below(9_000))).await;
            match self.weather.below(8) {
                0 => self.night(100 + self.weather.below(6_000)).await,
                1 if self.weather.one_in(4) => self.night(22_000).await,
                1 | 2 => {
                    let for_ms = i64::try_from(100 + self.weather.below(4_000)).unwrap();
                    self.nights.lock().unwrap().push(self.weather.take_tables_away(for_ms));
                }
                _ => {
                    let index = self.weather.index(REPLICAS);
                    self.kill(index);
                    tokio::time::sleep(Duration::from_millis(self.weather.below(3_000))).await;
                    self.start_replica(index).await;
                }
            }
        }
    }

    async fn night(&self, for_ms: u64) {
        let from = self.now();
        (0..REPLICAS).for_each(|index| self.kill(index));
        tokio::time::sleep(Duration::from_millis(for_ms)).await;
        self.nights.lock().unwrap().push((from, self.now()));
        for index in 0..REPLICAS {
            self.start_replica(index).await;
        }
    }
}

fn settings() -> Settings {
    let usual = Settings::default();
    Settings {
        challenge_expiry_s: 20,
        outages: OutagePolicy { abort_after: DurationMs(ABORT_MS), ..usual.outages },
        queue: 64,
        batch: 8,
        house_workers: 1,
        cached_sets: 100,
        cached_positions: 1_000,
        ..usual
    }
}
