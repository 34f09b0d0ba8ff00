//! Why the ledger could not answer a posting: nothing about the posting itself, and never remembered under its key.
//!
//! Not here: refusals; they are answers.

use std::sync::Arc;

use farside_kit::db::DbProblem;
use farside_kit::fault::{Fault, Kind};

use crate::store::StoreFault;

/// The ledger cannot answer now, or failed. Sending the same posting again under the same key is always safe.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EngineFault {
    /// The standing audit sees a violation.
    #[error("postings are stopped: the audit sees a violation")]
    AuditViolation,
    /// Too many postings are waiting.
    #[error("too many postings are waiting")]
    QueueFull,
    /// The process is about to end.
    #[error("the ledger is stopping")]
    Stopping,
    /// The database is out of reach: it is not known whether the posting was committed.
    #[error("the ledger's database is not available")]
    Unavailable(#[source] Arc<StoreFault>),
    /// Something that should never happen.
    #[error("the ledger failed")]
    Failed(#[source] Arc<StoreFault>),
}

impl From<StoreFault> for EngineFault {
    fn from(fault: StoreFault) -> Self {
        match fault.problem() {
            DbProblem::Unavailable | DbProblem::SerializationFailure | DbProblem::Deadlock | DbProblem::LockTimeout => {
                Self::Unavailable(Arc::new(fault))
            }
            DbProblem::UniqueViolation
            | DbProblem::ForeignKeyViolation
            | DbProblem::CheckViolation
            | DbProblem::Other => Self::Failed(Arc::new(fault)),
        }
    }
}

impl Fault for EngineFault {
    fn kind(&self) -> Kind {
        match self {
            Self::AuditViolation | Self::Stopping | Self::Unavailable(_) => Kind::Unavailable,
            Self::QueueFull => Kind::ResourceExhausted,
            Self::Failed(_) => Kind::Internal,
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::AuditViolation => "AUDIT_VIOLATION",
            Self::QueueFull => "QUEUE_FULL",
            Self::Stopping => "STOPPING",
            Self::Unavailable(_) => "UNAVAILABLE",
            Self::Failed(_) => "INTERNAL",
        }
    }
}
