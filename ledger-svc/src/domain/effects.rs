//! What a decided posting writes, as data.
//!
//! Not here: rules. An entry has two legs and one positive amount, so a transaction cannot but sum to zero; statement
//! lines and balances are computed from the entries and from nothing else, so they cannot disagree with them.

use farside_kit::time::UnixMs;

use super::account::{Account, AccountKey};
use super::answer::Answer;
use super::currency::Currency;
use super::hold::{Hold, HoldRecord};
use super::ids::{AccountId, HoldId, Text, TransactionId};
use super::points::{Change, Points};
use super::statement::{Line, LineKind};

/// Where points can be.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// On a player's account, free to be staked.
    Available(AccountId),
    /// On a player's account, set aside.
    Escrow(AccountId),
    /// On an account of the platform.
    System(System),
}

/// The accounts of the platform. They may go below zero: issuance always is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum System {
    /// Where granted points come from.
    Issuance,
    /// Where fees go.
    Fee,
}

impl System {
    /// The stored name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Issuance => "issuance",
            Self::Fee => "fee",
        }
    }
}

impl Place {
    /// The player's account that the points are on.
    #[must_use]
    pub const fn account(&self) -> Option<&AccountId> {
        match self {
            Self::Available(account) | Self::Escrow(account) => Some(account),
            Self::System(_) => None,
        }
    }
}

/// One entry of the journal: so many points from one place to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where they come from.
    pub from: Place,
    /// Where they go.
    pub to: Place,
    /// In which currency.
    pub currency: Currency,
    /// How many; never zero.
    pub amount: Points,
}

/// Everything that a posting writes, and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects {
    /// Its entries; empty when it moves nothing.
    pub entries: Vec<Entry>,
    /// Its lines in the statements.
    pub lines: Vec<Line>,
    /// The accounts after it.
    pub accounts: Vec<Account>,
    /// Holds made, ended or buried.
    pub holds: Vec<(HoldId, HoldRecord)>,
    /// What the caller is told.
    pub answer: Answer,
}

impl Effects {
    /// No effect but an answer.
    #[must_use]
    pub const fn none(answer: Answer) -> Self {
        Self { entries: Vec::new(), lines: Vec::new(), accounts: Vec::new(), holds: Vec::new(), answer }
    }
}

/// Which transaction it is and when: what a decision cannot make up by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The transaction's id, used only if something is posted.
    pub transaction: TransactionId,
    /// Now.
    pub now: UnixMs,
}

/// A transaction in the making.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    stamp: &'a Stamp,
    currency: Currency,
    entries: Vec<Entry>,
}

/// What a statement line says beyond its figures.
#[derive(Clone, Debug)]
pub(super) struct Note {
    pub(super) kind: LineKind,
    pub(super) fee: Points,
    pub(super) subject: Text,
    pub(super) participant: Text,
}

impl Note {
    /// A note about a hold, under this subject.
    pub(super) fn about(kind: LineKind, hold: &Hold, subject: Text) -> Self {
        Self { kind, fee: Points::ZERO, subject, participant: hold.participant.clone() }
    }
}

impl<'a> Draft<'a> {
    pub(super) const fn new(stamp: &'a Stamp, currency: Currency) -> Self {
        Self { stamp, currency, entries: Vec::new() }
    }

    /// Moves points; moving none leaves no entry.
    pub(super) fn transfer(mut self, from: Place, to: Place, amount: Points) -> Self {
        if amount > Points::ZERO {
            self.entries.push(Entry { from, to, currency: self.currency.clone(), amount });
        }
        self
    }

    /// The line that this transaction leaves in an account's statement; `None` when the account cannot bear it.
    pub(super) fn line(&self, account: &Account, note: Note) -> Option<Line> {
        let (posted_change, held_change) = self.changes(&account.key);
        let after = account.after(posted_change, held_change)?;
        let Note { kind, fee, subject, participant } = note;
        let (transaction, at) = (self.stamp.transaction.clone(), self.stamp.now);
        Some(Line { after, transaction, kind, posted_change, held_change, fee, subject, participant, at })
    }

    /// The sums of the legs on this account: of what is posted, of what is held.
    fn changes(&self, key: &AccountKey) -> (Change, Change) {
        let start = (Change::ZERO, Change::ZERO);
        let taken = self.entries.iter().fold(start, |(posted, held), entry| match &entry.from {
            Place::Available(account) if *account == key.account => (posted.minus(entry.amount), held),
            Place::Escrow(account) if *account == key.account => (posted.minus(entry.amount), held.minus(entry.amount)),
            _ => (posted, held),
        });
        self.entries.iter().fold(taken, |(posted, held), entry| match &entry.to {
            Place::Available(account) if *account == key.account => (posted.plus(entry.amount), held),
            Place::Escrow(account) if *account == key.account => (posted.plus(entry.amount), held.plus(entry.amount)),
            _ => (posted, held),
        })
    }

    /// The effects of this transaction.
    pub(super) fn finish(self, lines: Vec<Line>, holds: Vec<(HoldId, HoldRecord)>, answer: Answer) -> Effects {
        let accounts = lines.iter().map(|line| line.after.clone()).collect();
        Effects { entries: self.entries, lines, accounts, holds, answer }
    }
}
