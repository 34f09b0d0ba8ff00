//! A batch of postings, decided one after the other on the same loaded state.
//!
//! Each posting sees what those before it did. A key that was answered before, in the database or earlier in this
//! batch, gets its first answer again; a refusal leaves everything as it was, so it spoils nobody. Not here: loading
//! and writing; the store does both in one transaction.

use std::collections::HashMap;

use super::answer::Outcome;
use super::currency::CurrencyTable;
use super::decide::{Loaded, decide};
use super::effects::{Effects, Stamp};
use super::ids::{RequestId, TransactionId};
use super::posting::{Fingerprint, Posting};
use super::refusal::Refusal;

/// The first answer to a key, and what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Of the content.
    pub fingerprint: Fingerprint,
    /// The answer.
    pub outcome: Outcome,
}

/// A posting that was decided here for the first time, to be written.
#[derive(Clone, Debug)]
pub struct Decided {
    /// What was asked.
    pub posting: Posting,
    /// Of its content.
    pub fingerprint: Fingerprint,
    /// When and as which transaction.
    pub stamp: Stamp,
    /// What it does, or why it does nothing.
    pub result: Result<Effects, Refusal>,
}

impl Decided {
    /// What is remembered under its key.
    pub fn outcome(&self) -> Outcome {
        self.result.as_ref().map(|effects| effects.answer.clone()).map_err(Clone::clone)
    }

    /// The transaction that it posts, if it moves anything.
    #[must_use]
    pub fn transaction(&self) -> Option<&TransactionId> {
        let effects = self.result.as_ref().ok()?;
        (!effects.entries.is_empty()).then_some(&self.stamp.transaction)
    }
}

/// The loaded state of a batch and what was decided on it so far.
#[derive(Debug)]
pub struct Book<'a> {
    table: &'a CurrencyTable,
    loaded: Loaded,
    remembered: HashMap<RequestId, Remembered>,
    decided: Vec<Decided>,
}

impl<'a> Book<'a> {
    /// A batch over what was loaded for it.
    #[must_use]
    pub const fn new(table: &'a CurrencyTable, loaded: Loaded, remembered: HashMap<RequestId, Remembered>) -> Self {
        Self { table, loaded, remembered, decided: Vec::new() }
    }

    /// Answers one posting.
    pub fn post(&mut self, posting: &Posting, stamp: Stamp) -> Outcome {
        let fingerprint = posting.command.fingerprint();
        if let Some(first) = self.remembered.get(&posting.key) {
            return if first.fingerprint == fingerprint {
                first.outcome.clone()
            } else {
                Err(Refusal::IdempotencyMismatch)
            };
        }
        let result = decide(posting, self.table, &self.loaded, &stamp);
        if let Ok(effects) = &result {
            self.carry_out(posting, effects);
        }
        let decided = Decided { posting: posting.clone(), fingerprint: fingerprint.clone(), stamp, result };
        let outcome = decided.outcome();
        self.remembered.insert(posting.key.clone(), Remembered { fingerprint, outcome: outcome.clone() });
        self.decided.push(decided);
        outcome
    }

    fn carry_out(&mut self, posting: &Posting, effects: &Effects) {
        self.loaded.accounts.extend(effects.accounts.iter().map(|account| (account.key.clone(), account.clone())));
        self.loaded.holds.extend(effects.holds.iter().cloned());
        self.loaded.ended_sets.extend(posting.command.set().cloned());
    }

    /// What is to be written, in the order in which it was decided.
    #[must_use]
    pub fn into_decided(self) -> Vec<Decided> {
        self.decided
    }
}
