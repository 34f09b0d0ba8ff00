//! What rules-svc says about states, remembered: equal states have equal positions, so nothing here can be stale.

use std::sync::Arc;

use moka::future::Cache;

use crate::domain::event::Logged;
use crate::domain::fault::MatchFault;
use crate::domain::ids::GameId;
use crate::domain::position::Position;
use crate::domain::set::Set;
use crate::store::{FramedLogged, FramedSet, Hydrate};
use crate::upstream::Rules;

/// Positions by game and state.
#[derive(Clone, Debug)]
pub(super) struct Positions {
    rules: Rules,
    known: Cache<(GameId, Vec<u8>), Arc<Position>>,
}

impl Positions {
    pub(super) fn new(rules: Rules, capacity: u64) -> Self {
        Self { rules, known: Cache::new(capacity) }
    }

    /// Remembers a position that rules-svc has just described.
    pub(super) async fn keep(&self, game: &GameId, position: &Arc<Position>) {
        self.known.insert((game.clone(), position.state.clone()), Arc::clone(position)).await;
    }

    /// Describes a state.
    pub(super) async fn of(&self, game: &GameId, state: &[u8]) -> Result<Arc<Position>, MatchFault> {
        let key = (game.clone(), state.to_vec());
        if let Some(known) = self.known.get(&key).await {
            return Ok(known);
        }
        let position = Arc::new(self.rules.describe(game, state).await?);
        self.known.insert(key, Arc::clone(&position)).await;
        Ok(position)
    }

    async fn all<'a>(
        &self,
        game: &GameId,
        states: impl Iterator<Item = &'a [u8]> + Send,
    ) -> Result<Hydrate, MatchFault> {
        let mut positions = Hydrate::new();
        for state in states {
            if !positions.contains_key(state) {
                positions.insert(state.to_vec(), self.of(game, state).await?);
            }
        }
        Ok(positions)
    }

    /// Fills a set's positions in.
    pub(super) async fn hydrate_set(&self, framed: FramedSet) -> Result<Set, MatchFault> {
        let game = framed.info().game.clone();
        let states: Vec<Vec<u8>> = framed.states().map(<[u8]>::to_vec).collect();
        let positions = self.all(&game, states.iter().map(Vec::as_slice)).await?;
        framed.hydrate(&positions).ok_or_else(lacking)
    }

    /// Fills an event's position in.
    pub(super) async fn hydrate_event(&self, game: &GameId, framed: FramedLogged) -> Result<Logged, MatchFault> {
        let state = framed.state().map(<[u8]>::to_vec);
        let positions = self.all(game, state.iter().map(Vec::as_slice)).await?;
        framed.hydrate(&positions).ok_or_else(lacking)
    }
}

fn lacking() -> MatchFault {
    MatchFault::internal("a state was not described")
}
