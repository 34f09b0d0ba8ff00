//! The invariants of the ledger, judged on figures that the store has added up.
//!
//! Not here: adding up, and what follows from a violation. Sums here are plain 64-bit numbers, not [`super::points`]:
//! an audit must be able to look at figures that should be impossible.

use std::collections::BTreeMap;

use farside_kit::time::UnixMs;
use serde::{Deserialize, Serialize};

/// How much of the history an audit replays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// What was written since the last audit of each account.
    Recent,
    /// Everything.
    Full,
}

/// Totals over one currency.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Posted on all players' accounts.
    pub players_posted_points: i64,
    /// Held on them.
    pub players_held_points: i64,
    /// Amounts of all open holds.
    pub escrowed_points: i64,
    /// Issued so far.
    pub issued_points: i64,
    /// Fees taken so far.
    pub fees_points: i64,
    /// Open holds.
    pub open_holds: i64,
    /// Accounts of players.
    pub accounts: i64,
}

impl Totals {
    /// The sum over all accounts, which is zero at every moment.
    #[must_use]
    pub const fn imbalance_points(&self) -> i64 {
        self.players_posted_points.saturating_add(self.fees_points).saturating_sub(self.issued_points)
    }
}

/// One invariant that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Violation {
    /// Points came from nowhere or went there.
    #[error("the sum over all accounts in {currency} is {imbalance_points} points, not zero")]
    SumNotZero {
        /// In which currency.
        currency: String,
        /// How many too many.
        imbalance_points: i64,
    },
    /// Posted ≥ held ≥ 0 does not hold.
    #[error("account {account} in {currency} has {posted_points} points posted and {held_points} held")]
    HeldOutOfRange {
        /// Whose.
        account: String,
        /// In which currency.
        currency: String,
        /// What is posted.
        posted_points: i64,
        /// What is held.
        held_points: i64,
    },
    /// What is held is not what the open holds add up to.
    #[error("account {account} in {currency} has {held_points} points held, its open holds are {escrowed_points}")]
    EscrowDiffers {
        /// Whose.
        account: String,
        /// In which currency.
        currency: String,
        /// What the account says.
        held_points: i64,
        /// What the holds say.
        escrowed_points: i64,
    },
    /// An account is not what its statement adds up to.
    #[error("account {account} in {currency} is not what its {lines} lines add up to")]
    ReplayDiffers {
        /// Whose.
        account: String,
        /// In which currency.
        currency: String,
        /// How many lines there are.
        lines: i64,
    },
    /// A statement line is not what the journal says.
    #[error("line {line} of account {account} in {currency} is not what the journal says")]
    JournalDiffers {
        /// Whose.
        account: String,
        /// In which currency.
        currency: String,
        /// Which line.
        line: i64,
    },
    /// A transaction did not pay out exactly the stakes that it ended.
    #[error("transaction {transaction} ended stakes of {staked_points} points and paid out {paid_points}")]
    StakesDiffer {
        /// Which.
        transaction: String,
        /// What the holds that it ended amount to.
        staked_points: i64,
        /// What it took out of escrow: payout and fee.
        paid_points: i64,
    },
}

/// An account, where its last audit left it, and what its lines since then add up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// Whose.
    pub account: String,
    /// In which currency.
    pub currency: String,
    /// As it is.
    pub now: Mark,
    /// As it was when it was audited last; zero for a full replay.
    pub before: Mark,
    /// What happened in between, by the lines: their number and the sums of their changes.
    pub between: Mark,
    /// As the latest line in between says; `None` when there is none.
    pub latest: Option<Mark>,
}

/// An account's number of lines and balances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Number of lines.
    pub lines: i64,
    /// Posted.
    pub posted_points: i64,
    /// Held.
    pub held_points: i64,
}

impl Mark {
    const fn plus(self, other: Self) -> Self {
        Self {
            lines: self.lines.saturating_add(other.lines),
            posted_points: self.posted_points.saturating_add(other.posted_points),
            held_points: self.held_points.saturating_add(other.held_points),
        }
    }
}

impl Replay {
    /// The folded balance must be the replayed entries, and what the latest line said it would be.
    #[must_use]
    pub fn violation(&self) -> Option<Violation> {
        let replayed = self.before.plus(self.between);
        let holds = replayed == self.now && self.latest.is_none_or(|latest| latest == self.now);
        (!holds).then(|| Violation::ReplayDiffers {
            account: self.account.clone(),
            currency: self.currency.clone(),
            lines: replayed.lines,
        })
    }
}

/// What an audit found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// When it was checked.
    pub checked_at_ms: i64,
    /// How much of the history was replayed.
    pub scope: Scope,
    /// What does not hold, in sentences.
    pub violations: Vec<String>,
    /// By currency.
    pub totals: BTreeMap<String, Totals>,
}

impl Report {
    /// The report of an audit with these totals, which are judged here, and with what was found in the accounts.
    #[must_use]
    pub fn new(at: UnixMs, scope: Scope, totals: BTreeMap<String, Totals>, found: &[Violation]) -> Self {
        let sums = totals.iter().filter(|(_, totals)| totals.imbalance_points() != 0).map(|(currency, totals)| {
            Violation::SumNotZero { currency: currency.clone(), imbalance_points: totals.imbalance_points() }
        });
        let violations = sums.map(|violation| violation.to_string()).chain(found.iter().map(ToString::to_string));
        Self { checked_at_ms: at.0, scope, violations: violations.collect(), totals }
    }

    /// Whether every invariant holds.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.violations.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replay(now: Mark, latest: Option<Mark>) -> Replay {
        let before = Mark { lines: 2, posted_points: 100, held_points: 10 };
        let between = Mark { lines: 1, posted_points: 0, held_points: -10 };
        Replay { account: "a".into(), currency: "PTS".into(), now, before, between, latest }
    }

    #[test]
    fn a_balance_is_what_its_lines_add_up_to() {
        let right = Mark { lines: 3, posted_points: 100, held_points: 0 };
        assert_eq!(replay(right, Some(right)).violation(), None);
        for wrong in
            [Mark { lines: 4, ..right }, Mark { posted_points: 101, ..right }, Mark { held_points: 1, ..right }]
        {
            assert!(replay(wrong, Some(right)).violation().is_some(), "{wrong:?}");
            assert!(replay(right, Some(wrong)).violation().is_some(), "{wrong:?}");
        }
    }

    #[test]
    fn the_sum_over_all_accounts_is_zero() {
        let balanced =
            Totals { players_posted_points: 990, issued_points: 1_000, fees_points: 10, ..Totals::default() };
        let report = |totals| Report::new(UnixMs(1), Scope::Full, BTreeMap::from([("PTS".to_owned(), totals)]), &[]);
        assert!(report(balanced.clone()).is_ok());
        let report = report(Totals { players_posted_points: 991, ..balanced });
        assert_eq!(report.violations, ["the sum over all accounts in PTS is 1 points, not zero"]);
    }
}
