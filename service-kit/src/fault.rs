//! The one way from a domain's error to a gRPC status, and back on the caller's side.
//!
//! Not here: which errors exist. Each domain has an enum of its own that implements [`Fault`]; the gateway turns a
//! [`Remote`] into a problem document.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

/// The domain of every `google.rpc.ErrorInfo` that the platform makes.
pub const DOMAIN: &str = "farside";

/// How long a caller is asked to wait before it tries again after UNAVAILABLE.
const RETRY_DELAY: Duration = Duration::from_millis(200);

/// What sort of fault it is: decides the status code and whether to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The request can never be right.
    InvalidArgument,
    /// The caller is not known.
    Unauthenticated,
    /// The caller is known and may not.
    PermissionDenied,
    /// There is no such thing.
    NotFound,
    /// There is one already.
    AlreadyExists,
    /// The state of things does not allow it now.
    FailedPrecondition,
    /// Lost a race; read again and decide again.
    Aborted,
    /// A limit is reached.
    ResourceExhausted,
    /// Not now; the same call may be sent again.
    Unavailable,
    /// It took too long; whether it was carried out is not known.
    DeadlineExceeded,
    /// A fault of ours.
    Internal,
}

impl Kind {
    /// The status code of this kind.
    #[must_use]
    pub const fn code(self) -> Code {
        match self {
            Self::InvalidArgument => Code::InvalidArgument,
            Self::Unauthenticated => Code::Unauthenticated,
            Self::PermissionDenied => Code::PermissionDenied,
            Self::NotFound => Code::NotFound,
            Self::AlreadyExists => Code::AlreadyExists,
            Self::FailedPrecondition => Code::FailedPrecondition,
            Self::Aborted => Code::Aborted,
            Self::ResourceExhausted => Code::ResourceExhausted,
            Self::Unavailable => Code::Unavailable,
            Self::DeadlineExceeded => Code::DeadlineExceeded,
            Self::Internal => Code::Internal,
        }
    }

    /// The kind that a status code tells of. Cancelled is what servers answer when a call's deadline is over; codes that
    /// no part of the platform sends are faults of ours.
    #[must_use]
    pub const fn of(code: Code) -> Self {
        match code {
            Code::InvalidArgument | Code::OutOfRange => Self::InvalidArgument,
            Code::Unauthenticated => Self::Unauthenticated,
            Code::PermissionDenied => Self::PermissionDenied,
            Code::NotFound => Self::NotFound,
            Code::AlreadyExists => Self::AlreadyExists,
            Code::FailedPrecondition => Self::FailedPrecondition,
            Code::Aborted => Self::Aborted,
            Code::ResourceExhausted => Self::ResourceExhausted,
            Code::Unavailable => Self::Unavailable,
            Code::DeadlineExceeded | Code::Cancelled => Self::DeadlineExceeded,
            Code::Ok | Code::Unknown | Code::Unimplemented | Code::Internal | Code::DataLoss => Self::Internal,
        }
    }

    /// The reason of a status that carries none of its own.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::InvalidArgument => "INVALID_ARGUMENT",
            Self::Unauthenticated => "UNAUTHENTICATED",
            Self::PermissionDenied => "PERMISSION_DENIED",
            Self::NotFound => "NOT_FOUND",
            Self::AlreadyExists => "ALREADY_EXISTS",
            Self::FailedPrecondition => "FAILED_PRECONDITION",
            Self::Aborted => "ABORTED",
            Self::ResourceExhausted => "RESOURCE_EXHAUSTED",
            Self::Unavailable => "UNAVAILABLE",
            Self::DeadlineExceeded => "DEADLINE_EXCEEDED",
            Self::Internal => "INTERNAL",
        }
    }
}

/// One thing that is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Where: a JSON pointer into the request.
    pub pointer: String,
    /// What is wrong there.
    pub detail: String,
}

/// An error of a domain, told in the platform's terms. `Display` is what the caller may read, without the source.
pub trait Fault: Error + 'static {
    /// What sort of fault it is.
    fn kind(&self) -> Kind;

    /// The stable name of this fault, in `UPPER_SNAKE`.
    fn reason(&self) -> &'static str;

    /// Facts that a program may act on; keys in `snake_case`.
    fn metadata(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Everything that is wrong with the request, for [`Kind::InvalidArgument`].
    fn violations(&self) -> Vec<Violation> {
        Vec::new()
    }
}

/// The status that tells a caller of this fault. A fault of ours is logged here, once, with the whole chain of its
/// sources, and answered without detail.
#[must_use]
pub fn status(fault: &dyn Fault) -> Status {
    if fault.kind() == Kind::Internal {
        tracing::error!(reason = fault.reason(), chain = %Chain(fault), "internal fault");
        return assemble(
            Kind::Internal,
            "internal error",
            ErrorDetails::with_error_info(Kind::Internal.reason(), DOMAIN, []),
        );
    }
    assemble(fault.kind(), &fault.to_string(), details(fault))
}

fn details(fault: &dyn Fault) -> ErrorDetails {
    let metadata = fault.metadata().into_iter().map(|(key, value)| (key.to_owned(), value));
    let mut details =
        ErrorDetails::with_error_info(fault.reason(), DOMAIN, metadata.collect::<std::collections::HashMap<_, _>>());
    for Violation { pointer, detail } in fault.violations() {
        details.add_bad_request_violation(pointer, detail);
    }
    if fault.kind() == Kind::Unavailable {
        details.set_retry_info(Some(RETRY_DELAY));
    }
    details
}

#[expect(clippy::disallowed_methods, reason = "the one place that makes a status")]
fn assemble(kind: Kind, message: &str, details: ErrorDetails) -> Status {
    Status::with_error_details(kind.code(), message, details)
}

/// Writes an error and all its sources on one line.
pub struct Chain<'a>(pub &'a (dyn Error + 'static));

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        let mut source = self.0.source();
        while let Some(error) = source {
            write!(f, ": {error}")?;
            source = error.source();
        }
        Ok(())
    }
}

impl fmt::Debug for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What another service said went wrong: the reading side of [`status`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remote {
    /// What sort of fault it is.
    pub kind: Kind,
    /// Its stable name; that of the kind when the service gave none, as for faults of the way there.
    pub reason: String,
    /// What a person may read.
    pub message: String,
    /// Facts that a program may act on.
    pub metadata: BTreeMap<String, String>,
    /// Everything that is wrong with the request.
    pub violations: Vec<Violation>,
}

impl Remote {
    /// Whether the very same call may be sent again.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.kind == Kind::Unavailable
    }
}

impl From<Status> for Remote {
    fn from(status: Status) -> Self {
        Self::from(&status)
    }
}

impl From<&Status> for Remote {
    fn from(status: &Status) -> Self {
        let kind = on_the_way(status).unwrap_or_else(|| Kind::of(status.code()));
        let details = status.get_error_details();
        let info = details.error_info();
        Self {
            kind,
            reason: info.map_or_else(|| kind.reason().to_owned(), |info| info.reason.clone()),
            message: status.message().to_owned(),
            metadata: info.map(|info| info.metadata.clone().into_iter().collect()).unwrap_or_default(),
            violations: details.bad_request().map(violations).unwrap_or_default(),
        }
    }
}

/// The kind of a fault that no service answered: only a status made on this side has a source.
fn on_the_way(status: &Status) -> Option<Kind> {
    let mut link = status.source();
    while let Some(error) = link {
        if error.is::<tonic::TimeoutExpired>() {
            return Some(Kind::DeadlineExceeded);
        }
        link = error.source();
    }
    status.source().map(|_| Kind::Unavailable)
}

fn violations(bad_request: &tonic_types::BadRequest) -> Vec<Violation> {
    let convert = |violation: &tonic_types::FieldViolation| Violation {
        pointer: violation.field.clone(),
        detail: violation.description.clone(),
    };
    bad_request.field_violations.iter().map(convert).collect()
}

impl fmt::Display for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason, self.message)
    }
}

impl Error for Remote {}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    enum Sample {
        #[error("the stake is out of range")]
        Stake,
        #[error("the database is away")]
        Away,
        #[error("the books do not balance")]
        Broken(#[source] std::io::Error),
    }

    impl Fault for Sample {
        fn kind(&self) -> Kind {
            match self {
                Self::Stake => Kind::InvalidArgument,
                Self::Away => Kind::Unavailable,
                Self::Broken(_) => Kind::Internal,
            }
        }
        fn reason(&self) -> &'static str {
            "STAKE_OUT_OF_RANGE"
        }
        fn metadata(&self) -> Vec<(&'static str, String)> {
            vec![("max_points", "1000".to_owned())]
        }
        fn violations(&self) -> Vec<Violation> {
            vec![Violation { pointer: "/stake/amount".to_owned(), detail: "at most 1000".to_owned() }]
        }
    }

    #[test]
    fn a_fault_arrives_as_it_was_sent() {
        let remote = Remote::from(status(&Sample::Stake));
        assert_eq!(remote.kind, Kind::InvalidArgument);
        assert_eq!(remote.reason, "STAKE_OUT_OF_RANGE");
        assert_eq!(remote.message, "the stake is out of range");
        assert_eq!(remote.metadata["max_points"], "1000");
        assert_eq!(remote.violations, Sample::Stake.violations());
    }

    #[test]
    fn an_internal_fault_says_nothing_of_its_cause() {
        let fault = Sample::Broken(std::io::Error::other("secret table"));
        assert_eq!(Chain(&fault).to_string(), "the books do not balance: secret table");
        let remote = Remote::from(status(&fault));
        assert_eq!((remote.kind, remote.reason.as_str()), (Kind::Internal, "INTERNAL"));
        assert_eq!(remote.message, "internal error");
        assert!(remote.metadata.is_empty() && remote.violations.is_empty());
    }

    #[test]
    fn an_unavailable_service_says_when_to_try_again() {
        let status = status(&Sample::Away);
        assert_eq!(status.get_error_details().retry_info().and_then(|info| info.retry_delay), Some(RETRY_DELAY));
        assert!(Remote::from(status).is_retryable());
    }

    #[test]
    fn a_status_without_details_is_named_after_its_kind() {
        for code in (0..=16).map(Code::from) {
            let kind = Kind::of(code);
            assert_eq!(Kind::of(kind.code()), kind);
        }
    }

    #[test]
    fn a_fault_of_the_way_is_unavailable_and_a_deadline_is_one() {
        let remote = Remote::from(Status::from_error(Box::new(std::io::Error::other("pipe"))));
        assert_eq!((remote.kind, remote.reason.as_str()), (Kind::Unavailable, "UNAVAILABLE"));
        let remote = Remote::from(Status::from_error(Box::new(tonic::TimeoutExpired(()))));
        assert_eq!((remote.kind, remote.reason.as_str()), (Kind::DeadlineExceeded, "DEADLINE_EXCEEDED"));
    }
}
