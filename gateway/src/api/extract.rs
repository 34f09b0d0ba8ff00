//! What handlers take from a request: caller, id, query, body, idempotency key. Whatever does not fit is a problem here,
//! so that no handler sees it.
//!
//! Not here: limits and authentication, which run before any of this.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::CONTENT_LENGTH;
use axum::http::request::Parts;
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use sha2::{Digest, Sha256};

use super::json::scalar::{Object, Raw};
use crate::app::SharedApp;
use crate::domain::account::{Account, Caller, Player};
use crate::problem::{Code, Problem};
use crate::store::Replay;

/// Largest body of an ordinary request, in bytes.
pub const BODY_BYTES: usize = 64 * 1024;
/// Largest body of positions and records, in bytes.
pub const LARGE_BODY_BYTES: usize = 1024 * 1024;
/// How long a body may take to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);
/// Most characters of an id or name in a path.
const ID_MAX: usize = 64;
/// Most characters of an idempotency key.
const IDEMPOTENCY_KEY_MAX: usize = 128;
/// The header of an idempotency key.
const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Whoever calls, if a key was shown.
#[derive(Clone, Debug)]
pub struct Viewer(pub Option<Arc<Caller>>);

impl Viewer {
    /// The participant's id; empty for a spectator.
    #[must_use]
    pub fn id(&self) -> String {
        self.0.as_ref().map(|caller| caller.account.id().to_owned()).unwrap_or_default()
    }
}

impl<S: Sync> FromRequestParts<S> for Viewer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Ok(Self(parts.extensions.get::<Arc<Caller>>().cloned()))
    }
}

/// Who calls; a key is needed.
#[derive(Clone, Debug)]
pub struct Key(pub Arc<Caller>);

impl Key {
    /// The participant that the key plays as.
    #[must_use]
    pub fn account(&self) -> &Account {
        &self.0.account
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> String {
        self.0.account.id().to_owned()
    }
}

impl<S: Sync> FromRequestParts<S> for Key {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Viewer(caller) = Viewer::from_request_parts(parts, state).await?;
        let detail = "send `Authorization: Bearer KEY`";
        caller.map(Self).ok_or_else(|| Problem::new(Code::Unauthenticated, detail))
    }
}

/// The player that calls; a player key is needed.
#[derive(Clone, Debug)]
pub struct PlayerKey(pub Player);

impl<S: Sync> FromRequestParts<S> for PlayerKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match &Key::from_request_parts(parts, state).await?.0.account {
            Account::Player(player) => Ok(Self(player.clone())),
            Account::Bot(_) => Err(Problem::new(Code::Forbidden, "this needs the player key, not a bot's")),
        }
    }
}

/// Ids and names in the path; text that can be neither is not found.
#[derive(Clone, Debug)]
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: PathIds> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        match path {
            Ok(axum::extract::Path(ids)) if ids.are_plain() => Ok(Self(ids)),
            _ => Err(Problem::not_found("thing")),
        }
    }
}

/// One or two ids of a path.
pub trait PathIds: DeserializeOwned + Send {
    /// Whether all of them may be ids or names.
    fn are_plain(&self) -> bool;
}

impl PathIds for String {
    fn are_plain(&self) -> bool {
        is_plain(self)
    }
}

impl PathIds for (String, String) {
    fn are_plain(&self) -> bool {
        is_plain(&self.0) && is_plain(&self.1)
    }
}

/// Whether text may be an id or a name.
#[must_use]
pub fn is_plain(text: &str) -> bool {
    (1..=ID_MAX).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':'))
}

/// Parameters of the query; unknown ones do not fit.
#[derive(Clone, Debug)]
pub struct Query<T>(pub T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let query = parts.uri.query().unwrap_or_default();
        let fields = serde_urlencoded::Deserializer::new(form_urlencoded::parse(query.as_bytes()));
        let value: T = serde_path_to_error::deserialize(fields).map_err(|error| does_not_fit(&error))?;
        if query.contains("%00") {
            return Err(Problem::malformed("", "NUL is in no parameter"));
        }
        Ok(Self(value))
    }
}

/// A JSON body of at most `LIMIT` bytes, with the moment at which its last byte was in.
#[derive(Clone, Debug)]
pub struct Body<T, const LIMIT: usize = BODY_BYTES> {
    /// What was sent.
    pub value: T,
    /// When its last byte was in.
    pub received_at_ms: i64,
}

impl<T: DeserializeOwned, const LIMIT: usize> FromRequest<SharedApp> for Body<T, LIMIT> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &SharedApp) -> Result<Self, Problem> {
        let bytes = collect(request, LIMIT).await?;
        let received_at_ms = app.now_ms();
        Ok(Self { value: parse(&bytes)?, received_at_ms })
    }
}

/// A JSON body that may be left out, or `null`.
#[derive(Clone, Debug)]
pub struct MaybeBody<T>(pub T);

impl<T: DeserializeOwned + Default> FromRequest<SharedApp> for MaybeBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &SharedApp) -> Result<Self, Problem> {
        let bytes = collect(request, BODY_BYTES).await?;
        if bytes.is_empty() {
            return Ok(Self(T::default()));
        }
        if bytes.trim_ascii() == b"null" {
            return Ok(Self(T::default()));
        }
        parse(&bytes).map(Self)
    }
}

/// A JSON body of at most `LIMIT` bytes that is passed on as it is.
#[derive(Clone, Debug)]
pub struct RawBody<const LIMIT: usize>(pub Raw);

impl<const LIMIT: usize> FromRequest<SharedApp> for RawBody<LIMIT> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &SharedApp) -> Result<Self, Problem> {
        let bytes = collect(request, LIMIT).await?;
        Ok(Self(Raw::from_json(text(&bytes)?.to_owned())))
    }
}

/// The whole body of a request.
///
/// # Errors
///
/// `payload_too_large`, `request_timeout`, `malformed_request`.
pub(crate) async fn collect(request: Request, limit: usize) -> Result<Bytes, Problem> {
    let too_large = || Problem::new(Code::PayloadTooLarge, format!("at most {limit} bytes"));
    let announced = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > limit as u64) {
        return Err(too_large());
    }
    let body = Limited::new(request.into_body(), limit).collect();
    match tokio::time::timeout(BODY_TIMEOUT, body).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err(Problem::not_json("the body broke off")),
        Err(_) => Err(Problem::new(Code::RequestTimeout, "the body took too long to arrive")),
    }
}

/// Parses a body that is an object: first whether it is JSON at all, then whether it fits.
///
/// # Errors
///
/// `malformed_request`, 400 or 422.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let mut json = serde_json::Deserializer::from_str(text(bytes)?);
    let object = serde_path_to_error::deserialize(&mut json).map_err(|error| does_not_fit(&error))?;
    let Object(value) = object;
    Ok(value)
}

/// The text of a body that is JSON.
fn text(bytes: &[u8]) -> Result<&str, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|_| Problem::not_json("the body is not UTF-8"))?;
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| Problem::not_json(format!("not JSON: {error}")))?;
    if text.contains("\\u0000") {
        return Err(Problem::malformed("", "NUL is in no text"));
    }
    Ok(text)
}

fn does_not_fit<E: std::fmt::Display>(error: &serde_path_to_error::Error<E>) -> Problem {
    let mut detail = error.inner().to_string();
    if let Some(end) = detail.rfind(" at line ") {
        detail.truncate(end);
    }
    Problem::malformed(pointer(error.path()), in_plain_words(detail))
}

/// Names of types mean nothing to a client.
fn in_plain_words(detail: String) -> String {
    let words = [
        ("expected u32", "expected an integer from 0 to 4294967295"),
        ("expected u64", "expected an integer from 0 to 18446744073709551615"),
        ("expected i64", "expected an integer of 64 bits"),
    ];
    words.into_iter().fold(detail, |detail, (name, plain)| detail.replace(name, plain))
}

/// A path as a JSON pointer (RFC 6901).
fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let mut pointer = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => pointer.push_str(&format!("/{index}")),
            Segment::Map { key } => pointer.push_str(&format!("/{}", key.replace('~', "~0").replace('/', "~1"))),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    pointer
}

/// The idempotency key of a request, if it has one.
#[derive(Clone, Debug)]
pub struct IdempotencyKey(Option<String>);

impl<S: Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Some(value) = parts.headers.get(IDEMPOTENCY_KEY) else { return Ok(Self(None)) };
        let text = value.to_str().ok().filter(|text| (1..=IDEMPOTENCY_KEY_MAX).contains(&text.len()));
        let detail = "1 to 128 visible ASCII characters";
        text.map(|text| Self(Some(text.to_owned()))).ok_or_else(|| Problem::malformed("/Idempotency-Key", detail))
    }
}

impl IdempotencyKey {
    /// The request id for another service: what the client sent, or a new one.
    #[must_use]
    pub fn request_id(&self, app: &SharedApp) -> String {
        self.0.as_ref().map_or_else(|| app.identity.request_id(), |key| format!("client:{key}"))
    }

    /// What the store knows a repeated request by.
    #[must_use]
    pub fn replay(&self, app: &SharedApp, actor_id: &str, path: &str, content: &impl Serialize) -> Option<Replay> {
        let request_id = self.0.clone()?;
        let content = serde_json::to_vec(content).unwrap_or_default();
        let hash = Sha256::new().chain_update(path).chain_update([0]).chain_update(content).finalize();
        let (actor_id, content_hash, now_ms) = (actor_id.to_owned(), hex::encode(hash), app.now_ms());
        Some(Replay { actor_id, request_id, content_hash, now_ms })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::api::json::account::NewBotBody;
    use crate::api::json::challenge::NewChallenge;

    fn refused(text: &[u8]) -> (u16, Vec<String>) {
        let problem = parse::<NewChallenge>(text).map(drop).unwrap_err();
        let body = problem.into_body();
        (body.status, body.errors.into_iter().map(|error| error.pointer).collect())
    }

    #[test]
    fn what_is_not_json_is_400_and_what_does_not_fit_names_its_place() {
        assert_eq!(refused(b"{").0, 400);
        assert_eq!(refused(b"").0, 400);
        assert_eq!(refused(b"\xff{}").0, 400);
        assert_eq!(refused(br#"{"game":"g"} x"#).0, 400);
        assert_eq!(refused(br#"{"game":7}"#), (422, vec!["/game".to_owned()]));
        assert_eq!(refused(br#"{"game":"g","surprise":1}"#), (422, vec!["/surprise".to_owned()]));
        let stake = br#"{"game":"g","stake":{"currency":"PTS","amount":1.5}}"#;
        assert_eq!(refused(stake), (422, vec!["/stake/amount".to_owned()]));
        assert_eq!(refused(br#"{"game":"g\u0000"}"#).0, 422);
        assert_eq!(refused(br#"[1]"#).0, 422);
        assert_eq!(refused(br#"["g"]"#).0, 422, "an array of the fields is no object");
    }

    #[test]
    fn deep_nesting_is_refused_without_a_crash() {
        let deep = format!("{{\"game\":{}1{}}}", "[".repeat(30_000), "]".repeat(30_000));
        let status = refused(deep.as_bytes()).0;
        assert!((400..500).contains(&status), "{status}");
    }

    proptest! {
        #[test]
        fn no_body_makes_parsing_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse::<NewBotBody>(&bytes);
        }

        #[test]
        fn a_pointer_leads_to_an_unknown_field(name in "[a-z~/]{1,8}") {
            let text = serde_json::json!({"name": "abc", (name.clone()): 1}).to_string();
            prop_assume!(!["name", "accepts"].contains(&name.as_str()));
            let body = parse::<NewBotBody>(text.as_bytes()).map(drop).unwrap_err().into_body();
            prop_assert_eq!(&body.errors[0].pointer, &format!("/{}", name.replace('~', "~0").replace('/', "~1")));
        }
    }
}
