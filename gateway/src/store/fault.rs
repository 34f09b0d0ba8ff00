//! What storing may end in.
//!
//! Not here: what is right or wrong with a request; that is [`IdentityFault`], which passes through unchanged.

use farside_kit::db::{DbProblem, classify};
use farside_kit::fault::{Fault, Kind, Violation};
use sea_orm::DbErr;

use crate::domain::fault::IdentityFault;

/// A fault of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreFault {
    /// Identity refuses.
    #[error(transparent)]
    Refused(#[from] IdentityFault),
    /// The database does not answer now.
    #[error("the database does not answer")]
    Unavailable(#[source] DbErr),
    /// A row that was written first by somebody else.
    #[error("somebody else was first")]
    Lost(#[source] DbErr),
    /// Anything else that the database says.
    #[error("the database refused")]
    Database(#[source] DbErr),
    /// A row that the domain cannot read.
    #[error("a row of {0} does not make sense")]
    Corrupt(&'static str),
}

impl From<DbErr> for StoreFault {
    fn from(error: DbErr) -> Self {
        match classify(&error) {
            DbProblem::UniqueViolation => Self::Lost(error),
            DbProblem::Unavailable | DbProblem::SerializationFailure | DbProblem::Deadlock | DbProblem::LockTimeout => {
                Self::Unavailable(error)
            }
            DbProblem::ForeignKeyViolation | DbProblem::CheckViolation | DbProblem::Other => Self::Database(error),
        }
    }
}

impl Fault for StoreFault {
    fn kind(&self) -> Kind {
        match self {
            Self::Refused(fault) => fault.kind(),
            Self::Unavailable(_) => Kind::Unavailable,
            Self::Lost(_) | Self::Database(_) | Self::Corrupt(_) => Kind::Internal,
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Refused(fault) => fault.reason(),
            Self::Unavailable(_) => "UNAVAILABLE",
            Self::Lost(_) | Self::Database(_) | Self::Corrupt(_) => "INTERNAL",
        }
    }

    fn violations(&self) -> Vec<Violation> {
        match self {
            Self::Refused(fault) => fault.violations(),
            _ => Vec::new(),
        }
    }
}
