//! The statement of an account: one line for every transaction that touches it, with the balance after it.
//!
//! Not here: the journal's entries, which the lines are computed from; see [`super::effects`].

use farside_kit::time::UnixMs;

use super::account::Account;
use super::ids::{Text, TransactionId};
use super::points::{Change, Points};

/// What a line of a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// Points from issuance.
    Grant,
    /// A stake set aside.
    Hold,
    /// A stake back before a set began.
    Release,
    /// A set won.
    Win,
    /// A set lost.
    Loss,
    /// A stake back after a draw.
    Split,
    /// A stake back after an abort.
    Refund,
}

impl LineKind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Grant, Self::Hold, Self::Release, Self::Win, Self::Loss, Self::Split, Self::Refund];

    /// The stored name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grant => "grant",
            Self::Hold => "hold",
            Self::Release => "release",
            Self::Win => "win",
            Self::Loss => "loss",
            Self::Split => "split",
            Self::Refund => "refund",
        }
    }

    /// The kind with that stored name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// One line. It is written once and never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The account after it; `after.lines` is the line's number, from 1.
    pub after: Account,
    /// The transaction that it belongs to.
    pub transaction: TransactionId,
    /// What it is.
    pub kind: LineKind,
    /// Change of what is posted.
    pub posted_change: Change,
    /// Change of what is held.
    pub held_change: Change,
    /// The fee within it.
    pub fee: Points,
    /// What it is about: `chal_…`, `set_…` or a memo.
    pub subject: Text,
    /// The participant that it concerns, or empty.
    pub participant: Text,
    /// When.
    pub at: UnixMs,
}
