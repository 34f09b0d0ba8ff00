//! What goes wrong: calls that are slow, lost, repeated or answered to nobody, tables that are away, replicas that die.
//! All of it follows from one number. Not here: what must hold nevertheless.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use farside_kit::fault::{Fault, Kind, status};
use farside_kit::grpc::{Direct, Traced, direct};
use farside_kit::time::{Clock as _, UnixMs};
use farside_match::domain::fault::MatchFault;
use farside_match::store::Gate;
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use tokio::sync::Notify;
use tonic::async_trait;
use tonic::body::Body;
use tower::{BoxError, Service as _, ServiceExt as _};

use super::world::SimulatedClock;

/// Longest time that a caller waits for an answer.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Chance and trouble of one simulation.
#[derive(Clone, Debug)]
pub struct Weather {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    state: Mutex<u64>,
    is_calm: AtomicBool,
    /// The tables are away until then.
    away_until_ms: AtomicI64,
    clock: Arc<SimulatedClock>,
}

impl Weather {
    pub fn new(seed: u64, clock: Arc<SimulatedClock>) -> Self {
        let (is_calm, away_until_ms) = (AtomicBool::new(false), AtomicI64::new(0));
        Self { inner: Arc::new(Inner { state: Mutex::new(seed), is_calm, away_until_ms, clock }) }
    }

    /// 0 to `bound` - 1 (SplitMix64; Steele, Lea, Flood 2014).
    pub fn below(&self, bound: u64) -> u64 {
        let mut state = self.inner.state.lock().unwrap();
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = *state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }

    pub fn index(&self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap()
    }

    /// True once in so many times.
    pub fn one_in(&self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// True once in so many times while there is trouble at all.
    pub fn strikes(&self, times: u64) -> bool {
        !self.is_calm() && self.one_in(times)
    }

    pub fn calm_down(&self) {
        self.inner.is_calm.store(true, Ordering::Relaxed);
    }

    pub fn is_calm(&self) -> bool {
        self.inner.is_calm.load(Ordering::Relaxed)
    }

    /// Takes the tables away for a while.
    pub fn take_tables_away(&self, for_ms: i64) -> (UnixMs, UnixMs) {
        let now = self.inner.clock.now();
        self.inner.away_until_ms.store(now.0 + for_ms, Ordering::Relaxed);
        (now, UnixMs(now.0 + for_ms))
    }

    fn tables_are_away(&self) -> bool {
        self.inner.clock.now().0 < self.inner.away_until_ms.load(Ordering::Relaxed)
    }

    /// What a step takes: mostly nothing, sometimes long.
    pub async fn delay(&self) {
        let ms = match self.below(64) {
            0 if !self.is_calm() => self.below(700),
            1..=8 => self.below(20),
            9..=20 => 1,
            _ => return,
        };
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
}

/// Whether a replica lives. What a dead one still does reaches nobody. Those who wait for its end hear of it in the order in
/// which they came; a channel of tokio's that is watched would wake them in an order drawn at random.
#[derive(Clone, Debug, Default)]
pub struct Life {
    is_over: Arc<AtomicBool>,
    end: Arc<Notify>,
}

impl Life {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.end.notify_waiters();
    }

    pub fn has_ended(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    pub async fn ended(&self) {
        let end = self.end.notified();
        if !self.has_ended() {
            end.await;
        }
    }

    /// Goes on for the living alone.
    async fn check(&self) {
        if self.has_ended() {
            std::future::pending::<()>().await;
        }
    }
}

/// A replica's way to the tables.
#[derive(Debug)]
pub struct StormyGate {
    pub weather: Weather,
    pub life: Life,
}

fn away() -> MatchFault {
    MatchFault::Unavailable("the tables are away".into())
}

#[async_trait]
impl Gate for StormyGate {
    async fn before(&self) -> Result<(), MatchFault> {
        self.life.check().await;
        self.weather.delay().await;
        self.life.check().await;
        if self.weather.tables_are_away() || self.weather.strikes(300) { Err(away()) } else { Ok(()) }
    }

    async fn after(&self) -> Result<(), MatchFault> {
        self.weather.delay().await;
        self.life.check().await;
        if self.weather.strikes(300) { Err(away()) } else { Ok(()) }
    }
}

/// Whoever checks the tables sees them as they are.
#[derive(Debug)]
pub struct OpenGate;

#[async_trait]
impl Gate for OpenGate {
    async fn before(&self) -> Result<(), MatchFault> {
        Ok(())
    }

    async fn after(&self) -> Result<(), MatchFault> {
        Ok(())
    }
}

/// A call that came to nothing, as far as its caller knows.
#[derive(Debug, thiserror::Error)]
#[error("no answer")]
struct Lost;

impl Fault for Lost {
    fn kind(&self) -> Kind {
        Kind::Unavailable
    }

    fn reason(&self) -> &'static str {
        "UNAVAILABLE"
    }
}

/// A replica's way to another service.
pub fn way(service: Direct, weather: &Weather, life: &Life) -> Traced {
    let (weather, life) = (weather.clone(), life.clone());
    let stormy = tower::service_fn(move |request: Request<Body>| {
        let (service, weather, life) = (service.clone(), weather.clone(), life.clone());
        async move {
            let answered = tokio::time::timeout(TIMEOUT, carry(service, request, &weather, &life)).await;
            answered.unwrap_or_else(|_| Ok(status(&Lost).into_http()))
        }
    });
    direct(Direct::new(stormy), TIMEOUT)
}

async fn carry(
    mut service: Direct,
    request: Request<Body>,
    weather: &Weather,
    life: &Life,
) -> Result<Response<Body>, BoxError> {
    life.check().await;
    weather.delay().await;
    life.check().await;
    if weather.strikes(80) {
        return Ok(status(&Lost).into_http());
    }
    let (parts, body) = request.into_parts();
    let bytes = body.collect().await?.to_bytes();
    let copy = || Request::from_parts(parts.clone(), Body::new(Full::new(bytes.clone())));
    if weather.strikes(40) {
        // A copy that arrives whenever it likes.
        let (mut service, weather, copy) = (service.clone(), weather.clone(), copy());
        tokio::spawn(async move {
            weather.delay().await;
            let _ = service.ready().await.unwrap().call(copy).await;
        });
    }
    let answer = service.ready().await?.call(copy()).await;
    weather.delay().await;
    life.check().await;
    if weather.strikes(80) { Ok(status(&Lost).into_http()) } else { answer }
}
