//! What can go wrong in the store.
//!
//! Not here: refusals of postings; those are answers, not faults.

use farside_kit::db::{DbProblem, classify};
use sea_orm::DbErr;

/// The database did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreFault {
    /// The database said no or cannot be reached.
    #[error("the ledger's database failed")]
    Database(#[from] DbErr),
    /// A stored value is none that was ever written.
    #[error("a stored {what} cannot be read: {text}")]
    Unreadable {
        /// What it should be.
        what: &'static str,
        /// What it is.
        text: String,
    },
}

impl StoreFault {
    /// What the fault means for the one who has to go on.
    #[must_use]
    pub fn problem(&self) -> DbProblem {
        match self {
            Self::Database(error) => classify(error),
            Self::Unreadable { .. } => DbProblem::Other,
        }
    }

    pub(super) fn unreadable(what: &'static str, text: &(impl ToString + ?Sized)) -> Self {
        Self::Unreadable { what, text: text.to_string() }
    }
}
