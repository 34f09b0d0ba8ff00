//! What identity refuses, in order of precedence.
//!
//! Not here: HTTP statuses; `problem.rs` makes those.

use farside_kit::fault::{Fault, Kind, Violation};

/// A refusal of identity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdentityFault {
    /// No key, or none that counts.
    #[error("{0}")]
    Unauthenticated(&'static str),
    /// A key of the wrong sort, or somebody else's bot.
    #[error("{0}")]
    Forbidden(&'static str),
    /// No such player, bot or key.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// Content that can never be right.
    #[error("the request does not fit")]
    Malformed(Vec<Violation>),
    /// The same idempotency key with other content.
    #[error("this idempotency key was used for another request")]
    IdempotencyMismatch,
    /// Another player or bot has the name.
    #[error("the name is taken")]
    NameTaken,
    /// As many as there may be.
    #[error("{0}")]
    TooMany(&'static str),
}

impl IdentityFault {
    /// One thing that does not fit.
    #[must_use]
    pub fn malformed(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::Malformed(vec![Violation { pointer: pointer.into(), detail: detail.into() }])
    }
}

impl Fault for IdentityFault {
    fn kind(&self) -> Kind {
        match self {
            Self::Unauthenticated(_) => Kind::Unauthenticated,
            Self::Forbidden(_) => Kind::PermissionDenied,
            Self::NotFound(_) => Kind::NotFound,
            Self::Malformed(_) => Kind::InvalidArgument,
            Self::IdempotencyMismatch | Self::NameTaken => Kind::AlreadyExists,
            Self::TooMany(_) => Kind::FailedPrecondition,
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Unauthenticated(_) => "UNAUTHENTICATED",
            Self::Forbidden(_) => "FORBIDDEN",
            Self::NotFound(_) => "NOT_FOUND",
            Self::Malformed(_) => "MALFORMED_REQUEST",
            Self::IdempotencyMismatch => "IDEMPOTENCY_MISMATCH",
            Self::NameTaken => "NAME_TAKEN",
            Self::TooMany(_) => "LIMIT_REACHED",
        }
    }

    fn violations(&self) -> Vec<Violation> {
        match self {
            Self::Malformed(violations) => violations.clone(),
            _ => Vec::new(),
        }
    }
}
