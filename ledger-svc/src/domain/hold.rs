//! A stake that is set aside, and its one way to end.
//!
//! Not here: the set that it is for. The ledger knows it by the subject only and never ends a hold by itself.

use super::account::AccountKey;
use super::ids::{HoldId, Text, TransactionId};
use super::points::Points;

/// What is known under a hold's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoldRecord {
    /// It was released before it happened, so that it can never happen: a tombstone.
    Void,
    /// It happened.
    Made(Hold),
}

/// A hold that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// Its name.
    pub id: HoldId,
    /// Whose stake.
    pub key: AccountKey,
    /// How much.
    pub amount: Points,
    /// What it is for, for example `chal_…`.
    pub subject: Text,
    /// The participant that staked.
    pub participant: Text,
    /// Where it stands.
    pub state: HoldState,
}

/// Where a hold stands. It leaves `Open` once and never comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoldState {
    /// The stake is set aside.
    Open,
    /// It ended, in that transaction.
    Ended(Ending, TransactionId),
}

/// How a hold ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Given back before a set began.
    Released,
    /// Paid to the winner or back to it.
    Settled,
    /// Given back after a draw.
    Split,
    /// Given back after an abort.
    Refunded,
}

impl Hold {
    /// Whether the stake is still set aside.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self.state, HoldState::Open)
    }

    /// The same hold, ended.
    #[must_use]
    pub fn ended(&self, ending: Ending, transaction: TransactionId) -> Self {
        Self { state: HoldState::Ended(ending, transaction), ..self.clone() }
    }
}
