//! Two bots of two owners on one platform, and a whole set between them through the public API.

use farside::{
    chooser,
    client::{Client, ClientError},
};
use farside_kit::testing::unique_name;
use serde_json::{Value, json};

use crate::wait;

/// A bot with its key, and its owner with the owner's.
#[derive(Debug, Clone)]
pub struct Bot {
    /// `bot_…`.
    pub id: String,
    /// Called with the bot's key.
    pub client: Client,
    /// Called with the owner's key.
    pub owner: Client,
}

impl Bot {
    /// Signs an owner up and makes its bot.
    pub async fn join(url: &str) -> Self {
        let anyone = Client::new(url).expect("a client");
        let (_, owner) = anyone.sign_up(&name()).await.expect("signing up");
        let (id, client) = owner.make_bot(&name()).await.expect("making a bot");
        Self { id, client, owner }
    }

    /// Available and held points.
    pub async fn points(&self) -> (i64, i64) {
        let balance = self.client.get("/v1/me/balance").await.expect("a balance");
        let points = |kind: &str| balance["PTS"][kind].as_i64().expect("points");
        (points("available"), points("held"))
    }

    /// The bot's standing in a game, or null.
    pub async fn standing(&self, game: &str) -> Value {
        let profile = self.client.get(&format!("/v1/bots/{}", self.id)).await.expect("a profile");
        let ratings = profile["ratings"].as_array().expect("ratings");
        ratings.iter().find(|rating| rating["game"] == game).cloned().unwrap_or(Value::Null)
    }

    /// Plays a legal move in every game where this bot is to act; true when there was one.
    ///
    /// # Errors
    /// What the platform refused, or that it could not be reached.
    pub async fn play_turns(&self) -> Result<bool, ClientError> {
        let answer = self.client.get("/v1/me/turns").await?;
        let turns = answer["turns"].as_array().expect("turns");
        for turn in turns {
            self.play(turn).await?;
        }
        Ok(!turns.is_empty())
    }

    /// Plays one turn and returns the game after it.
    ///
    /// # Errors
    /// What the platform refused, or that it could not be reached.
    pub async fn play(&self, turn: &Value) -> Result<Value, ClientError> {
        let (seat, ply) = (turn["seat"].as_u64().expect("a seat"), turn["ply"].as_u64().expect("a ply"));
        let choice = chooser::choose(&turn["state"], seat, ply).expect("a legal move");
        let set = turn["set_id"].as_str().expect("a set");
        let body = json!({ "game": turn["game"], "ply": ply, "move": choice });
        self.client.post(&format!("/v1/sets/{set}/moves"), body).await
    }
}

/// A name that nobody else has, within the 32 characters of a name.
#[must_use]
pub fn name() -> String {
    let mut name = unique_name().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    name.truncate(32);
    name
}

/// Lets `creator` challenge with `wish` and `acceptor` accept; returns the set.
pub async fn agree(creator: &Bot, acceptor: &Bot, wish: Value) -> Value {
    let made = creator.client.post("/v1/challenges", wish).await.expect("a challenge");
    let challenge = made["challenge"]["id"].as_str().expect("an id");
    let path = format!("/v1/challenges/{challenge}/accept");
    acceptor.client.post(&path, json!({})).await.expect("an accepted challenge")["set"].clone()
}

/// Plays a set to its end and returns it once its stakes are where they belong.
pub async fn play_out(one: &Bot, other: &Bot, set_id: &str) -> Value {
    let path = format!("/v1/sets/{set_id}");
    while one.client.get(&path).await.expect("a set")["status"] == "active" {
        one.play_turns().await.expect("legal moves");
        other.play_turns().await.expect("legal moves");
    }
    wait::until("the set to be settled", async || {
        let set = one.client.get(&path).await.expect("a set");
        (set["settlement"] != "pending").then_some(set)
    })
    .await
}
