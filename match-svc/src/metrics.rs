//! What match-svc counts. Labels are games, kinds and reasons: never ids or names.

use std::sync::atomic::AtomicI64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use farside_kit::metrics::{Metrics, TracedHistogram, latency_histogram, observe};
use farside_kit::time::DurationMs;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Unit;

use crate::domain::event::{Event, SetStatus};
use crate::domain::ids::GameId;

/// Bounds of lateness in seconds; 0.25 is what is promised.
const LATENESS_S: [f64; 12] = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 5.0, 30.0, 300.0];

/// Measurements that the percentile of stamp-to-commit looks back on.
const WINDOW: usize = 512;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct GameLabel {
    game: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabel {
    game: String,
    reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StatusLabel {
    game: String,
    status: &'static str,
}

/// The instruments of match-svc.
#[derive(Clone, Debug)]
pub struct MatchMetrics {
    moves: Family<GameLabel, Counter>,
    games: Family<OutcomeLabel, Counter>,
    sets: Family<StatusLabel, Counter>,
    challenges: Family<GameLabel, Counter>,
    running: Gauge<i64, AtomicI64>,
    credited: Counter,
    active_sets: Gauge<i64, AtomicI64>,
    open_challenges: Gauge<i64, AtomicI64>,
    decision: TracedHistogram,
    flag_lateness: Histogram,
    batch_size: Histogram,
    batch_time: TracedHistogram,
    events_forgotten: Counter,
    outbox_waiting: Gauge<i64, AtomicI64>,
    outbox_age: Gauge<f64, std::sync::atomic::AtomicU64>,
    recent: Arc<Mutex<Recent>>,
}

#[derive(Debug, Default)]
struct Recent {
    values_ms: Vec<i64>,
    next: usize,
}

impl MatchMetrics {
    /// Registers the instruments.
    #[must_use]
    pub fn register(metrics: &Metrics) -> Self {
        let registry = metrics.sub_registry("farside_match");
        Self {
            moves: registry.register("moves", "Moves and rounds accepted", Family::default()),
            games: registry.register("games_finished", "Games finished by reason", Family::default()),
            sets: registry.register("sets", "Sets begun and ended", Family::default()),
            challenges: registry.register("challenges_opened", "Challenges opened", Family::default()),
            running: registry.register(
                "games_running",
                "Games that began here less those that ended here",
                Gauge::default(),
            ),
            credited: registry.register(
                "clocks_credited",
                "Sets that were given time back after an outage",
                Counter::default(),
            ),
            active_sets: registry.register(
                "sets_active",
                "Sets that run, in the database: the same for every replica",
                Gauge::default(),
            ),
            open_challenges: registry.register(
                "challenges_open",
                "Challenges that stand open, in the database: the same for every replica",
                Gauge::default(),
            ),
            decision: registry.register_with_unit(
                "move_decision",
                "From request to durable answer",
                Unit::Seconds,
                latency_histogram(),
            ),
            flag_lateness: registry.register_with_unit(
                "flag_lateness",
                "From deadline to durable flag",
                Unit::Seconds,
                Histogram::new(LATENESS_S),
            ),
            batch_size: registry.register(
                "commit_batch_size",
                "Decisions written together",
                Histogram::new(exponential_buckets(1.0, 2.0, 10)),
            ),
            batch_time: registry.register_with_unit(
                "commit_batch",
                "Time to write a batch",
                Unit::Seconds,
                latency_histogram(),
            ),
            events_forgotten: registry.register(
                "events_forgotten",
                "Events of sets that ended long ago, deleted",
                Counter::default(),
            ),
            outbox_waiting: registry.register("outbox_waiting", "Errands not delivered yet", Gauge::default()),
            outbox_age: registry.register_with_unit(
                "outbox_age",
                "Age of the oldest errand not delivered",
                Unit::Seconds,
                Gauge::default(),
            ),
            recent: Arc::default(),
        }
    }

    /// Counts what happened in a set.
    pub fn event(&self, game: &GameId, event: &Event) {
        let label = || GameLabel { game: game.0.clone() };
        let status = |status| StatusLabel { game: game.0.clone(), status };
        match event {
            Event::MovePlayed { .. } => {
                self.moves.get_or_create(&label()).inc();
            }
            Event::GameStarted { game: started } => {
                self.running.inc();
                if started.number.0 == 1 {
                    self.sets.get_or_create(&status("begun")).inc();
                }
            }
            Event::GameFinished { game: finished, .. } => {
                self.running.dec();
                let reason = finished.result.as_ref().map(|result| result.reason.clone()).unwrap_or_default();
                self.games.get_or_create(&OutcomeLabel { game: game.0.clone(), reason }).inc();
            }
            Event::SetFinished { end } => {
                let ended = if end.result.is_some() { SetStatus::Finished } else { SetStatus::Aborted };
                let name = if ended == SetStatus::Finished { "finished" } else { "aborted" };
                self.sets.get_or_create(&status(name)).inc();
            }
            Event::ClockCredited { .. } => {
                self.credited.inc();
            }
            Event::PauseChanged { .. } => {}
        }
    }

    /// Counts a challenge that was opened.
    pub fn challenge(&self, game: &GameId) {
        self.challenges.get_or_create(&GameLabel { game: game.0.clone() }).inc();
    }

    /// A move was decided and is durable.
    pub fn decided(&self, elapsed: Duration) {
        observe(&self.decision, elapsed);
    }

    /// A flag is durable so long after its deadline.
    pub fn flag(&self, late_by: DurationMs) {
        self.flag_lateness.observe(late_by.to_std().as_secs_f64());
    }

    /// A batch was written.
    pub fn batch(&self, size: usize, elapsed: Duration) {
        self.batch_size.observe(u32::try_from(size).map_or(f64::MAX, f64::from));
        observe(&self.batch_time, elapsed);
    }

    /// What there is in the database.
    pub fn standing(&self, active_sets: i64, open_challenges: i64) {
        self.active_sets.set(active_sets);
        self.open_challenges.set(open_challenges);
    }

    /// So many events were deleted for their age.
    pub fn forgotten(&self, events: u64) {
        self.events_forgotten.inc_by(events);
    }

    /// What waits in the outbox.
    pub fn outbox(&self, waiting: i64, age: DurationMs) {
        self.outbox_waiting.set(waiting);
        self.outbox_age.set(age.to_std().as_secs_f64());
    }

    /// A move that was stamped so long ago is durable.
    pub fn stamp_to_commit(&self, elapsed: DurationMs) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let next = recent.next;
        if recent.values_ms.len() < WINDOW {
            recent.values_ms.push(elapsed.0);
        } else {
            recent.values_ms[next] = elapsed.0;
        }
        recent.next = (next + 1) % WINDOW;
    }

    /// The 99th percentile of recent times from stamp to commit, in milliseconds.
    #[must_use]
    pub fn stamp_to_commit_p99_ms(&self) -> i64 {
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let mut values_ms = recent.values_ms.clone();
        drop(recent);
        if values_ms.is_empty() {
            return 0;
        }
        let rank = (values_ms.len() * 99).div_ceil(100) - 1;
        *values_ms.select_nth_unstable(rank).1
    }
}
