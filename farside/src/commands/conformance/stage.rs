//! Sets up the scripted games on the platform, in the bot's name, and watches them to their ends.
//!
//! Not here: what goes wrong in them.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use reqwest::Method;
use serde_json::{Value, json};

use super::log::{End, Ms, What};
use super::script::{Name, Script, Stage, clock};
use super::shared::Shared;
use crate::client::{Client, ClientError, text};

/// How often a game is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// A game of the catalogue that the bot plays.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    /// Its id.
    pub id: String,
    /// Whether both sides act at the same time.
    pub is_simultaneous: bool,
    /// The weakest house bot.
    pub level: String,
}

/// Who is under test, and what it plays.
#[derive(Debug)]
pub(crate) struct Tester {
    /// `bot_…`.
    pub bot_id: String,
    /// The bot's owner and the id of its key, when both were made for this.
    pub owner: Option<(Client, String)>,
    /// What it plays.
    pub games: Vec<Game>,
    /// Options for the game with turns.
    pub options: Option<Value>,
    /// How long a bot may ask nothing while a game of its own goes on.
    pub patience: Duration,
}

impl Tester {
    /// Whether there is what a script needs.
    pub(crate) fn can_play(&self, name: Name) -> bool {
        match Script::new(name, 0).stage {
            Stage::Turns { .. } => self.game(false).is_some(),
            Stage::Rounds => self.game(true).is_some(),
            Stage::Nothing(_) => true,
            Stage::Revoked(_) => self.owner.is_some(),
        }
    }

    fn game(&self, is_simultaneous: bool) -> Option<&Game> {
        self.games.iter().find(|game| game.is_simultaneous == is_simultaneous)
    }

    /// Plays a script from its beginning to its end.
    ///
    /// # Errors
    /// What the platform refuses.
    pub(crate) async fn play(&self, shared: &Arc<Shared>, script: Script) -> Result<()> {
        let (name, stage) = (script.name, script.stage);
        shared.director().begin(shared.now_ms(), script);
        match stage {
            Stage::Turns { whole_set } => self.play_game(shared, name, self.game(false), stage, whole_set).await,
            Stage::Rounds => self.play_game(shared, name, self.game(true), stage, false).await,
            Stage::Nothing(ms) => {
                tokio::time::sleep(Duration::from_millis(ms)).await;
                Ok(())
            }
            Stage::Revoked(ms) => self.revoke(ms).await,
        }
    }

    async fn revoke(&self, ms: u64) -> Result<()> {
        if let Some((owner, key_id)) = &self.owner {
            let path = format!("/v1/bots/{}/keys/{key_id}", self.bot_id);
            owner.call(Method::DELETE, &path, None).await.context("revoking the bot's key")?;
        }
        tokio::time::sleep(Duration::from_millis(ms)).await;
        Ok(())
    }

    async fn play_game(
        &self,
        shared: &Arc<Shared>,
        name: Name,
        game: Option<&Game>,
        stage: Stage,
        whole_set: bool,
    ) -> Result<()> {
        let game = game.context("no game of this kind was named")?;
        let mut wish = json!({ "game": game.id, "opponent": format!("house:{}", game.level), "clock": clock(stage) });
        if !whole_set {
            wish["format"] = json!("single");
        }
        if let Some(options) = self.options.as_ref().filter(|_| !game.is_simultaneous) {
            wish["options"] = options.clone();
        }
        let made = shared.bot.post("/v1/challenges", wish).await.context("making a practice challenge")?;
        let set_id = text(&made["set"]["id"], "set.id")?;
        shared.director().plays(&set_id);
        let end = self.watch(shared, &set_id).await?;
        shared.director().note(shared.now_ms(), What::Ended { script: name, end });
        Ok(())
    }

    /// Waits until the set has ended, or the bot has been silent for too long; then its games are resigned.
    async fn watch(&self, shared: &Shared, set_id: &str) -> Result<End, ClientError> {
        let anyone = Client::new(shared.bot.base())?;
        let (mut plies, mut moved_ms) = (0, shared.now_ms());
        loop {
            let set = anyone.get(&format!("/v1/sets/{set_id}")).await?;
            if set["status"] != "active" {
                return Ok(End::Played { lost_by: self.lost_by(&set) });
            }
            let now_plies = played(&set);
            if now_plies != plies {
                (plies, moved_ms) = (now_plies, shared.now_ms());
            }
            if silent_ms(shared, moved_ms) > millis(self.patience) {
                give_up(shared, set_id, &set).await;
                return Ok(End::Abandoned);
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Why the bot lost the games that it lost.
    fn lost_by(&self, set: &Value) -> Vec<String> {
        let games = set["games"].as_array().into_iter().flatten();
        let lost = games.filter(|game| {
            let winner = game["result"]["winner"].as_u64().map(|seat| &game["seats"][seat.to_string()]);
            winner.is_some_and(|winner| *winner != json!(self.bot_id))
        });
        lost.filter_map(|game| game["result"]["reason"].as_str().map(str::to_owned)).collect()
    }
}

fn played(set: &Value) -> u64 {
    set["games"].as_array().into_iter().flatten().filter_map(|game| game["ply"].as_u64()).sum()
}

/// How long the bot has asked nothing while nothing was played.
fn silent_ms(shared: &Shared, moved_ms: Ms) -> Ms {
    let asked_ms = shared.director().log().last_asked_ms().unwrap_or(0);
    shared.now_ms().saturating_sub(moved_ms.max(asked_ms))
}

fn millis(duration: Duration) -> Ms {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

async fn give_up(shared: &Shared, set_id: &str, set: &Value) {
    let games = set["games"].as_array().map_or(0, Vec::len) as u64;
    for number in games..=2 {
        shared.resign(set_id, number).await;
    }
}
