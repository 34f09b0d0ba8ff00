//! The platform as five processes on PostgreSQL and Redis, with the settings that the README documents.
//!
//! They are started in no particular order and at once: whichever is up first waits for the others.

use crate::{
    TestDatabase,
    program::{Program, free_address},
    redis_server::RedisServer,
};

/// Who calls with which token: the README's names.
const TOKENS: &str = "match-svc=match-secret,gateway=gateway-secret";

/// Five services and what they stand on; all of it ends with it.
#[derive(Debug)]
pub struct Apart {
    /// rules-svc.
    pub rules: Program,
    /// match-svc.
    pub matches: Program,
    /// ledger-svc.
    pub ledger: Program,
    /// rating-svc.
    pub rating: Program,
    /// gateway.
    pub gateway: Program,
    /// The Redis of these five alone.
    pub redis: RedisServer,
    /// Their database; after the programs, so that it is dropped when nobody uses it any more.
    pub database: TestDatabase,
    url: String,
}

impl Apart {
    /// Describes the five processes and starts none of them, so that a test can change settings.
    pub async fn prepare() -> Self {
        let database = TestDatabase::postgres().await;
        let redis = RedisServer::start().await;
        let mut platform = Self {
            rules: Program::new("rules-svc"),
            matches: Program::new("match-svc"),
            ledger: Program::new("ledger-svc"),
            rating: Program::new("rating-svc"),
            gateway: Program::new("gateway"),
            redis,
            database,
            url: String::new(),
        };
        platform.connect();
        platform
    }

    /// Starts all five and waits until each is ready.
    pub async fn start() -> Self {
        let mut platform = Self::prepare().await;
        platform.start_all().await;
        platform
    }

    /// As [`Apart::prepare`] left it, possibly changed: starts all five and waits until each is ready.
    pub async fn start_all(&mut self) {
        for program in self.programs() {
            program.spawn();
        }
        for program in self.programs() {
            program.ready().await;
        }
    }

    /// Sets a variable for all five.
    pub fn set(&mut self, variable: &str, value: &str) {
        for program in self.programs() {
            program.set(variable, value);
        }
    }

    /// Has every trace sent to a collector, whole and soon.
    pub fn trace_to(&mut self, collector: &crate::collector::Collector) {
        self.set("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url());
        self.set("OTEL_TRACES_SAMPLER", "always_on");
        self.set("OTEL_BSP_SCHEDULE_DELAY", "100");
    }

    /// Where the public API is.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// All five; callers first, so that starting in this order proves that order does not matter.
    pub fn programs(&mut self) -> [&mut Program; 5] {
        [&mut self.gateway, &mut self.matches, &mut self.rating, &mut self.ledger, &mut self.rules]
    }

    /// Gives each an address, the addresses of the others, the database, Redis and the tokens.
    fn connect(&mut self) {
        let database = self.database.args().database_url.reveal().to_owned();
        let redis = self.redis.url();
        self.set("FARSIDE_SERVICE_TOKENS", TOKENS);
        self.set("FARSIDE_LOG_LEVEL", "info");
        for program in [&mut self.gateway, &mut self.matches, &mut self.ledger, &mut self.rating] {
            program.set("FARSIDE_DATABASE_URL", &database).set("FARSIDE_REDIS_URL", &redis);
        }
        self.matches.set("FARSIDE_SERVICE_TOKEN", "match-secret");
        self.gateway.set("FARSIDE_SERVICE_TOKEN", "gateway-secret");
        let listeners = [
            ("FARSIDE_RULES_URL", &mut self.rules),
            ("FARSIDE_MATCH_URL", &mut self.matches),
            ("FARSIDE_LEDGER_URL", &mut self.ledger),
            ("FARSIDE_RATING_URL", &mut self.rating),
        ];
        let urls = listeners.map(|(variable, program)| (variable, listen(program)));
        for (variable, url) in urls {
            self.set(variable, &url);
        }
        self.url = listen(&mut self.gateway);
    }
}

/// Gives a program an address to listen on and returns it as a URL.
pub(crate) fn listen(program: &mut Program) -> String {
    let address = free_address();
    program.set("FARSIDE_LISTEN", &address.to_string());
    format!("http://{address}")
}
