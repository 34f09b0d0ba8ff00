//! Games that a person has not finished: where they go on.
//!
//! Not here: resuming, which the page of the game does.

use farside_proto::matches::v1 as matches;
use futures::future::join_all;
use serde_json::Value;

use super::choice::Choice;
use crate::api::json::set::SetState;
use crate::app::App;
use crate::domain::account::Player;
use crate::pages::board::{self, View};
use crate::pages::words;

/// Most games that are offered; the limit of games at once is not much higher.
const SETS_MAX: u32 = 32;

/// A game to go on with.
pub(super) struct Unfinished {
    /// `set_…`.
    pub set_id: String,
    /// The game's name.
    pub game: &'static str,
    /// Board and level.
    pub choice: String,
    /// How far it is.
    pub length: String,
    /// Pictures of the boards.
    pub boards: Vec<board::Drawn>,
}

impl App {
    /// The games that a person has not finished, the newest first; none while match-svc does not answer.
    pub(super) async fn unfinished(&self, player: &Player) -> Vec<Unfinished> {
        let viewer_id = player.id.to_string();
        let request = matches::ListSetsRequest {
            status: matches::SetStatus::Active.into(),
            participant_id: viewer_id.clone(),
            limit: SETS_MAX,
            ..matches::ListSetsRequest::default()
        };
        let listed = self.upstream.matches.list_sets(request).await.unwrap_or_default();
        let own = |set: &matches::Set| {
            let is_practice = set.kind() == matches::ChallengeKind::Practice && set.games_total == 1;
            is_practice && set.creator.as_ref().is_some_and(|creator| creator.id == viewer_id)
        };
        let ids = listed.sets.iter().filter(|set| own(set)).map(|set| set.id.clone());
        let found = join_all(ids.map(|set_id| {
            let request = matches::GetSetRequest { set_id, viewer_id: viewer_id.clone() };
            self.upstream.matches.get_set(request)
        }));
        let sets = found.await.into_iter().filter_map(|answer| answer.ok()?.set);
        sets.filter_map(|set| Unfinished::of(&SetState::new(set, self.now_ms()))).collect()
    }
}

impl Unfinished {
    fn of(set: &SetState) -> Option<Self> {
        let choice = Choice::of(set)?;
        let game = set.games.first()?;
        let body: Value = serde_json::from_str(game.body.get()).ok()?;
        let things = if choice.is_makers() { "round" } else { "move" };
        Some(Self {
            set_id: set.id.clone(),
            game: choice.game_name(),
            choice: choice.words(),
            length: format!("{} played", words::count(game.ply, things)),
            boards: board::draw(&body, &View { mini: true, ..View::default() }),
        })
    }
}
