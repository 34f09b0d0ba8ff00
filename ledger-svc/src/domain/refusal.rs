//! Why a posting is refused for what it asks: business reasons, remembered under the posting's key.
//!
//! Not here: that the ledger cannot answer now (queue full, audit violation, database away). Such answers are never
//! remembered; see `engine::fault`.

use farside_kit::fault::{Fault, Kind};
use serde::{Deserialize, Serialize};

use super::points::Points;

/// A refusal. The variants are in order of precedence over all postings; each posting can have those that its contract
/// names. Stored as JSON under the names given here, so that a retry gets the very same answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Refusal {
    /// The key was used for something else. Never stored: what the key was used for first stays.
    #[error("the request id was used before with other content")]
    IdempotencyMismatch,
    /// No account can have this name.
    #[error("the account id must be 1 to 128 visible ASCII characters")]
    AccountInvalid,
    /// There is no such currency.
    #[error("there is no such currency")]
    CurrencyUnknown,
    /// Not an amount that can be granted to this account.
    #[error("the amount must be from 0 to what the account can take")]
    AmountInvalid,
    /// The stake is outside the currency's limits.
    #[error("the stake must be from {min} to {max}")]
    StakeOutOfRange {
        /// Smallest stake.
        min: Points,
        /// Largest stake.
        max: Points,
    },
    /// The stake is above what the participant may stake.
    #[error("the stake is above the participant's limit of {max_stake_points}")]
    StakeAboveMax {
        /// The limit as the caller gave it.
        max_stake_points: i64,
    },
    /// The account was never opened.
    #[error("there is no such account")]
    AccountNotFound,
    /// The hold was released before it happened.
    #[error("the hold was released before it was made")]
    HoldReleased,
    /// Not enough is available.
    #[error("{available} points are available")]
    InsufficientBalance {
        /// What is available.
        available: Points,
    },
    /// One of the holds never happened.
    #[error("there is no such hold")]
    HoldNotFound,
    /// The holds are not the two equal stakes of two accounts.
    #[error("a set has two holds of two accounts with one currency and one amount")]
    HoldsDiffer,
    /// One of the holds, or the set, has ended.
    #[error("a hold of it was settled, split, refunded or released already")]
    HoldClosed,
}

impl Fault for Refusal {
    fn kind(&self) -> Kind {
        match self {
            Self::IdempotencyMismatch => Kind::AlreadyExists,
            Self::AccountInvalid
            | Self::CurrencyUnknown
            | Self::AmountInvalid
            | Self::StakeOutOfRange { .. }
            | Self::StakeAboveMax { .. }
            | Self::HoldsDiffer => Kind::InvalidArgument,
            Self::AccountNotFound | Self::HoldNotFound => Kind::NotFound,
            Self::HoldReleased | Self::InsufficientBalance { .. } | Self::HoldClosed => Kind::FailedPrecondition,
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::IdempotencyMismatch => "IDEMPOTENCY_MISMATCH",
            Self::AccountInvalid => "ACCOUNT_INVALID",
            Self::CurrencyUnknown => "CURRENCY_UNKNOWN",
            Self::AmountInvalid => "AMOUNT_INVALID",
            Self::StakeOutOfRange { .. } => "STAKE_OUT_OF_RANGE",
            Self::StakeAboveMax { .. } => "STAKE_ABOVE_MAX",
            Self::AccountNotFound => "ACCOUNT_NOT_FOUND",
            Self::HoldReleased => "HOLD_RELEASED",
            Self::InsufficientBalance { .. } => "INSUFFICIENT_BALANCE",
            Self::HoldNotFound => "HOLD_NOT_FOUND",
            Self::HoldsDiffer => "HOLDS_DIFFER",
            Self::HoldClosed => "HOLD_CLOSED",
        }
    }

    fn metadata(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::StakeOutOfRange { min, max } => {
                vec![("stake_min_points", min.to_string()), ("stake_max_points", max.to_string())]
            }
            Self::StakeAboveMax { max_stake_points } => vec![("max_stake_points", max_stake_points.to_string())],
            Self::InsufficientBalance { available } => vec![("available_points", available.to_string())],
            _ => Vec::new(),
        }
    }
}
