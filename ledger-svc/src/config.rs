//! The ledger's settings.
//!
//! Not here: where it listens and what it logs; the kit's groups have that.

use std::time::Duration;

use clap::Args;
use farside_kit::config::{ConfigFault, DatabaseArgs, Validate};
use farside_kit::time::DurationMs;

use crate::domain::currency::CurrencyTable;
use crate::engine::auditor::Rhythm;
use crate::engine::batcher::Sizes;

/// Settings of ledger-svc.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Where the ledger is kept.
    #[command(flatten)]
    pub database: DatabaseArgs,
    /// Currencies: `CODE:MIN_STAKE-MAX_STAKE:FEE_BASIS_POINTS`, separated by commas
    #[arg(long, env = "FARSIDE_CURRENCIES", default_value = Config::CURRENCIES)]
    pub currencies: CurrencyTable,
    /// How many postings may wait before more are refused
    #[arg(long, env = "FARSIDE_LEDGER_QUEUE", default_value_t = Config::QUEUE_POSTINGS)]
    pub ledger_queue: usize,
    /// How many postings share a transaction
    #[arg(long, env = "FARSIDE_LEDGER_BATCH", default_value_t = Config::BATCH_POSTINGS)]
    pub ledger_batch: usize,
    /// How many milliseconds the audit rests between looks at what changed
    #[arg(long, env = "FARSIDE_LEDGER_AUDIT_INTERVAL_MS", default_value_t = Config::AUDIT_INTERVAL_MS)]
    pub ledger_audit_interval_ms: u64,
    /// How many seconds the audit waits between looks at everything
    #[arg(long, env = "FARSIDE_LEDGER_FULL_AUDIT_INTERVAL_S", default_value_t = Config::FULL_AUDIT_INTERVAL_S)]
    pub ledger_full_audit_interval_s: u32,
}

impl Config {
    /// The currency table unless another one is given.
    pub const CURRENCIES: &'static str = "PTS:10-1000:0";
    const QUEUE_POSTINGS: usize = 4_096;
    const BATCH_POSTINGS: usize = 200;
    const AUDIT_INTERVAL_MS: u64 = 5_000;
    const FULL_AUDIT_INTERVAL_S: u32 = 3_600;

    /// The usual settings with this database.
    #[must_use]
    pub fn new(database: DatabaseArgs) -> Self {
        Self {
            database,
            currencies: Self::CURRENCIES.parse().expect("the usual table is one"),
            ledger_queue: Self::QUEUE_POSTINGS,
            ledger_batch: Self::BATCH_POSTINGS,
            ledger_audit_interval_ms: Self::AUDIT_INTERVAL_MS,
            ledger_full_audit_interval_s: Self::FULL_AUDIT_INTERVAL_S,
        }
    }

    pub(crate) fn sizes(&self) -> Sizes {
        // SQLite has one writer. On PostgreSQL a batch is decided while the one before is made durable.
        let workers = if self.database.is_sqlite() { 1 } else { 2 };
        Sizes { queue_postings: self.ledger_queue, batch_postings: self.ledger_batch, workers }
    }

    pub(crate) fn rhythm(&self) -> Rhythm {
        Rhythm {
            interval: Duration::from_millis(self.ledger_audit_interval_ms),
            full_interval: DurationMs::from_seconds(self.ledger_full_audit_interval_s.into()),
        }
    }
}

impl Validate for Config {
    fn validate(&self) -> Result<(), ConfigFault> {
        self.database.validate()?;
        let checks = [
            ("--ledger-queue", (1..=1_000_000).contains(&self.ledger_queue), "must be from 1 to 1000000"),
            ("--ledger-batch", (1..=1_000).contains(&self.ledger_batch), "must be from 1 to 1000"),
            ("--ledger-audit-interval-ms", self.ledger_audit_interval_ms > 0, "must be above 0"),
            ("--ledger-full-audit-interval-s", self.ledger_full_audit_interval_s > 0, "must be above 0"),
        ];
        match checks.into_iter().find(|(_, holds, _)| !holds) {
            Some((setting, _, problem)) => Err(ConfigFault::new(setting, problem)),
            None => Ok(()),
        }
    }
}
