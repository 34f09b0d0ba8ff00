//! What every handler shares: identity, the other services, limits, streams, the clock.
//!
//! Not here: routes, and how any of it is started.

use std::sync::Arc;
use std::time::Duration;

use farside_kit::admin::Readiness;
use farside_kit::fault::Remote;
use farside_kit::shutdown::Shutdown;
use farside_kit::time::SharedClock;
use farside_proto::ledger::v1::{Currency, ListCurrenciesRequest};
use farside_proto::rules::v1::{GameContract, ListGamesRequest};
use moka::future::Cache;
use tokio::sync::Semaphore;

use crate::config::PublicArgs;
use crate::identity::Identity;
use crate::limits::{Limits, Quota};
use crate::metrics::GatewayMetrics;
use crate::streams::{Hub, Streams};
use crate::upstream::Upstream;

/// How long the catalogue and the currencies are kept: they change with a release or a configuration.
const CATALOGUE_TTL: Duration = Duration::from_secs(10);

/// The quotas of the public API.
#[derive(Clone, Copy, Debug)]
pub struct Quotas {
    /// Requests of a key.
    pub key: Quota,
    /// Requests of an address without a key.
    pub address: Quota,
    /// Players signed up from an address.
    pub sign_up: Quota,
    /// Analyses of a key.
    pub analysis: Quota,
}

impl From<&PublicArgs> for Quotas {
    fn from(args: &PublicArgs) -> Self {
        Self {
            key: Quota::per_second("key", args.key_rate, args.key_burst),
            address: Quota::per_second("address", args.address_rate, args.address_burst),
            sign_up: Quota::every_ms("sign-up", args.signup_interval_ms, args.signup_burst),
            analysis: Quota::every_ms("analysis", args.analysis_interval_ms, args.analysis_burst),
        }
    }
}

/// What every handler shares.
#[derive(Debug)]
pub struct App {
    /// Players, bots and keys.
    pub identity: Identity,
    /// The other services.
    pub upstream: Upstream,
    /// Limits.
    pub limits: Limits,
    /// The quotas.
    pub quotas: Quotas,
    /// Streams that are open.
    pub streams: Streams,
    /// Sets that streams follow.
    pub hub: Hub,
    /// Requests that may be under way at once.
    pub at_once: Arc<Semaphore>,
    /// The time.
    pub clock: SharedClock,
    /// Metrics.
    pub metrics: GatewayMetrics,
    /// Checks of `/readyz`.
    pub readiness: Readiness,
    /// The request to stop.
    pub shutdown: Shutdown,
    /// Whether a proxy tells the client's address.
    pub trust_forwarded: bool,
    /// Contracts and currencies.
    pub catalogue: Catalogue,
}

/// A shared handle.
pub type SharedApp = Arc<App>;

impl App {
    /// The present moment, in milliseconds.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        self.clock.now().0
    }
}

/// Contracts and currencies, kept for a while.
#[derive(Debug)]
pub struct Catalogue {
    games: Cache<(), Arc<Vec<GameContract>>>,
    currencies: Cache<(), Arc<Vec<Currency>>>,
}

impl Default for Catalogue {
    fn default() -> Self {
        Self {
            games: Cache::builder().max_capacity(1).time_to_live(CATALOGUE_TTL).build(),
            currencies: Cache::builder().max_capacity(1).time_to_live(CATALOGUE_TTL).build(),
        }
    }
}

impl App {
    /// All contracts in catalogue order.
    ///
    /// # Errors
    ///
    /// What rules-svc says.
    pub async fn games(&self) -> Result<Arc<Vec<GameContract>>, Remote> {
        if let Some(games) = self.catalogue.games.get(&()).await {
            return Ok(games);
        }
        let games = Arc::new(self.upstream.rules.list_games(ListGamesRequest {}).await?.games);
        self.catalogue.games.insert((), Arc::clone(&games)).await;
        Ok(games)
    }

    /// All currencies.
    ///
    /// # Errors
    ///
    /// What ledger-svc says.
    pub async fn currencies(&self) -> Result<Arc<Vec<Currency>>, Remote> {
        if let Some(currencies) = self.catalogue.currencies.get(&()).await {
            return Ok(currencies);
        }
        let answer = self.upstream.ledger.list_currencies(ListCurrenciesRequest {}).await?;
        let currencies = Arc::new(answer.currencies);
        self.catalogue.currencies.insert((), Arc::clone(&currencies)).await;
        Ok(currencies)
    }
}
