//! Load: a closed loop, in which every table plays as fast as it is answered, and an open one, in which moves become due
//! on a schedule of their own. In the open loop latency counts from the moment at which a move was due, so that a server
//! that falls behind cannot hide it. Not here: what a move is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use farside_kit::time::Stopwatch;
use futures::future::join_all;
use tokio::sync::mpsc;

use super::figures::{Latencies, Sample, micros};

/// Somebody who plays moves.
pub trait Play: Send + 'static {
    /// Plays one move and waits until it is done.
    fn play(&mut self) -> impl Future<Output = ()> + Send;

    /// Makes ready for the next move: another game, where the last one is over.
    fn go_on(&mut self) -> impl Future<Output = ()> + Send;
}

/// Processor time so far, by who used it.
pub type Used = Vec<(&'static str, Duration)>;

const WARMING_UP: u8 = 0;
const MEASURED: u8 = 1;
const OVER: u8 = 2;

fn since(before: &Used, after: Used) -> Used {
    after.into_iter().zip(before).map(|((name, after), (_, before))| (name, after.saturating_sub(*before))).collect()
}

/// Every table plays as fast as it can: `warm_up`, then the window that counts.
pub async fn closed<P: Play>(
    tables: Vec<P>,
    used: impl Fn() -> Used,
    warm_up: Duration,
    window: Duration,
) -> (Vec<P>, Sample) {
    let phase = Arc::new(AtomicU8::new(WARMING_UP));
    let players: Vec<_> =
        tables.into_iter().map(|table| tokio::spawn(keep_playing(table, Arc::clone(&phase)))).collect();
    tokio::time::sleep(warm_up).await;
    let (before, stopwatch) = (used(), Stopwatch::start());
    phase.store(MEASURED, Ordering::Relaxed);
    tokio::time::sleep(window).await;
    phase.store(OVER, Ordering::Relaxed);
    let (window, used) = (stopwatch.elapsed(), since(&before, used()));
    let mut latencies = Vec::new();
    let mut tables = Vec::new();
    for ended in join_all(players).await {
        let (table, of_table) = ended.expect("a player that does not give up");
        latencies.extend(of_table);
        tables.push(table);
    }
    (tables, Sample { latencies: Latencies::new(latencies), window, used })
}

async fn keep_playing<P: Play>(mut table: P, phase: Arc<AtomicU8>) -> (P, Vec<u32>) {
    let mut latencies = Vec::new();
    while phase.load(Ordering::Relaxed) != OVER {
        let stopwatch = Stopwatch::start();
        table.play().await;
        if phase.load(Ordering::Relaxed) == MEASURED {
            latencies.push(micros(stopwatch.elapsed()));
        }
        table.go_on().await;
    }
    (table, latencies)
}

/// Moves become due at random moments, so many a second on average, whether or not earlier ones were answered; each is
/// played at a table that waits for nothing.
pub async fn open<P: Play>(tables: Vec<P>, used: impl Fn() -> Used, rate: f64, window: Duration) -> Sample {
    let (idle, mut free) = mpsc::unbounded_channel();
    for table in tables {
        idle.send(table).ok();
    }
    let (before, stopwatch) = (used(), Stopwatch::start());
    let mut due = schedule(stopwatch, rate, window);
    let mut moves = Vec::new();
    while let Some(at) = due.recv().await {
        let mut table = free.recv().await.expect("tables come back");
        let idle = idle.clone();
        moves.push(tokio::spawn(async move {
            table.play().await;
            let latency = stopwatch.elapsed().saturating_sub(at);
            table.go_on().await;
            idle.send(table).ok();
            micros(latency)
        }));
    }
    let used = since(&before, used());
    let latencies = join_all(moves).await.into_iter().map(|latency| latency.expect("a move that is answered"));
    Sample { latencies: Latencies::new(latencies.collect()), window, used }
}

/// The moments at which moves are due, each handed over when it has come: a Poisson process. A thread of its own keeps
/// the time, since the runtime's timer knows whole milliseconds only.
fn schedule(stopwatch: Stopwatch, rate: f64, window: Duration) -> mpsc::UnboundedReceiver<Duration> {
    let (sender, receiver) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        let (mut at, mut state) = (Duration::ZERO, 88_172_645_463_325_252_u64);
        while at < window {
            std::thread::sleep(at.saturating_sub(stopwatch.elapsed()));
            if sender.send(at).is_err() {
                return;
            }
            at += Duration::from_secs_f64(-uniform(&mut state).ln() / rate);
        }
    });
    receiver
}

/// A number from above 0 to 1 (xorshift64, Marsaglia 2003).
fn uniform(state: &mut u64) -> f64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    ((*state >> 11) as f64 + 1.0) / (1_u64 << 53) as f64
}
