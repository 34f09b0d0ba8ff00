//! Contracts and currencies, remembered for a while so that the lobby does not ask for them each time.

use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;

use crate::domain::fault::MatchFault;
use crate::domain::ids::GameId;
use crate::domain::offer::{CurrencyLimits, GameFacts};
use crate::upstream::{Ledger, Rules};

const GAMES_KEPT: Duration = Duration::from_secs(300);
const CURRENCIES_KEPT: Duration = Duration::from_secs(30);

/// What the lobby needs to know of games and currencies.
#[derive(Clone, Debug)]
pub(super) struct GameBook {
    rules: Rules,
    ledger: Ledger,
    games: Cache<GameId, Arc<GameFacts>>,
    currencies: Cache<(), Arc<Vec<CurrencyLimits>>>,
}

impl GameBook {
    pub(super) fn new(rules: Rules, ledger: Ledger) -> Self {
        let games = Cache::builder().max_capacity(256).time_to_live(GAMES_KEPT).build();
        let currencies = Cache::builder().max_capacity(1).time_to_live(CURRENCIES_KEPT).build();
        Self { rules, ledger, games, currencies }
    }

    pub(super) async fn facts(&self, game: &GameId) -> Result<Arc<GameFacts>, MatchFault> {
        if let Some(facts) = self.games.get(game).await {
            return Ok(facts);
        }
        let facts = Arc::new(self.rules.game(game).await?);
        self.games.insert(game.clone(), Arc::clone(&facts)).await;
        Ok(facts)
    }

    /// Forgets a contract and the currencies: they are asked for anew.
    pub(super) async fn forget(&self, game: &GameId) {
        self.games.invalidate(game).await;
        self.currencies.invalidate(&()).await;
    }

    pub(super) async fn currency(&self, code: &str) -> Result<Option<CurrencyLimits>, MatchFault> {
        let currencies = match self.currencies.get(&()).await {
            Some(currencies) => currencies,
            None => {
                let currencies = Arc::new(self.ledger.currencies().await?);
                self.currencies.insert((), Arc::clone(&currencies)).await;
                currencies
            }
        };
        Ok(currencies.iter().find(|currency| currency.code == code).cloned())
    }
}
