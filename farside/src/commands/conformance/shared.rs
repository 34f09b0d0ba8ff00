//! What the proxy's connections share: the director, the platform behind it, the time.
//!
//! Not here: any decision; the director makes those.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use farside_kit::time::Stopwatch;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::ask::Played;
use super::director::Director;
use super::log::Ms;
use crate::client::Client;

/// Fields that change without there being any news.
const NO_NEWS: [&str; 2] = ["server_time", "cursor"];

/// What connections share.
#[derive(Debug)]
pub(crate) struct Shared {
    director: Mutex<Director>,
    clock: Stopwatch,
    said: Mutex<HashMap<String, u64>>,
    /// Told at each request of the bot.
    pub asked: Notify,
    /// The platform, called with the bot's key.
    pub bot: Client,
    /// Without redirects: the bot is to see them.
    pub http: reqwest::Client,
    /// An address that is not the platform's.
    pub elsewhere: String,
}

impl Shared {
    /// Nothing has been seen yet.
    pub(crate) fn new(bot: Client, http: reqwest::Client, elsewhere: String) -> Self {
        Self {
            director: Mutex::default(),
            clock: Stopwatch::start(),
            said: Mutex::default(),
            asked: Notify::new(),
            bot,
            http,
            elsewhere,
        }
    }

    /// The director, for one decision or note.
    pub(crate) fn director(&self) -> MutexGuard<'_, Director> {
        self.director.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Milliseconds since the start.
    pub(crate) fn now_ms(&self) -> Ms {
        u64::try_from(self.clock.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Whether this route said the very same before.
    pub(crate) fn is_stale(&self, target: &str, body: &Value) -> bool {
        let mut hasher = DefaultHasher::new();
        without_time(body.clone()).to_string().hash(&mut hasher);
        let digest = hasher.finish();
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        said.insert(target.to_owned(), digest) == Some(digest)
    }

    /// Resigns the game in the bot's name. What cannot be resigned has ended, which is what is wanted.
    pub(crate) async fn resign(&self, set_id: &str, game: u64) {
        let _ended = self.bot.post(&format!("/v1/sets/{set_id}/resign"), json!({ "game": game })).await;
    }

    /// Plays another legal move in the bot's name; when there is none, the bot's own move is the only one.
    pub(crate) async fn play_other(&self, played: &Played) {
        let path = format!("/v1/sets/{}", played.set_id);
        let Ok(set) = self.bot.get(&path).await else { return };
        let games = set["games"].as_array().cloned().unwrap_or_default();
        let moves = games.iter().find(|game| game["number"] == played.game).map(|game| &game["legal_moves"]);
        let other =
            moves.and_then(Value::as_array).and_then(|moves| moves.iter().find(|found| **found != played.choice));
        if let Some(other) = other {
            let body = json!({ "game": played.game, "ply": played.ply, "move": other });
            let _too_late = self.bot.post(&format!("{path}/moves"), body).await;
        }
    }
}

fn without_time(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|name, _| !NO_NEWS.contains(&name.as_str()));
            for field in fields.values_mut() {
                *field = without_time(field.take());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = without_time(item.take())),
        _ => {}
    }
    value
}
