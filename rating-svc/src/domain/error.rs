//! What can be wrong with what is asked of ratings, in order of precedence. Faults of storage are the store's.

use farside_kit::fault::{Fault, Kind, Violation};

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The set contradicts itself or the rules of the platform.
    #[error("the set is not valid: {}", summary(.0))]
    SetInvalid(Vec<Violation>),
    /// The set was recorded with other content.
    #[error("the set was recorded before with other content")]
    IdempotencyMismatch,
    /// The cursor was not made by this list, or is too old.
    #[error("the cursor does not belong to this list or has expired")]
    CursorInvalid,
}

fn summary(violations: &[Violation]) -> String {
    let lines: Vec<String> = violations.iter().map(|it| format!("{} {}", it.pointer, it.detail)).collect();
    lines.join("; ")
}

impl Fault for Refusal {
    fn kind(&self) -> Kind {
        match self {
            Self::SetInvalid(_) | Self::CursorInvalid => Kind::InvalidArgument,
            Self::IdempotencyMismatch => Kind::AlreadyExists,
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::SetInvalid(_) => "SET_INVALID",
            Self::IdempotencyMismatch => "IDEMPOTENCY_MISMATCH",
            Self::CursorInvalid => "CURSOR_INVALID",
        }
    }

    fn violations(&self) -> Vec<Violation> {
        match self {
            Self::SetInvalid(violations) => violations.clone(),
            Self::IdempotencyMismatch | Self::CursorInvalid => Vec::new(),
        }
    }
}
