//! Settings of the gateway. Each has a flag and an environment variable; all but the database have a default.
//!
//! Not here: where it listens, which the kit asks of every service.

use farside_kit::config::{
    BusArgs, ConfigFault, DatabaseArgs, LedgerUpstream, MatchUpstream, RatingUpstream, RulesUpstream, UpstreamTokens,
    Validate,
};

/// Settings of the gateway.
#[derive(Clone, Debug, clap::Args)]
pub struct Config {
    /// The database of identity.
    #[command(flatten)]
    pub database: DatabaseArgs,
    /// Redis, for limits that replicas share.
    #[command(flatten)]
    pub redis: BusArgs,
    /// The token at the other services.
    #[command(flatten)]
    pub token: UpstreamTokens,
    /// match-svc.
    #[command(flatten)]
    pub matches: MatchUpstream,
    /// ledger-svc.
    #[command(flatten)]
    pub ledger: LedgerUpstream,
    /// rating-svc.
    #[command(flatten)]
    pub rating: RatingUpstream,
    /// rules-svc.
    #[command(flatten)]
    pub rules: RulesUpstream,
    /// What the public may do.
    #[command(flatten)]
    pub public: PublicArgs,
}

/// What the public may do.
#[derive(Clone, Debug, clap::Args)]
pub struct PublicArgs {
    /// Points that a new player is granted; 0 where points are worth something
    #[arg(long, env = "FARSIDE_SIGNUP_GRANT", default_value_t = 1_000)]
    pub signup_grant: i64,
    /// Requests per second for each key
    #[arg(long, env = "FARSIDE_KEY_RATE", default_value_t = 100)]
    pub key_rate: u32,
    /// Requests that a key may send at once
    #[arg(long, env = "FARSIDE_KEY_BURST", default_value_t = 500)]
    pub key_burst: u32,
    /// Requests per second for each address without a key
    #[arg(long, env = "FARSIDE_ADDRESS_RATE", default_value_t = 100)]
    pub address_rate: u32,
    /// Requests that an address may send at once without a key
    #[arg(long, env = "FARSIDE_ADDRESS_BURST", default_value_t = 500)]
    pub address_burst: u32,
    /// Milliseconds after which an address may sign up one more player
    #[arg(long, env = "FARSIDE_SIGNUP_INTERVAL_MS", default_value_t = 2_000)]
    pub signup_interval_ms: u32,
    /// Players that an address may sign up at once
    #[arg(long, env = "FARSIDE_SIGNUP_BURST", default_value_t = 30)]
    pub signup_burst: u32,
    /// Milliseconds after which a key may ask for one more analysis
    #[arg(long, env = "FARSIDE_ANALYSIS_INTERVAL_MS", default_value_t = 1_000)]
    pub analysis_interval_ms: u32,
    /// Analyses that a key may ask for at once
    #[arg(long, env = "FARSIDE_ANALYSIS_BURST", default_value_t = 10)]
    pub analysis_burst: u32,
    /// Streams that a key may hold; beyond, the oldest is closed
    #[arg(long, env = "FARSIDE_STREAMS_PER_KEY", default_value_t = 16)]
    pub streams_per_key: u32,
    /// Streams that an address may hold without a key; beyond, the oldest is closed
    #[arg(long, env = "FARSIDE_STREAMS_PER_ADDRESS", default_value_t = 256)]
    pub streams_per_address: u32,
    /// Long polls that a key may hold; beyond, the oldest is answered at once
    #[arg(long, env = "FARSIDE_POLLS_PER_KEY", default_value_t = 16)]
    pub polls_per_key: u32,
    /// Requests under way at once; beyond, requests are answered 503 at once
    #[arg(long, env = "FARSIDE_REQUESTS_AT_ONCE", default_value_t = 4_096)]
    pub requests_at_once: u32,
    /// Take the client's address from the last `X-Forwarded-For`: only behind a proxy that sets it
    #[arg(long, env = "FARSIDE_TRUST_FORWARDED", default_value_t = false)]
    pub trust_forwarded: bool,
    /// Browsers reach the gateway through TLS: session cookies are sent over nothing else
    #[arg(long, env = "FARSIDE_BEHIND_TLS", default_value_t = false)]
    pub behind_tls: bool,
}

impl Default for PublicArgs {
    fn default() -> Self {
        Self {
            signup_grant: 1_000,
            key_rate: 100,
            key_burst: 500,
            address_rate: 100,
            address_burst: 500,
            signup_interval_ms: 2_000,
            signup_burst: 30,
            analysis_interval_ms: 1_000,
            analysis_burst: 10,
            streams_per_key: 16,
            streams_per_address: 256,
            polls_per_key: 16,
            requests_at_once: 4_096,
            trust_forwarded: false,
            behind_tls: false,
        }
    }
}

impl Config {
    /// Every default, over this database, with the other services in this process.
    #[must_use]
    pub fn in_process(database: DatabaseArgs) -> Self {
        Self {
            database,
            redis: BusArgs::default(),
            token: UpstreamTokens::default(),
            matches: MatchUpstream::default(),
            ledger: LedgerUpstream::default(),
            rating: RatingUpstream::default(),
            rules: RulesUpstream::default(),
            public: PublicArgs::default(),
        }
    }
}

impl Validate for Config {
    fn validate(&self) -> Result<(), ConfigFault> {
        self.database.validate()?;
        self.redis.validate()?;
        self.public.validate()
    }
}

impl Validate for PublicArgs {
    fn validate(&self) -> Result<(), ConfigFault> {
        if !(0..=1_000_000_000).contains(&self.signup_grant) {
            return Err(ConfigFault::new("--signup-grant", "must be from 0 to 1000000000"));
        }
        let positive = [
            ("--key-rate", self.key_rate),
            ("--key-burst", self.key_burst),
            ("--address-rate", self.address_rate),
            ("--address-burst", self.address_burst),
            ("--signup-interval-ms", self.signup_interval_ms),
            ("--signup-burst", self.signup_burst),
            ("--analysis-interval-ms", self.analysis_interval_ms),
            ("--analysis-burst", self.analysis_burst),
            ("--streams-per-key", self.streams_per_key),
            ("--streams-per-address", self.streams_per_address),
            ("--polls-per-key", self.polls_per_key),
            ("--requests-at-once", self.requests_at_once),
        ];
        match positive.into_iter().find(|(_, value)| *value == 0) {
            Some((setting, _)) => Err(ConfigFault::new(setting, "must be at least 1")),
            None => Ok(()),
        }
    }
}
