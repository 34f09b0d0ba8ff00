//! What can go wrong in storage, and how callers are told of it.

use farside_kit::db::{DbProblem, classify};
use farside_kit::fault::{Fault, Kind, Violation};
use farside_kit::operator::OperationFault;
use sea_orm::DbErr;

use crate::domain::error::Refusal;

/// Why storage did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreFault {
    /// The domain says no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It is no operation to begin with.
    #[error(transparent)]
    Operation(#[from] OperationFault),
    /// The same operation is carried out at this moment.
    #[error("the same rebuild is under way")]
    UnderWay,
    /// The database failed or is away.
    #[error("the database did not answer as it should")]
    Database(#[from] DbErr),
    /// Redis failed or is away. No caller is ever told of it.
    #[error("redis did not answer as it should")]
    Cache(#[from] redis::RedisError),
    /// A row does not hold what was written.
    #[error("a stored {what} cannot be read")]
    Corrupt {
        /// What the row is.
        what: &'static str,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
}

impl StoreFault {
    fn problem(&self) -> Option<DbProblem> {
        match self {
            Self::Database(error) => Some(classify(error)),
            Self::Refused(_) | Self::Operation(_) | Self::UnderWay | Self::Cache(_) | Self::Corrupt { .. } => None,
        }
    }
}

impl Fault for StoreFault {
    fn kind(&self) -> Kind {
        match (self, self.problem()) {
            (Self::Refused(refusal), _) => refusal.kind(),
            (Self::Operation(fault), _) => fault.kind(),
            (Self::UnderWay | Self::Cache(_), _) | (_, Some(DbProblem::Unavailable)) => Kind::Unavailable,
            (_, Some(problem)) if problem.is_transient() => Kind::Unavailable,
            _ => Kind::Internal,
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Refused(refusal) => refusal.reason(),
            Self::Operation(fault) => fault.reason(),
            Self::UnderWay | Self::Database(_) | Self::Cache(_) | Self::Corrupt { .. } => self.kind().reason(),
        }
    }

    fn violations(&self) -> Vec<Violation> {
        match self {
            Self::Refused(refusal) => refusal.violations(),
            Self::Operation(_) | Self::UnderWay | Self::Database(_) | Self::Cache(_) | Self::Corrupt { .. } => {
                Vec::new()
            }
        }
    }
}
