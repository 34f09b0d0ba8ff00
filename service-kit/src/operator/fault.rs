//! What is wrong with an operation before anybody looks at what it asks for.
//!
//! Not here: refusals of the operations themselves.

use sea_orm::DbErr;

use crate::db::classify;
use crate::fault::{Fault, Kind};

/// Why an operation is not begun.
#[derive(Debug, thiserror::Error)]
pub enum OperationFault {
    /// It could not be logged as it is.
    #[error("{0}")]
    Invalid(&'static str),
    /// Its key belongs to another operation.
    #[error("this request id was used for another operation")]
    IdempotencyMismatch,
    /// The log cannot be read.
    #[error("the log of operations cannot be read")]
    Storage(#[from] DbErr),
}

impl Fault for OperationFault {
    fn kind(&self) -> Kind {
        match self {
            Self::Invalid(_) => Kind::InvalidArgument,
            Self::IdempotencyMismatch => Kind::AlreadyExists,
            Self::Storage(error) => classify(error).kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "OPERATION_INVALID",
            Self::IdempotencyMismatch => "IDEMPOTENCY_MISMATCH",
            Self::Storage(_) => self.kind().reason(),
        }
    }
}
