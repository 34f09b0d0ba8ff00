//! The lines of a set: every position of every game, read from its events, for pages that show an earlier one.
//!
//! Not here: how a position is shown.

use std::collections::BTreeMap;
use std::time::Duration;

use farside_proto::matches::v1::{Set, WatchSetRequest, watch_set_response::Item};

use crate::api::json::game::GameState;
use crate::app::App;
use crate::problem::Problem;
use crate::streams::{Event, EventData};

/// How long the log of a set may take; what came until then is shown.
const PATIENCE: Duration = Duration::from_secs(5);

/// The positions of a set, by game and plies played.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    games: BTreeMap<u32, BTreeMap<u32, GameState>>,
}

impl Lines {
    /// The position of a game after so many plies.
    pub(super) fn at(&self, game: u32, ply: u32) -> Option<&GameState> {
        self.games.get(&game)?.get(&ply)
    }

    /// The positions of a game that followed a move, in order.
    pub(super) fn played(&self, game: u32) -> impl Iterator<Item = &GameState> {
        self.games.get(&game).into_iter().flat_map(BTreeMap::values).filter(|state| state.last_move.is_some())
    }

    /// The state that an event tells of takes its place; the last word on a position counts.
    pub(super) fn take(&mut self, event: EventData) {
        let state = match event {
            EventData::Played { state, .. }
            | EventData::Game { state, .. }
            | EventData::GameFinished { state, .. }
            | EventData::ClockCredited { state, .. } => state,
            _ => return,
        };
        self.games.entry(state.number).or_default().insert(state.ply, state);
    }
}

impl App {
    /// Reads the log of a set up to where the set stands.
    ///
    /// # Errors
    ///
    /// What match-svc says.
    pub(super) async fn lines(&self, set: &Set) -> Result<Lines, Problem> {
        let request = WatchSetRequest { set_id: set.id.clone(), after_seq: Some(0), viewer_id: String::new() };
        let mut log = self.upstream.matches.watch_set(request).await?;
        let mut lines = Lines::default();
        let read = async {
            while let Ok(Some(answer)) = log.message().await {
                let Some(Item::Event(event)) = answer.item else { continue };
                let seq = event.seq;
                if let Some(event) = Event::of_set(event, seq.to_string(), self.now_ms()) {
                    lines.take(event.data);
                }
                if seq >= set.last_seq {
                    break;
                }
            }
        };
        if tokio::time::timeout(PATIENCE, read).await.is_err() {
            tracing::warn!(set = %set.id, "the log of a set takes too long for its page");
        }
        Ok(lines)
    }
}
