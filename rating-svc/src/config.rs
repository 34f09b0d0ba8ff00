//! The settings of rating-svc.

use clap::Args;
use farside_kit::config::{BusArgs, ConfigFault, DatabaseArgs, Validate};

/// Settings of rating-svc, each with an environment variable.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// The database.
    #[command(flatten)]
    pub database: DatabaseArgs,
    /// Redis, for the leaderboard cache; without it, leaderboards are read from the database.
    #[command(flatten)]
    pub bus: BusArgs,
    /// How names of keys in Redis begin
    #[arg(long, env = "FARSIDE_RATING_CACHE_PREFIX", default_value = Config::CACHE_PREFIX)]
    pub rating_cache_prefix: String,
}

impl Config {
    /// How names of keys in Redis begin unless something else is asked for.
    pub const CACHE_PREFIX: &str = "farside:rating";

    /// Ratings in this database, without a cache.
    #[must_use]
    pub fn new(database: DatabaseArgs) -> Self {
        Self { database, bus: BusArgs::default(), rating_cache_prefix: Self::CACHE_PREFIX.to_owned() }
    }
}

impl Validate for Config {
    fn validate(&self) -> Result<(), ConfigFault> {
        self.database.validate()?;
        self.bus.validate()?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b":_-.".contains(&byte);
        if self.rating_cache_prefix.is_empty() || !self.rating_cache_prefix.bytes().all(is_plain) {
            return Err(ConfigFault::new("--rating-cache-prefix", "must be letters, digits and :_-."));
        }
        Ok(())
    }
}
