//! The log of operations: what is asked for, what was done before, what is written down.
//!
//! Not here: statements (`table`) and messages (`contract`).

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::fault::OperationFault;
use super::table;
use crate::db::Database;
use crate::fault::Remote;
use crate::grpc::caller;
use crate::ids::{SharedIds, new_ulid};
use crate::time::{SharedClock, UnixMs};

/// Longest idempotency key, in bytes.
const REQUEST_ID_BYTES_MAX: usize = 128;
/// Longest reason, in bytes.
const REASON_BYTES_MAX: usize = 512;
/// The step of a line that is about the whole operation.
const WHOLE: &str = "";

/// Something that an operator asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The name of the operator's key; of the caller when that is the same process.
    pub operator: String,
    /// What, for example `abort-set`.
    pub name: &'static str,
    /// With which arguments, as JSON.
    pub arguments: String,
    /// Idempotency key.
    pub request_id: String,
    /// Why.
    pub reason: String,
}

impl Operation {
    /// The operation that `request` asks for.
    #[must_use]
    pub fn of<T>(request: &tonic::Request<T>, name: &'static str, arguments: &Value) -> Self {
        let caller = caller(request);
        let operator = caller.map(|caller| caller.operator().unwrap_or(caller.name())).unwrap_or_default();
        let (operator, arguments) = (operator.to_owned(), arguments.to_string());
        Self { operator, name, arguments, request_id: String::new(), reason: String::new() }
    }

    /// The same under this key, for this reason.
    #[must_use]
    pub fn because(self, request_id: &str, reason: &str) -> Self {
        Self { request_id: request_id.to_owned(), reason: reason.to_owned(), ..self }
    }

    /// Whether it can be logged.
    ///
    /// # Errors
    ///
    /// When its key or its reason is missing or too long.
    pub fn check(&self) -> Result<(), OperationFault> {
        let key = &self.request_id;
        if !(1..=REQUEST_ID_BYTES_MAX).contains(&key.len()) || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(OperationFault::Invalid("request_id must be 1 to 128 visible ASCII characters"));
        }
        let reason = &self.reason;
        if reason.trim().is_empty() || reason.len() > REASON_BYTES_MAX || reason.chars().any(char::is_control) {
            return Err(OperationFault::Invalid("reason must be 1 to 512 bytes without control characters"));
        }
        Ok(())
    }

    /// A hash of what it asks for, without key and reason.
    #[must_use]
    pub(super) fn fingerprint(&self) -> String {
        let hash = Sha256::new().chain_update(self.name).chain_update([0]).chain_update(&self.arguments);
        hex::encode(hash.finalize())
    }
}

/// How an operation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Carried out.
    Done,
    /// Refused; nothing changed.
    Refused,
}

/// A line that is about to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    pub(super) id: String,
    pub(super) at: UnixMs,
    pub(super) operation: Operation,
    pub(super) step: String,
    pub(super) outcome: Outcome,
    pub(super) detail: String,
}

impl LogEntry {
    /// What no other line has: the operation's idempotency key, and the step of it.
    #[must_use]
    pub fn key(&self) -> (&str, &str) {
        (&self.operation.request_id, &self.step)
    }

    /// The moment that the line is about.
    #[must_use]
    pub const fn at(&self) -> UnixMs {
        self.at
    }
}

/// A line as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// A ULID: later lines have greater ones.
    pub id: String,
    /// When.
    pub at: UnixMs,
    /// Who.
    pub operator: String,
    /// What.
    pub operation: String,
    /// With which arguments, as JSON.
    pub arguments: String,
    /// Why.
    pub reason: String,
    /// How it ended.
    pub outcome: Outcome,
    /// What came of it, as JSON.
    pub detail: String,
    /// Idempotency key.
    pub request_id: String,
    /// Which part of a long operation; empty for the whole.
    pub step: String,
}

/// What was done before under a key: the detail of each step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub(super) steps: BTreeMap<String, String>,
}

impl Seen {
    /// What came of the whole operation, when it was carried out.
    #[must_use]
    pub fn whole(&self) -> Option<&str> {
        self.step(WHOLE)
    }

    /// What came of one step, when it was carried out.
    #[must_use]
    pub fn step(&self, name: &str) -> Option<&str> {
        self.steps.get(name).map(String::as_str)
    }
}

/// A service's log of operations. Cheap to clone.
#[derive(Clone, Debug)]
pub struct OperatorLog {
    database: Database,
    clock: SharedClock,
    ids: SharedIds,
}

impl OperatorLog {
    /// The log in a service's database, whose migrations have [`super::migration`].
    #[must_use]
    pub fn new(database: Database, clock: SharedClock, ids: SharedIds) -> Self {
        Self { database, clock, ids }
    }

    /// Checks an operation, and tells what was done of it before.
    ///
    /// # Errors
    ///
    /// When it cannot be logged, or its key was used for another one.
    pub async fn seen(&self, operation: &Operation) -> Result<Seen, OperationFault> {
        operation.check()?;
        table::seen(self.database.read(), operation).await
    }

    /// The line that says that an operation was carried out; [`super::append`] writes it in the transaction of the effect.
    #[must_use]
    pub fn done(&self, operation: &Operation, detail: &Value) -> LogEntry {
        self.done_step(operation, WHOLE, detail)
    }

    /// As [`OperatorLog::done`], for a part of a long operation.
    #[must_use]
    pub fn done_step(&self, operation: &Operation, step: &str, detail: &Value) -> LogEntry {
        self.entry(operation, step.to_owned(), Outcome::Done, detail)
    }

    fn entry(&self, operation: &Operation, step: String, outcome: Outcome, detail: &Value) -> LogEntry {
        let at = self.clock.now();
        let (id, operation) = (new_ulid(at, self.ids.random_u128()), operation.clone());
        LogEntry { id, at, operation, step, outcome, detail: detail.to_string() }
    }

    /// Writes an operation down when it was refused, and hands its outcome on.
    ///
    /// # Errors
    ///
    /// The refusal.
    pub async fn answered<T>(
        &self,
        operation: &Operation,
        outcome: Result<T, tonic::Status>,
    ) -> Result<T, tonic::Status> {
        if let Err(status) = &outcome {
            let told = Remote::from(status);
            self.refused(operation, &told.reason, &told.message).await;
        }
        outcome
    }

    /// Writes a refusal down, once for each key and reason. The refusal itself does not depend on it.
    async fn refused(&self, operation: &Operation, reason: &str, message: &str) {
        let detail = json!({ "reason": reason, "message": message });
        let entry = self.entry(&operation.shortened(), format!("refused:{reason}"), Outcome::Refused, &detail);
        let written = self.database.write::<_, bool, sea_orm::DbErr>(move |tx| {
            let entry = entry.clone();
            Box::pin(async move { table::append(tx, &entry).await })
        });
        if let Err(error) = written.await {
            tracing::error!(%error, operation = operation.name, reason, "a refused operation is not in the log");
        }
    }

    /// A page of the log, newest first, before the line `before`.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn page(&self, before: Option<&str>, limit: u64) -> Result<Vec<Line>, OperationFault> {
        table::page(self.database.read(), before, limit).await
    }
}

impl Operation {
    /// What can be stored of an operation that was refused for its key or reason.
    fn shortened(&self) -> Self {
        let cut = |text: &str, bytes: usize| text.chars().filter(|letter| !letter.is_control()).take(bytes).collect();
        Self {
            request_id: cut(&self.request_id, REQUEST_ID_BYTES_MAX),
            reason: cut(&self.reason, REASON_BYTES_MAX),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(request_id: &str, reason: &str) -> Operation {
        let (operator, arguments) = ("ann".to_owned(), "{}".to_owned());
        Operation {
            operator,
            name: "abort-set",
            arguments,
            request_id: request_id.to_owned(),
            reason: reason.to_owned(),
        }
    }

    #[test]
    fn an_operation_needs_a_key_and_a_reason() {
        assert!(operation("op_1", "a stuck set").check().is_ok());
        let (long_key, long_reason) = ("k".repeat(129), "r".repeat(513));
        for (key, reason) in
            [("", "why"), ("two words", "why"), (&*long_key, "why"), ("k", " "), ("k", "a\nb"), ("k", &*long_reason)]
        {
            assert!(matches!(operation(key, reason).check(), Err(OperationFault::Invalid(_))), "{key} {reason}");
        }
    }

    #[test]
    fn the_reason_is_no_part_of_what_is_asked_for() {
        let one = operation("k", "one");
        assert_eq!(one.fingerprint(), operation("k", "other").fingerprint());
        assert_ne!(one.fingerprint(), Operation { arguments: "{\"a\":1}".to_owned(), ..one.clone() }.fingerprint());
        assert_ne!(one.fingerprint(), Operation { name: "grant", ..operation("k", "one") }.fingerprint());
    }
}
