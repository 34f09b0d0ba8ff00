//! From refusals of the domain to what callers are told: kind, reason, and where a value does not fit.

use farside_kit::fault::{Fault, Kind, Violation, status};
use tonic::Status;

use crate::domain::error::RulesError;
use crate::engine::pool::PoolFault;

/// Everything that a call can be refused with.
#[derive(Debug, thiserror::Error)]
pub(super) enum ServiceFault {
    /// The rules refuse it.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A seat that no game has.
    #[error("a seat is 1 or 2, not {0}")]
    Seat(u32),
    /// A part of the request is missing.
    #[error("`{0}` is missing")]
    Missing(&'static str),
    /// Too many searches at once.
    #[error("every place for analysis is taken; try again in a moment")]
    AnalysisBusy,
    /// A search broke.
    #[error("the work on a thread of its own panicked")]
    Broken,
}

impl From<PoolFault> for ServiceFault {
    fn from(fault: PoolFault) -> Self {
        match fault {
            PoolFault::Busy => Self::AnalysisBusy,
            PoolFault::Broken => Self::Broken,
        }
    }
}

impl Fault for ServiceFault {
    fn kind(&self) -> Kind {
        match self {
            Self::Rules(refusal) => kind(refusal),
            Self::Seat(_) | Self::Missing(_) => Kind::InvalidArgument,
            Self::AnalysisBusy => Kind::ResourceExhausted,
            Self::Broken => Kind::Internal,
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Rules(refusal) => refusal.reason(),
            Self::Seat(_) => "SEAT_INVALID",
            Self::Missing(_) => "FIELD_MISSING",
            Self::AnalysisBusy => "ANALYSIS_BUSY",
            Self::Broken => "INTERNAL",
        }
    }

    fn metadata(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Rules(refusal) => metadata(refusal),
            _ => Vec::new(),
        }
    }

    fn violations(&self) -> Vec<Violation> {
        match self {
            Self::Rules(refusal) => refusal.violations().into_iter().map(violation).collect(),
            Self::Seat(_) => vec![Violation { pointer: "/seat".to_owned(), detail: self.to_string() }],
            Self::Missing(field) => vec![Violation { pointer: format!("/{field}"), detail: self.to_string() }],
            Self::AnalysisBusy | Self::Broken => Vec::new(),
        }
    }
}

impl From<ServiceFault> for Status {
    fn from(fault: ServiceFault) -> Self {
        status(&fault)
    }
}

fn violation(violation: crate::domain::json::Violation) -> Violation {
    Violation { pointer: violation.pointer, detail: violation.detail }
}

fn kind(refusal: &RulesError) -> Kind {
    match refusal {
        RulesError::GameNotFound { .. } => Kind::NotFound,
        RulesError::GameOver { .. } | RulesError::NotYourTurn { .. } => Kind::FailedPrecondition,
        RulesError::AtPly { fault, .. } => kind(fault),
        RulesError::OptionsInvalid(_)
        | RulesError::StartInvalid(_)
        | RulesError::SeedInvalid(_)
        | RulesError::SeedRequired
        | RulesError::NonceInvalid { .. }
        | RulesError::StateInvalid { .. }
        | RulesError::MalformedMove(_)
        | RulesError::IllegalMove(_)
        | RulesError::RoundIncomplete(_)
        | RulesError::LevelUnknown { .. }
        | RulesError::RecordInvalid(_) => Kind::InvalidArgument,
    }
}

fn metadata(refusal: &RulesError) -> Vec<(&'static str, String)> {
    match refusal {
        RulesError::GameOver { reason } => vec![("result_reason", (*reason).to_owned())],
        RulesError::NotYourTurn { to_act, .. } => {
            let seats: Vec<String> = to_act.iter().map(ToString::to_string).collect();
            vec![("to_act", seats.join(","))]
        }
        RulesError::AtPly { ply, fault } => {
            let mut facts = metadata(fault);
            facts.push(("ply", ply.to_string()));
            facts
        }
        _ => Vec::new(),
    }
}
