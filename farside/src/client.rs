//! A small client of the public JSON API: what the demo, the exhibition bots and the end-to-end tests speak.
//!
//! It knows paths, keys and problems, and hands bodies on as JSON. It deliberately has no types of its own for sets
//! and games: it must be able to show whatever a platform answers.

use std::{fmt, time::Duration};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// The longest that one call may take; a long poll waits at most 60 s.
const CALL_TIMEOUT: Duration = Duration::from_secs(75);

/// What a call can end in besides an answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The platform refused the call.
    #[error("{0}")]
    Refused(Problem),
    /// The platform could not be reached, or the answer broke off.
    #[error("the platform did not answer")]
    Transport(#[from] reqwest::Error),
    /// The answer lacks something that the API promises.
    #[error("the answer has no `{0}`")]
    Missing(&'static str),
}

impl ClientError {
    /// The refusal's stable code, for example `not_your_turn`.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Refused(problem) => Some(&problem.code),
            Self::Transport(_) | Self::Missing(_) => None,
        }
    }
}

/// A refusal: `application/problem+json` as RFC 9457 describes it.
#[derive(Debug, Clone)]
pub struct Problem {
    /// HTTP status.
    pub status: StatusCode,
    /// Stable code.
    pub code: String,
    /// The whole body.
    pub body: Value,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let detail = self.body["detail"].as_str().unwrap_or_default();
        write!(f, "{} {}: {detail}", self.status.as_u16(), self.code)
    }
}

/// A caller of one platform, with or without a key.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    key: Option<String>,
}

impl Client {
    /// A caller without a key. `base` is the platform's address, for example `http://127.0.0.1:8080`.
    ///
    /// # Errors
    /// When the machine has no usable TLS set-up.
    pub fn new(base: &str) -> Result<Self, ClientError> {
        let http = reqwest::Client::builder().timeout(CALL_TIMEOUT).build()?;
        Ok(Self { http, base: base.trim_end_matches('/').to_owned(), key: None })
    }

    /// The same caller with a key.
    #[must_use]
    pub fn with_key(&self, key: &str) -> Self {
        Self { key: Some(key.to_owned()), ..self.clone() }
    }

    /// The platform's address.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Reads `path`, given from the root, for example `/v1/me`.
    ///
    /// # Errors
    /// A refusal, or no answer.
    pub async fn get(&self, path: &str) -> Result<Value, ClientError> {
        self.call(Method::GET, path, None).await
    }

    /// Posts `body` to `path`.
    ///
    /// # Errors
    /// A refusal, or no answer.
    pub async fn post(&self, path: &str, body: Value) -> Result<Value, ClientError> {
        self.call(Method::POST, path, Some(body)).await
    }

    /// Calls `path` with any method.
    ///
    /// # Errors
    /// A refusal, or no answer.
    pub async fn call(&self, method: Method, path: &str, body: Option<Value>) -> Result<Value, ClientError> {
        let mut request = self.http.request(method, format!("{}{path}", self.base));
        if let Some(key) = &self.key {
            request = request.bearer_auth(key);
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.send().await?;
        let status = response.status();
        let text = response.text().await?;
        let body: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
        if status.is_success() {
            return Ok(body);
        }
        let code = body["code"].as_str().unwrap_or("unknown").to_owned();
        Err(ClientError::Refused(Problem { status, code, body }))
    }

    /// Signs a player up and returns its id and a caller with its key.
    ///
    /// # Errors
    /// A refusal, or no answer.
    pub async fn sign_up(&self, name: &str) -> Result<(String, Self), ClientError> {
        let answer = self.post("/v1/players", json!({ "name": name })).await?;
        let id = text(&answer["player"]["id"], "player.id")?;
        Ok((id, self.with_key(&text(&answer["key"], "key")?)))
    }

    /// Makes a bot of this player and returns its id and a caller with the bot's key.
    ///
    /// # Errors
    /// A refusal, or no answer.
    pub async fn make_bot(&self, name: &str) -> Result<(String, Self), ClientError> {
        let answer = self.post("/v1/bots", json!({ "name": name })).await?;
        let id = text(&answer["bot"]["id"], "bot.id")?;
        Ok((id, self.with_key(&text(&answer["key"], "key")?)))
    }
}

/// Takes a text that the API promises at `place`.
///
/// # Errors
/// When it is not there.
pub fn text(value: &Value, place: &'static str) -> Result<String, ClientError> {
    value.as_str().map(str::to_owned).ok_or(ClientError::Missing(place))
}
