//! A change that a participant asks for, answered once for an idempotency key: the same request again gets the first
//! answer again, byte for byte, whatever has happened since.
//!
//! Not here: what is changed.

use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::extract::{IdempotencyKey, Key, Path};
use super::json::account::{BotMade, KeyMade};
use super::json::challenge::{ChallengeAndSet, ChallengeJson};
use super::json::set::SetState;
use crate::app::{App, SharedApp};
use crate::problem::Problem;
use crate::store::{Answer, Replay};

/// Something that may be answered again.
pub(crate) trait Repeatable: Serialize {
    /// Takes away what is shown but once; whether there was any.
    fn seal(&mut self) -> bool {
        false
    }
}

impl Repeatable for ChallengeAndSet {}
impl Repeatable for ChallengeJson {}
impl Repeatable for SetState {}

impl Repeatable for BotMade {
    fn seal(&mut self) -> bool {
        self.key.take().is_some()
    }
}

impl Repeatable for KeyMade {
    fn seal(&mut self) -> bool {
        self.key.take().is_some()
    }
}

impl App {
    /// Carries out `work`, or answers as the first time.
    ///
    /// # Errors
    ///
    /// `idempotency_mismatch`; what `work` says, which is not kept: a refused request has made nothing.
    pub(crate) async fn once<T: Repeatable>(
        &self,
        asked: Option<Replay>,
        status: StatusCode,
        work: impl Future<Output = Result<T, Problem>>,
    ) -> Result<Response, Problem> {
        let Some(asked) = asked else { return Ok((status, Json(work.await?)).into_response()) };
        if let Some(first) = self.identity.store().first_answer(&asked).await? {
            return Ok(again(first));
        }
        let mut made = work.await?;
        let shown = Answer { status: status.as_u16(), body: text(&made)? };
        let held_a_secret = made.seal();
        let kept =
            self.identity.store().keep_answer(asked, Answer { status: status.as_u16(), body: text(&made)? }).await;
        match kept {
            Ok(first) if !held_a_secret => Ok(again(first)),
            Ok(_) => Ok(again(shown)),
            // It is made, and whoever made it knows it again.
            Err(fault) => {
                tracing::warn!(%fault, "a first answer was not kept");
                Ok(again(shown))
            }
        }
    }
}

fn text(value: &impl Serialize) -> Result<String, Problem> {
    serde_json::to_string(value).map_err(|error| {
        tracing::error!(%error, "an answer cannot be written");
        Problem::internal()
    })
}

fn again(answer: Answer) -> Response {
    let json = [(CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    (status, json, answer.body).into_response()
}

/// A change of one thing, named by its id in the path.
#[derive(Debug)]
pub(crate) struct Change {
    app: SharedApp,
    key: Key,
    id: String,
    idempotency: IdempotencyKey,
    path: String,
}

/// What carries a change out knows.
#[derive(Debug)]
pub(crate) struct Asked {
    /// What every handler shares.
    pub app: SharedApp,
    /// Who asks.
    pub key: Key,
    /// What is to be changed.
    pub id: String,
    /// By which another service knows the request again.
    pub request_id: String,
}

impl FromRequestParts<SharedApp> for Change {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &SharedApp) -> Result<Self, Problem> {
        let key = Key::from_request_parts(parts, app).await?;
        let Path(id) = Path::<String>::from_request_parts(parts, app).await?;
        let idempotency = IdempotencyKey::from_request_parts(parts, app).await?;
        Ok(Self { app: app.clone(), key, id, idempotency, path: parts.uri.path().to_owned() })
    }
}

impl Change {
    /// Takes the body of a request about a set; one that does not fit is refused after whatever there is to say about the
    /// set and about who plays in it.
    ///
    /// # Errors
    ///
    /// `not_found`, `not_in_set`; that of the body.
    pub(crate) async fn fitting<T>(&self, body: Result<T, Problem>) -> Result<T, Problem> {
        self.app.fitting(&self.key, &self.id, body).await
    }

    /// Carries the change out once.
    ///
    /// # Errors
    ///
    /// `idempotency_mismatch`; what `work` says.
    pub(crate) async fn once<T, Fut>(self, content: &impl Serialize, work: impl FnOnce(Asked) -> Fut) -> Answered
    where
        T: Repeatable,
        Fut: Future<Output = Result<T, Problem>>,
    {
        let replay = self.idempotency.replay(&self.app, &self.key.id(), &self.path, content);
        let request_id = self.idempotency.request_id(&self.app);
        let app = self.app.clone();
        let asked = Asked { app: self.app, key: self.key, id: self.id, request_id };
        app.once(replay, StatusCode::OK, work(asked)).await
    }
}

/// The outcome of a change.
pub(crate) type Answered = Result<Response, Problem>;
