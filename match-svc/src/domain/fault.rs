//! Every refusal of this service, in order of precedence. Not here: how a refusal travels; the kit makes the status.

use farside_kit::fault::{Fault, Kind, Remote, Violation};
use farside_kit::time::UnixMs;

use super::ids::Ply;

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// An operation that could not be logged as it is.
    #[error("{0}")]
    OperationInvalid(&'static str),
    /// The same request id came with other content.
    #[error("this request id was used for another request")]
    IdempotencyMismatch,
    /// No such challenge.
    #[error("there is no such challenge")]
    ChallengeNotFound,
    /// No such set.
    #[error("there is no such set")]
    SetNotFound,
    /// The participant has no seat in this set.
    #[error("you have no seat in this set")]
    NotInSet,
    /// The challenge is the actor's own.
    #[error("the challenge is your own: others accept or decline it, you may cancel it")]
    OwnChallenge,
    /// The challenge was made to someone else.
    #[error("this challenge was made to someone else")]
    NotChallenged,
    /// The challenge was made by someone else.
    #[error("this challenge was made by someone else")]
    NotCreator,
    /// The challenge is no longer open.
    #[error("this challenge is no longer open")]
    ChallengeClosed,
    /// The request does not fit.
    #[error("{detail}")]
    MalformedRequest {
        /// Where: a JSON pointer into the public request.
        pointer: &'static str,
        /// What is wrong there.
        detail: String,
    },
    /// The clock does not fit the game or its ranges.
    #[error("{detail}")]
    ClockInvalid {
        /// Where: a JSON pointer into the public request.
        pointer: &'static str,
        /// What is wrong there.
        detail: String,
    },
    /// The stake is outside the currency's limits.
    #[error("a stake in {currency} is {min_points} to {max_points} points")]
    StakeOutOfRange {
        /// Currency code.
        currency: String,
        /// Smallest stake.
        min_points: i64,
        /// Largest stake.
        max_points: i64,
    },
    /// The stake is above what a participant may stake.
    #[error("the stake is above a participant's maximum of {max_points} points")]
    StakeAboveMax {
        /// The lowest maximum of those concerned.
        max_points: i64,
    },
    /// Staked or rated play between participants of one owner.
    #[error("participants of one owner cannot play staked or rated sets against each other")]
    SameOwner,
    /// Too many strikes for staked play.
    #[error("suspended from staked play until {until} after three strikes")]
    Suspended {
        /// When the oldest of the three strikes ages out.
        until: UnixMs,
    },
    /// An operator keeps the participant, or its owner, from new sets.
    #[error("suspended by an operator: no new challenges, and none accepted")]
    SuspendedByOperator,
    /// Too many active sets and open challenges.
    #[error("at most {limit} active sets and open challenges at a time")]
    TooManySets {
        /// The limit.
        limit: u32,
    },
    /// No game of this number has begun in the set.
    #[error("this set has no game {0} yet")]
    GameNotStarted(u32),
    /// The game has ended.
    #[error("the game is over")]
    GameOver {
        /// The game as the actor may see it.
        game_json: String,
    },
    /// Another ply is due.
    #[error("ply {} is due", expected.0)]
    StalePly {
        /// The ply that is due.
        expected: Ply,
        /// The game as the actor may see it.
        game_json: String,
    },
    /// The other seat is to act.
    #[error("it is not your turn")]
    NotYourTurn,
    /// Practice stands still: it is nobody's turn.
    #[error("the game is paused: it is nobody's turn before it is resumed")]
    Paused {
        /// The game as the actor may see it.
        game_json: String,
    },
    /// Only untimed practice stands still.
    #[error("only untimed practice that runs can be paused, and only what is paused can be resumed")]
    NotPausable,
    /// The set still runs.
    #[error("the set has not finished")]
    SetNotFinished,
    /// The set has ended already.
    #[error("the set is not active")]
    SetNotActive,
    /// There is no suspension to take back.
    #[error("it is not suspended by an operator")]
    NotSuspended,
    /// A cursor that this service did not make.
    #[error("the cursor is not valid")]
    CursorInvalid,
}

impl Refusal {
    /// A request that does not fit at `pointer`.
    #[must_use]
    pub fn malformed(pointer: &'static str, detail: impl Into<String>) -> Self {
        Self::MalformedRequest { pointer, detail: detail.into() }
    }
}

impl Fault for Refusal {
    fn kind(&self) -> Kind {
        match self {
            Self::IdempotencyMismatch => Kind::AlreadyExists,
            Self::ChallengeNotFound | Self::SetNotFound | Self::GameNotStarted(_) => Kind::NotFound,
            Self::NotInSet | Self::NotChallenged | Self::NotCreator => Kind::PermissionDenied,
            Self::OperationInvalid(_)
            | Self::OwnChallenge
            | Self::MalformedRequest { .. }
            | Self::ClockInvalid { .. }
            | Self::StakeOutOfRange { .. }
            | Self::StakeAboveMax { .. }
            | Self::SameOwner
            | Self::CursorInvalid => Kind::InvalidArgument,
            Self::ChallengeClosed
            | Self::Suspended { .. }
            | Self::SuspendedByOperator
            | Self::NotSuspended
            | Self::TooManySets { .. }
            | Self::GameOver { .. }
            | Self::StalePly { .. }
            | Self::NotYourTurn
            | Self::Paused { .. }
            | Self::NotPausable
            | Self::SetNotFinished
            | Self::SetNotActive => Kind::FailedPrecondition,
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::IdempotencyMismatch => "IDEMPOTENCY_MISMATCH",
            Self::ChallengeNotFound => "CHALLENGE_NOT_FOUND",
            Self::SetNotFound => "SET_NOT_FOUND",
            Self::NotInSet => "NOT_IN_SET",
            Self::OwnChallenge => "OWN_CHALLENGE",
            Self::NotChallenged => "NOT_CHALLENGED",
            Self::NotCreator => "NOT_CREATOR",
            Self::ChallengeClosed => "CHALLENGE_CLOSED",
            Self::MalformedRequest { .. } => "MALFORMED_REQUEST",
            Self::ClockInvalid { .. } => "CLOCK_INVALID",
            Self::StakeOutOfRange { .. } => "STAKE_OUT_OF_RANGE",
            Self::StakeAboveMax { .. } => "STAKE_ABOVE_MAX",
            Self::SameOwner => "SAME_OWNER",
            Self::Suspended { .. } | Self::SuspendedByOperator => "SUSPENDED",
            Self::NotSuspended => "NOT_SUSPENDED",
            Self::OperationInvalid(_) => "OPERATION_INVALID",
            Self::TooManySets { .. } => "TOO_MANY_SETS",
            Self::GameNotStarted(_) => "GAME_NOT_STARTED",
            Self::GameOver { .. } => "GAME_OVER",
            Self::StalePly { .. } => "STALE_PLY",
            Self::NotYourTurn | Self::Paused { .. } => "NOT_YOUR_TURN",
            Self::NotPausable => "NOT_PAUSABLE",
            Self::SetNotFinished => "SET_NOT_FINISHED",
            Self::SetNotActive => "SET_NOT_ACTIVE",
            Self::CursorInvalid => "CURSOR_INVALID",
        }
    }

    fn metadata(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::GameOver { game_json } | Self::Paused { game_json } => vec![("game_json", game_json.clone())],
            Self::StalePly { expected, game_json } => {
                vec![("expected_ply", expected.0.to_string()), ("game_json", game_json.clone())]
            }
            Self::Suspended { until } => vec![("until_ms", until.0.to_string())],
            Self::TooManySets { limit } => vec![("limit", limit.to_string())],
            Self::StakeAboveMax { max_points } => vec![("max_points", max_points.to_string())],
            Self::StakeOutOfRange { min_points, max_points, .. } => {
                vec![("min_points", min_points.to_string()), ("max_points", max_points.to_string())]
            }
            _ => Vec::new(),
        }
    }

    fn violations(&self) -> Vec<Violation> {
        let at = |pointer: &str| vec![Violation { pointer: pointer.to_owned(), detail: self.to_string() }];
        match self {
            Self::MalformedRequest { pointer, .. } | Self::ClockInvalid { pointer, .. } => at(pointer),
            Self::StakeOutOfRange { .. } | Self::StakeAboveMax { .. } => at("/stake/amount"),
            Self::CursorInvalid => at("/cursor"),
            _ => Vec::new(),
        }
    }
}

/// Whatever keeps a request from being answered.
#[derive(Debug, thiserror::Error)]
pub enum MatchFault {
    /// A refusal of this service.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Another service refused, or could not be reached.
    #[error("{}", .0.message)]
    Upstream(#[from] Remote),
    /// More is waiting to be committed than the queue holds.
    #[error("too many moves are waiting to be written")]
    QueueFull,
    /// Another request changed the same thing again and again.
    #[error("the set or challenge changed meanwhile")]
    Contended,
    /// The database is away, or the process is stopping.
    #[error("the service cannot answer now")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A fault of ours.
    #[error("internal error")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl MatchFault {
    /// A fault of ours, told in a sentence.
    #[must_use]
    pub fn internal(text: impl Into<String>) -> Self {
        Self::Internal(text.into().into())
    }
}

/// The reasons of other services that callers may rely on; anything else keeps the name of its kind.
const PASSED_ON: [&str; 14] = [
    "GAME_NOT_FOUND",
    "OPTIONS_INVALID",
    "SEED_INVALID",
    "NONCE_INVALID",
    "MALFORMED_MOVE",
    "ILLEGAL_MOVE",
    "CURRENCY_UNKNOWN",
    "STAKE_OUT_OF_RANGE",
    "STAKE_ABOVE_MAX",
    "ACCOUNT_NOT_FOUND",
    "INSUFFICIENT_BALANCE",
    "RECORD_INVALID",
    "ANALYSIS_BUSY",
    "AUDIT_VIOLATION",
];

impl Fault for MatchFault {
    fn kind(&self) -> Kind {
        match self {
            Self::Refused(refusal) => refusal.kind(),
            Self::Upstream(remote) => remote.kind,
            Self::QueueFull => Kind::ResourceExhausted,
            Self::Contended | Self::Unavailable(_) => Kind::Unavailable,
            Self::Internal(_) => Kind::Internal,
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Refused(refusal) => refusal.reason(),
            Self::Upstream(remote) => {
                let known = PASSED_ON.iter().find(|&&reason| reason == remote.reason);
                known.copied().unwrap_or_else(|| remote.kind.reason())
            }
            Self::QueueFull => "QUEUE_FULL",
            Self::Contended | Self::Unavailable(_) => "UNAVAILABLE",
            Self::Internal(_) => "INTERNAL",
        }
    }

    fn metadata(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Refused(refusal) => refusal.metadata(),
            Self::Upstream(remote) => {
                remote.metadata.get("reason").map(|reason| ("reason", reason.clone())).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn violations(&self) -> Vec<Violation> {
        match self {
            Self::Refused(refusal) => refusal.violations(),
            Self::Upstream(remote) => remote.violations.clone(),
            _ => Vec::new(),
        }
    }
}
