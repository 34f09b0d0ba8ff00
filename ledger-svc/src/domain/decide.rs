//! Decides one posting on what is loaded. One posting, one file; the order of the checks in it is the order of errors.
//!
//! Not here: keys that were used before ([`super::book`]) and anything that a posting cannot be refused for.

mod close;
mod grant;
mod hold;
mod release;

use std::collections::{HashMap, HashSet};

use super::account::{Account, AccountKey};
use super::currency::CurrencyTable;
use super::effects::{Effects, Stamp};
use super::hold::HoldRecord;
use super::ids::{HoldId, SetId};
use super::posting::{Command, Posting};
use super::refusal::Refusal;

/// What was loaded, and locked, for a decision: every account and hold that the posting names, as far as it exists.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// Accounts by owner and currency.
    pub accounts: HashMap<AccountKey, Account>,
    /// Holds by name.
    pub holds: HashMap<HoldId, HoldRecord>,
    /// The sets whose stakes have ended.
    pub ended_sets: HashSet<SetId>,
}

/// Decides a posting whose key is new.
///
/// # Errors
///
/// The first refusal in the order that the posting's contract gives.
pub fn decide(posting: &Posting, table: &CurrencyTable, loaded: &Loaded, stamp: &Stamp) -> Result<Effects, Refusal> {
    match &posting.command {
        Command::Grant(grant) => grant::decide(grant, table, loaded, stamp),
        Command::Hold(place) => hold::decide(&posting.key, place, table, loaded, stamp),
        Command::Release(release) => release::decide(release, loaded, stamp),
        Command::Settle(settle) => close::settle(settle, table, loaded, stamp),
        Command::Split(close) => close::split(close, loaded, stamp),
        Command::Refund(close) => close::refund(close, loaded, stamp),
    }
}

#[cfg(test)]
mod tests;
