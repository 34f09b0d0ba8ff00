//! Settings of rules-svc: how much it may think at once.

use farside_kit::config::{ConfigFault, Validate};

/// Settings of rules-svc.
#[derive(Clone, Debug, clap::Args)]
pub struct Config {
    /// Threads for analyses, and as many again for house bots; half the processors unless given
    #[arg(long, env = "FARSIDE_ANALYSIS_THREADS", default_value_t = default_threads(), hide_default_value = true)]
    pub analysis_threads: usize,
    /// Analyses that may wait for a thread; one more is refused
    #[arg(long, env = "FARSIDE_ANALYSIS_QUEUE", default_value_t = 32)]
    pub analysis_queue: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self { analysis_threads: default_threads(), analysis_queue: 32 }
    }
}

impl Validate for Config {
    fn validate(&self) -> Result<(), ConfigFault> {
        if !(1..=256).contains(&self.analysis_threads) {
            return Err(ConfigFault::new("--analysis-threads", "must be from 1 to 256"));
        }
        if self.analysis_queue > 10_000 {
            return Err(ConfigFault::new("--analysis-queue", "must be at most 10000"));
        }
        Ok(())
    }
}

/// Half the processors, so that checking moves always finds one.
fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |processors| (processors.get() / 2).max(1))
}
