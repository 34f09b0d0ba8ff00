//! What a database error means for the one who has to go on.
//!
//! Not here: the answer to it. Codes are read from SQLSTATE (PostgreSQL) and extended result codes (SQLite), never from texts.

use std::error::Error;

use sea_orm::sqlx;
use sea_orm::{DbErr, RuntimeErr};

use crate::fault::Kind;

/// What went wrong in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DbProblem {
    /// There is such a row already.
    UniqueViolation,
    /// The row that another refers to is missing, or still referred to.
    ForeignKeyViolation,
    /// A check of the table says no.
    CheckViolation,
    /// Another transaction got in between; the whole transaction may be tried again.
    SerializationFailure,
    /// Two transactions waited for each other; the whole transaction may be tried again.
    Deadlock,
    /// A row or the file is locked, and waiting for it is over.
    LockTimeout,
    /// The database cannot be reached now.
    Unavailable,
    /// Anything else: a fault of ours.
    Other,
}

impl DbProblem {
    /// What sort of fault it is when nobody knows what to make of it: whatever passes may be tried again by the caller,
    /// the rest is a fault of ours. Violations that a domain expects are its own to name.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Unavailable | Self::SerializationFailure | Self::Deadlock | Self::LockTimeout => Kind::Unavailable,
            Self::UniqueViolation | Self::ForeignKeyViolation | Self::CheckViolation | Self::Other => Kind::Internal,
        }
    }

    /// Whether the same transaction may succeed when it is tried again at once. It has been rolled back for certain.
    #[must_use]
    pub const fn is_transient(self) -> bool {
        matches!(self, Self::SerializationFailure | Self::Deadlock | Self::LockTimeout)
    }
}

/// Tells what a database error means.
#[must_use]
pub fn classify(error: &DbErr) -> DbProblem {
    match error {
        DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => DbProblem::Unavailable,
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => classify_sqlx(error),
        _ => DbProblem::Other,
    }
}

/// Whether a database that could not be opened may be there later: nobody answers, or it is starting. What it says no to,
/// such as a wrong password, it will say no to again.
pub(crate) fn may_come(error: &DbErr) -> bool {
    let problem = match error {
        DbErr::Conn(RuntimeErr::SqlxError(error)) => classify_sqlx(error),
        error => classify(error),
    };
    problem == DbProblem::Unavailable
}

/// The name of the constraint that was violated, where the database tells it (PostgreSQL does).
#[must_use]
pub fn constraint(error: &DbErr) -> Option<&str> {
    match error {
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => {
            error.as_database_error().and_then(|error| error.constraint())
        }
        _ => None,
    }
}

fn classify_sqlx(error: &sqlx::Error) -> DbProblem {
    match error {
        sqlx::Error::Database(error) => error.code().map_or(DbProblem::Other, |code| by_code(&code)),
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => DbProblem::Unavailable,
        _ => DbProblem::Other,
    }
}

/// SQLSTATEs have five characters; SQLite's extended result codes are decimal numbers of at most four.
fn by_code(code: &str) -> DbProblem {
    match code {
        "23505" | "2067" | "1555" => DbProblem::UniqueViolation,
        "23503" | "787" | "1811" => DbProblem::ForeignKeyViolation,
        "23514" | "275" => DbProblem::CheckViolation,
        "40001" | "517" => DbProblem::SerializationFailure,
        "40P01" => DbProblem::Deadlock,
        "55P03" | "5" | "6" | "261" | "773" => DbProblem::LockTimeout,
        // Shutting down, starting up, too many connections, and every failure of a connection.
        "57P01" | "57P02" | "57P03" | "53300" => DbProblem::Unavailable,
        code if code.len() == 5 && code.starts_with("08") => DbProblem::Unavailable,
        _ => DbProblem::Other,
    }
}

/// The database error within another error's chain of sources.
pub(super) fn within<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a DbErr> {
    let mut link = Some(error);
    while let Some(error) = link {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        link = error.source();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_both_databases_are_known() {
        for (code, problem) in [
            ("23505", DbProblem::UniqueViolation),
            ("1555", DbProblem::UniqueViolation),
            ("23514", DbProblem::CheckViolation),
            ("40001", DbProblem::SerializationFailure),
            ("40P01", DbProblem::Deadlock),
            ("55P03", DbProblem::LockTimeout),
            ("5", DbProblem::LockTimeout),
            ("08006", DbProblem::Unavailable),
            ("42601", DbProblem::Other),
            ("1", DbProblem::Other),
        ] {
            assert_eq!(by_code(code), problem, "{code}");
        }
    }

    #[test]
    fn only_problems_that_pass_are_tried_again() {
        assert!(DbProblem::Deadlock.is_transient());
        assert!(!DbProblem::Unavailable.is_transient(), "whether it was committed is not known");
        assert!(!DbProblem::UniqueViolation.is_transient());
    }

    #[test]
    fn what_cannot_be_reached_may_come() {
        let opening = |error: sqlx::Error| DbErr::Conn(RuntimeErr::SqlxError(error.into()));
        assert!(may_come(&opening(sqlx::Error::PoolTimedOut)));
        assert!(may_come(&opening(std::io::Error::other("the name does not resolve").into())));
        assert!(!may_come(&opening(sqlx::Error::Protocol("no PostgreSQL answers here".to_owned()))));
        assert!(!may_come(&DbErr::Custom("no name for a schema".to_owned())));
    }

    #[test]
    fn a_database_error_is_found_below_another() {
        #[derive(Debug, thiserror::Error)]
        #[error("storage")]
        struct Storage(#[source] DbErr);
        assert_eq!(within(&Storage(DbErr::UnpackInsertId)), Some(&DbErr::UnpackInsertId));
        assert_eq!(within(&std::io::Error::other("x")), None);
    }
}
