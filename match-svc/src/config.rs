//! Settings of match-svc, each a flag with an environment variable. Not here: those that every service has.

use farside_kit::config::{
    BusArgs, ConfigFault, DatabaseArgs, LedgerUpstream, RatingUpstream, RulesUpstream, Secret, UpstreamTokens, Validate,
};
use farside_kit::time::DurationMs;

use crate::domain::offer::EXPIRY_MAX_S;
use crate::domain::outage::OutagePolicy;
use crate::engine::Settings;

/// Seconds of a day.
const DAY_S: i64 = 86_400;
/// A century: longer is never.
const EVENTS_KEPT_DAYS_MAX: u32 = 36_500;

/// Settings of match-svc.
#[derive(Clone, Debug, clap::Args)]
pub struct Config {
    /// The database
    #[command(flatten)]
    pub database: DatabaseArgs,
    /// Announcements between replicas
    #[command(flatten)]
    pub bus: BusArgs,
    /// How this service makes itself known
    #[command(flatten)]
    pub tokens: UpstreamTokens,
    /// rules-svc
    #[command(flatten)]
    pub rules: RulesUpstream,
    /// ledger-svc
    #[command(flatten)]
    pub ledger: LedgerUpstream,
    /// rating-svc
    #[command(flatten)]
    pub rating: RatingUpstream,
    /// Numbers
    #[command(flatten)]
    pub play: PlayArgs,
}

/// Numbers of the lobby, the clocks and the engine.
#[derive(Clone, Debug, clap::Args)]
pub struct PlayArgs {
    /// Ed25519 key that signs records: 64 hex digits; without it, one is drawn and kept in the database
    #[arg(long, env = "FARSIDE_SIGNING_KEY", hide_env_values = true)]
    pub signing_key: Option<Secret>,
    /// Seconds that a challenge stands unless it says so
    #[arg(long, env = "FARSIDE_CHALLENGE_EXPIRY_S", default_value_t = 600)]
    pub challenge_expiry_s: u32,
    /// Active sets and open challenges together that one participant may have
    #[arg(long, env = "FARSIDE_SET_LIMIT", default_value_t = 32)]
    pub set_limit: u32,
    /// Milliseconds after a deadline at which a flag falls at the earliest
    #[arg(long, env = "FARSIDE_FLAG_GRACE_MS", default_value_t = 50)]
    pub flag_grace_ms: u32,
    /// Seconds of outage after which timed sets are aborted
    #[arg(long, env = "FARSIDE_OUTAGE_ABORT_S", default_value_t = 600)]
    pub outage_abort_s: u32,
    /// Moves that may wait to be written
    #[arg(long, env = "FARSIDE_COMMIT_QUEUE", default_value_t = 8_192)]
    pub commit_queue: usize,
    /// Moves written together at most
    #[arg(long, env = "FARSIDE_COMMIT_BATCH", default_value_t = 256)]
    pub commit_batch: usize,
    /// Transactions of moves under way at once; more than one helps only where one waits long for its disk
    #[arg(long, env = "FARSIDE_COMMIT_WRITERS", default_value_t = 1)]
    pub commit_writers: usize,
    /// Days after which the events of an ended set are deleted; record, result and statistics stay. Never unless set
    #[arg(long, env = "FARSIDE_EVENTS_KEPT_DAYS")]
    pub events_kept_days: Option<u32>,
    /// House bots that think at once
    #[arg(long, env = "FARSIDE_HOUSE_WORKERS", default_value_t = 2)]
    pub house_workers: usize,
    /// Sets kept in memory
    #[arg(long, env = "FARSIDE_CACHED_SETS", default_value_t = 20_000)]
    pub cached_sets: u64,
}

impl Default for PlayArgs {
    fn default() -> Self {
        Self {
            signing_key: None,
            challenge_expiry_s: 600,
            set_limit: 32,
            flag_grace_ms: 50,
            outage_abort_s: 600,
            commit_queue: 8_192,
            commit_batch: 256,
            commit_writers: 1,
            events_kept_days: None,
            house_workers: 2,
            cached_sets: 20_000,
        }
    }
}

impl Config {
    /// The usual numbers on this database.
    #[must_use]
    pub fn new(database: DatabaseArgs) -> Self {
        Self {
            database,
            bus: BusArgs::default(),
            tokens: UpstreamTokens::default(),
            rules: RulesUpstream::default(),
            ledger: LedgerUpstream::default(),
            rating: RatingUpstream::default(),
            play: PlayArgs::default(),
        }
    }

    /// The engine's numbers.
    #[must_use]
    pub fn settings(&self) -> Settings {
        let play = &self.play;
        let usual = Settings::default();
        Settings {
            challenge_expiry_s: play.challenge_expiry_s,
            set_limit: play.set_limit,
            grace: DurationMs(play.flag_grace_ms.into()),
            outages: OutagePolicy {
                abort_after: DurationMs::from_seconds(play.outage_abort_s.into()),
                ..usual.outages
            },
            queue: play.commit_queue,
            batch: play.commit_batch,
            writers: play.commit_writers,
            events_kept: play.events_kept_days.map(|days| DurationMs::from_seconds(i64::from(days) * DAY_S)),
            house_workers: play.house_workers,
            cached_sets: play.cached_sets,
            ..usual
        }
    }
}

impl Validate for Config {
    fn validate(&self) -> Result<(), ConfigFault> {
        self.database.validate()?;
        self.bus.validate()?;
        self.play.validate()
    }
}

impl Validate for PlayArgs {
    fn validate(&self) -> Result<(), ConfigFault> {
        let key = self.signing_key.as_ref().map(Secret::reveal);
        if key.is_some_and(|key| key.len() != 64 || !key.bytes().all(|byte| byte.is_ascii_hexdigit())) {
            return Err(ConfigFault::new("--signing-key", "must be 64 hex digits"));
        }
        if !(1..=EXPIRY_MAX_S).contains(&self.challenge_expiry_s) {
            return Err(ConfigFault::new("--challenge-expiry-s", format!("must be from 1 to {EXPIRY_MAX_S}")));
        }
        if self.events_kept_days.is_some_and(|days| !(1..=EVENTS_KEPT_DAYS_MAX).contains(&days)) {
            return Err(ConfigFault::new("--events-kept-days", format!("must be from 1 to {EVENTS_KEPT_DAYS_MAX}")));
        }
        if self.flag_grace_ms > 2_000 {
            return Err(ConfigFault::new("--flag-grace-ms", "must be at most 2000"));
        }
        for (setting, value, max) in [
            ("--commit-queue", self.commit_queue, 1_000_000),
            ("--commit-batch", self.commit_batch, 1_000),
            ("--commit-writers", self.commit_writers, 64),
            ("--house-workers", self.house_workers, 64),
        ] {
            if !(1..=max).contains(&value) {
                return Err(ConfigFault::new(setting, format!("must be from 1 to {max}")));
            }
        }
        Ok(())
    }
}
