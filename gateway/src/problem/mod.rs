//! The one way from a fault, of the gateway or of another service, to `application/problem+json` (RFC 9457).
//!
//! Not here: any decision about a request. Faults of ours are logged here, once, with their whole chain, and answered
//! without detail.

mod code;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use farside_kit::fault::{Chain, Fault, Kind, Remote, Violation};
use farside_kit::telemetry;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::domain::fault::IdentityFault;
use crate::limits::{Quota, Verdict};
use crate::store::StoreFault;

pub use code::Code;

/// Seconds after which a client may try again when nothing better is known.
const RETRY_AFTER_S: u32 = 1;

/// An error on its way to a client.
#[derive(Clone, Debug)]
pub struct Problem {
    code: Code,
    status: StatusCode,
    detail: String,
    errors: Vec<Violation>,
    reason: Option<String>,
    retry_after_s: Option<u32>,
    limit: Option<Box<(Quota, Verdict)>>,
    extra: Map<String, Value>,
}

/// The body of an error, `application/problem+json`. Further members depend on the code: `stale_ply` and `game_over`
/// carry `ply` and `state`.
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody {
    /// Names the code in the documentation.
    #[serde(rename = "type")]
    #[schema(example = "/docs#not_found")]
    pub type_uri: String,
    /// The code in words.
    pub title: &'static str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// What is wrong with this very request.
    pub detail: String,
    /// What a program acts on.
    pub code: &'static str,
    /// Names the request in the platform's logs and traces.
    pub trace_id: Option<String>,
    /// Everything that does not fit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub errors: Vec<ErrorItem>,
    /// Why a move is illegal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub reason: Option<String>,
    /// More facts, by code.
    #[serde(flatten)]
    #[schema(ignore)]
    pub extra: Map<String, Value>,
}

/// What an answer that is an error has told, for whoever shows it in another form.
#[derive(Clone, Debug)]
pub struct Told {
    /// The code.
    pub code: Code,
    /// What is wrong with this very request.
    pub detail: String,
    /// Names the request in the platform's logs and traces.
    pub trace_id: Option<String>,
    /// The pause after which to try again, in seconds.
    pub retry_after_s: Option<u32>,
}

impl Told {
    /// Whether signing in is what helps.
    #[must_use]
    pub fn needs_sign_in(&self) -> bool {
        self.code == Code::Unauthenticated
    }
}

/// One thing that does not fit.
#[derive(Serialize, ToSchema)]
pub struct ErrorItem {
    /// A JSON pointer into the body; for a parameter its name after a slash.
    pub pointer: String,
    /// What is wrong there.
    pub detail: String,
}

impl Problem {
    /// An error with this code.
    #[must_use]
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        let retry_after_s = matches!(code, Code::Unavailable | Code::RateLimited).then_some(RETRY_AFTER_S);
        Self {
            code,
            status: code.status(),
            detail: detail.into(),
            errors: Vec::new(),
            reason: None,
            retry_after_s,
            limit: None,
            extra: Map::new(),
        }
    }

    /// A body that is not JSON.
    #[must_use]
    pub fn not_json(detail: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, ..Self::new(Code::MalformedRequest, detail) }
    }

    /// JSON, or a parameter, that does not fit at one place.
    #[must_use]
    pub fn malformed(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        let violation = Violation { pointer: pointer.into(), detail: detail.into() };
        Self { errors: vec![violation], ..Self::new(Code::MalformedRequest, "the request does not fit") }
    }

    /// Nothing of this sort.
    #[must_use]
    pub fn not_found(what: &str) -> Self {
        Self::new(Code::NotFound, format!("there is no such {what}"))
    }

    /// With one more fact.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.extra.insert(name.to_owned(), value);
        self
    }

    /// With another status than the code's own.
    #[must_use]
    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// A request beyond this quota, whose headers the answer has.
    #[must_use]
    pub fn beyond(quota: Quota, verdict: Verdict) -> Self {
        let seconds = u32::try_from((verdict.retry_after_ms + 999) / 1_000).unwrap_or(1);
        Self {
            retry_after_s: Some(seconds.max(1)),
            limit: Some(Box::new((quota, verdict))),
            ..Self::new(Code::RateLimited, format!("too many requests ({})", quota.name))
        }
    }

    /// The same fault with what is at `from` called `to`: a cursor of another service has other names here.
    #[must_use]
    pub fn renamed(mut self, from: &str, to: &str) -> Self {
        self.errors.iter_mut().filter(|error| error.pointer == from).for_each(|error| error.pointer = to.to_owned());
        self
    }

    /// The code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// The status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The body as it is sent.
    #[must_use]
    pub fn into_body(self) -> ProblemBody {
        let item = |violation: Violation| ErrorItem { pointer: violation.pointer, detail: violation.detail };
        ProblemBody {
            type_uri: format!("/docs#{}", self.code.as_str()),
            title: self.code.title(),
            status: self.status.as_u16(),
            detail: self.detail,
            code: self.code.as_str(),
            trace_id: telemetry::trace_id(),
            errors: self.errors.into_iter().map(item).collect(),
            reason: self.reason,
            extra: self.extra,
        }
    }
}

/// The code of a fault: by its reason, and where the reason says nothing of its own, by its kind.
fn code_of(kind: Kind, reason: &str) -> Code {
    match reason {
        "MALFORMED_REQUEST" | "CURSOR_INVALID" | "SEED_INVALID" | "SEED_REQUIRED" | "RECORD_INVALID"
        | "LEVEL_UNKNOWN" | "ROUND_INCOMPLETE" | "CURRENCY_UNKNOWN" | "NONCE_INVALID" => Code::MalformedRequest,
        "MALFORMED_MOVE" => Code::MalformedMove,
        "ILLEGAL_MOVE" => Code::IllegalMove,
        "NOT_YOUR_TURN" => Code::NotYourTurn,
        "STALE_PLY" => Code::StalePly,
        "GAME_OVER" => Code::GameOver,
        "NOT_IN_SET" => Code::NotInSet,
        "OPTIONS_INVALID" => Code::OptionsInvalid,
        "CLOCK_INVALID" => Code::ClockInvalid,
        "STAKE_OUT_OF_RANGE" | "AMOUNT_INVALID" => Code::StakeOutOfRange,
        "STAKE_ABOVE_MAX" => Code::StakeAboveMax,
        // An owner without an account has nothing to stake.
        "INSUFFICIENT_BALANCE" | "ACCOUNT_NOT_FOUND" => Code::InsufficientBalance,
        "SAME_OWNER" => Code::SameOwner,
        "OWN_CHALLENGE" => Code::OwnChallenge,
        "CHALLENGE_CLOSED" => Code::ChallengeClosed,
        "SUSPENDED" => Code::Suspended,
        "TOO_MANY_SETS" => Code::TooManySets,
        "NOT_PAUSABLE" => Code::NotPausable,
        "SET_NOT_FINISHED" => Code::SetNotFinished,
        "NAME_TAKEN" => Code::NameTaken,
        "LIMIT_REACHED" => Code::LimitReached,
        "IDEMPOTENCY_MISMATCH" => Code::IdempotencyMismatch,
        "FORBIDDEN" | "NOT_CHALLENGED" | "NOT_CREATOR" => Code::Forbidden,
        _ => code_of_kind(kind),
    }
}

/// A refused token between services is a fault of ours, not of the client: only identity refuses clients' keys.
fn code_of_kind(kind: Kind) -> Code {
    match kind {
        Kind::InvalidArgument => Code::MalformedRequest,
        Kind::Unauthenticated => Code::Unauthenticated,
        Kind::PermissionDenied => Code::Forbidden,
        Kind::NotFound => Code::NotFound,
        Kind::Unavailable | Kind::DeadlineExceeded | Kind::ResourceExhausted | Kind::Aborted => Code::Unavailable,
        Kind::AlreadyExists | Kind::FailedPrecondition | Kind::Internal => Code::Internal,
    }
}

impl From<Remote> for Problem {
    fn from(fault: Remote) -> Self {
        let code = match (fault.kind, fault.reason.as_str()) {
            (Kind::Unauthenticated, _) | (Kind::PermissionDenied, "PERMISSION_DENIED" | "SERVICE_NOT_ALLOWED") => {
                Code::Internal
            }
            (kind, reason) => code_of(kind, reason),
        };
        match code {
            Code::Internal => {
                tracing::error!(reason = fault.reason, detail = fault.message, "another service failed");
                Self::internal()
            }
            Code::Unavailable => {
                tracing::warn!(reason = fault.reason, detail = fault.message, "another service is not available");
                Self::new(code, "a part of the platform does not answer")
            }
            _ => Self::remote(code, fault),
        }
    }
}

impl Problem {
    /// A fault of ours, of which a client learns nothing more.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(Code::Internal, "something went wrong on our side")
    }

    fn remote(code: Code, fault: Remote) -> Self {
        let reason = (code == Code::IllegalMove)
            .then(|| fault.metadata.get("reason").cloned().unwrap_or_else(|| fault.message.clone()));
        let mut errors = fault.violations;
        errors.iter_mut().for_each(|error| error.pointer = in_the_body(&fault.reason, &error.pointer));
        if errors.is_empty() && fault.reason == "CURSOR_INVALID" {
            errors.push(Violation { pointer: "/cursor".to_owned(), detail: fault.message.clone() });
        }
        Self { errors, reason, ..Self::new(code, fault.message) }
    }
}

/// A pointer into a part of a request, as one into the whole of it: services know options and moves alone.
fn in_the_body(reason: &str, pointer: &str) -> String {
    let part = match reason {
        "OPTIONS_INVALID" => "/options",
        "MALFORMED_MOVE" if !pointer.starts_with("/moves/") => "/move",
        _ => "",
    };
    format!("{part}{pointer}")
}

impl From<IdentityFault> for Problem {
    fn from(fault: IdentityFault) -> Self {
        let code = code_of(fault.kind(), fault.reason());
        Self { errors: fault.violations(), ..Self::new(code, fault.to_string()) }
    }
}

impl From<StoreFault> for Problem {
    fn from(fault: StoreFault) -> Self {
        match fault {
            StoreFault::Refused(fault) => fault.into(),
            StoreFault::Unavailable(_) => {
                tracing::warn!(chain = %Chain(&fault), "the database does not answer");
                Self::new(Code::Unavailable, "a part of the platform does not answer")
            }
            StoreFault::Lost(_) | StoreFault::Database(_) | StoreFault::Corrupt(_) => {
                tracing::error!(chain = %Chain(&fault), "internal fault");
                Self::internal()
            }
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, code, retry_after_s, limit) = (self.status, self.code, self.retry_after_s, self.limit.clone());
        let detail = self.detail.clone();
        let body = self.into_body();
        let told = Told { code, detail, trace_id: body.trace_id.clone(), retry_after_s };
        let mut response = (status, serde_json::to_vec(&body).unwrap_or_default()).into_response();
        response.extensions_mut().insert(told);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = retry_after_s {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some((quota, verdict)) = limit.as_deref() {
            headers.extend(verdict.headers(quota));
        }
        if code == Code::Unauthenticated {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn remote(kind: Kind, reason: &str) -> Problem {
        Problem::from(Remote {
            kind,
            reason: reason.to_owned(),
            message: "told".to_owned(),
            metadata: BTreeMap::new(),
            violations: Vec::new(),
        })
    }

    #[test]
    fn pointers_lead_into_the_body_of_the_request() {
        for (reason, pointer, whole) in [
            ("OPTIONS_INVALID", "/size", "/options/size"),
            ("OPTIONS_INVALID", "", "/options"),
            ("MALFORMED_MOVE", "/from/0", "/move/from/0"),
            ("MALFORMED_MOVE", "/moves/3/from", "/moves/3/from"),
            ("CLOCK_INVALID", "/clock", "/clock"),
        ] {
            assert_eq!(in_the_body(reason, pointer), whole);
        }
    }

    #[test]
    fn every_reason_of_the_contracts_has_its_code_and_status() {
        let cases = [
            (Kind::NotFound, "GAME_NOT_FOUND", "not_found", 404),
            (Kind::NotFound, "SET_NOT_FOUND", "not_found", 404),
            (Kind::InvalidArgument, "OPTIONS_INVALID", "options_invalid", 422),
            (Kind::InvalidArgument, "CLOCK_INVALID", "clock_invalid", 422),
            (Kind::InvalidArgument, "STAKE_OUT_OF_RANGE", "stake_out_of_range", 422),
            (Kind::InvalidArgument, "SAME_OWNER", "same_owner", 422),
            (Kind::InvalidArgument, "OWN_CHALLENGE", "own_challenge", 422),
            (Kind::PermissionDenied, "NOT_IN_SET", "not_in_set", 403),
            (Kind::PermissionDenied, "NOT_CREATOR", "forbidden", 403),
            (Kind::FailedPrecondition, "GAME_OVER", "game_over", 409),
            (Kind::FailedPrecondition, "STALE_PLY", "stale_ply", 409),
            (Kind::FailedPrecondition, "INSUFFICIENT_BALANCE", "insufficient_balance", 409),
            (Kind::AlreadyExists, "IDEMPOTENCY_MISMATCH", "idempotency_mismatch", 422),
            (Kind::InvalidArgument, "MALFORMED_MOVE", "malformed_move", 422),
            (Kind::InvalidArgument, "ILLEGAL_MOVE", "illegal_move", 422),
            (Kind::Unavailable, "AUDIT_VIOLATION", "unavailable", 503),
            (Kind::ResourceExhausted, "QUEUE_FULL", "unavailable", 503),
            (Kind::Internal, "INTERNAL", "internal", 500),
            (Kind::Unauthenticated, "UNAUTHENTICATED", "internal", 500),
        ];
        for (kind, reason, code, status) in cases {
            let problem = remote(kind, reason);
            assert_eq!((problem.code().as_str(), problem.status().as_u16()), (code, status), "{reason}");
        }
    }

    #[test]
    fn an_illegal_move_carries_the_reason() {
        let body = remote(Kind::InvalidArgument, "ILLEGAL_MOVE").into_body();
        assert_eq!(body.reason.as_deref(), Some("told"));
    }

    #[test]
    fn a_fault_of_ours_tells_nothing_of_its_cause() {
        let body = remote(Kind::Internal, "INTERNAL").into_body();
        assert!(!body.detail.contains("told"));
    }

    #[test]
    fn text_that_is_no_json_is_400_and_json_that_does_not_fit_422() {
        assert_eq!(Problem::not_json("x").status().as_u16(), 400);
        assert_eq!(Problem::malformed("/name", "x").status().as_u16(), 422);
    }
}
