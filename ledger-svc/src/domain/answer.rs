//! What a posting is answered with, as it is stored under its key.
//!
//! Not here: the wire form; see `grpc::answer`.

use serde::{Deserialize, Serialize};

use super::account::Balance;
use super::ids::TransactionId;
use super::points::Points;
use super::refusal::Refusal;

/// The answer to a posting, refusals included. Its JSON is stored and read back for every retry: names are never
/// changed, fields only added.
pub type Outcome = Result<Answer, Refusal>;

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Points were granted.
    Granted {
        /// The balance after.
        balance: Balance,
        /// Absent when the amount was 0.
        transaction: Option<TransactionId>,
    },
    /// A stake is set aside.
    Held {
        /// The balance after.
        balance: Balance,
        /// What a win of this stake brings after the fee.
        winnings: Points,
        /// The journal's transaction.
        transaction: TransactionId,
    },
    /// A stake is given back.
    Released {
        /// Absent when there was nothing to give back.
        transaction: Option<TransactionId>,
    },
    /// The winner is paid.
    Settled {
        /// The journal's transaction.
        transaction: TransactionId,
        /// Both stakes less the fee.
        payout: Points,
        /// The fee.
        fee: Points,
    },
    /// Both stakes are given back after a draw.
    Split {
        /// The journal's transaction.
        transaction: TransactionId,
    },
    /// Both stakes are given back after an abort.
    Refunded {
        /// The journal's transaction.
        transaction: TransactionId,
    },
}
