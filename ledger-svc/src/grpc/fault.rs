//! What a request itself can have wrong with it, before it is a posting at all.
//!
//! Not here: refusals. A request without a usable key cannot be remembered.

use farside_kit::fault::{Fault, Kind, Violation};

/// A request that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum RequestFault {
    /// A field is not what it has to be.
    #[error("{field} {problem}")]
    Field {
        /// Which.
        field: &'static str,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A batch has too many postings.
    #[error("at most {most} postings fit into one call")]
    TooManyPostings {
        /// How many fit.
        most: usize,
    },
    /// The cursor is none of ours.
    #[error("the cursor is none that a page ended with")]
    Cursor,
    /// There is no such account to read.
    #[error("there is no such account")]
    AccountNotFound,
}

impl Fault for RequestFault {
    fn kind(&self) -> Kind {
        match self {
            Self::Field { .. } | Self::TooManyPostings { .. } | Self::Cursor => Kind::InvalidArgument,
            Self::AccountNotFound => Kind::NotFound,
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Field { .. } => "REQUEST_INVALID",
            Self::TooManyPostings { .. } => "TOO_MANY_POSTINGS",
            Self::Cursor => "CURSOR_INVALID",
            Self::AccountNotFound => "ACCOUNT_NOT_FOUND",
        }
    }

    fn violations(&self) -> Vec<Violation> {
        match self {
            Self::Field { field, problem } => {
                vec![Violation { pointer: format!("/{field}"), detail: (*problem).to_owned() }]
            }
            Self::TooManyPostings { .. } | Self::Cursor | Self::AccountNotFound => Vec::new(),
        }
    }
}
