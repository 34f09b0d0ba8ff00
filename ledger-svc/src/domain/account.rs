//! A player's account in one currency: what is posted, what of it is held.
//!
//! Not here: system accounts. Issuance and fees are never read or locked by a posting; they are only appended to.

use serde::{Deserialize, Serialize};

use super::currency::Currency;
use super::ids::AccountId;
use super::points::{Change, Points};

/// Which account: one owner has one for each currency.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountKey {
    /// Whose.
    pub account: AccountId,
    /// In which currency.
    pub currency: Currency,
}

/// An account's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Which.
    pub key: AccountKey,
    /// What it owns; held points are part of it.
    pub posted: Points,
    /// What of it is held; never more than `posted`.
    pub held: Points,
    /// How many lines its statement has; the number of the latest.
    pub lines: i64,
}

impl Account {
    /// A new account with nothing on it.
    #[must_use]
    pub const fn open(key: AccountKey) -> Self {
        Self { key, posted: Points::ZERO, held: Points::ZERO, lines: 0 }
    }

    /// What may be staked: posted less held.
    #[must_use]
    pub fn available(&self) -> Points {
        self.posted.checked_sub(self.held).unwrap_or(Points::ZERO)
    }

    /// The account one statement line later, unless that would break posted ≥ held ≥ 0.
    #[must_use]
    pub fn after(&self, posted: Change, held: Change) -> Option<Self> {
        let (posted, held) = (self.posted.checked_change(posted)?, self.held.checked_change(held)?);
        (posted >= held).then(|| Self { key: self.key.clone(), posted, held, lines: self.lines.saturating_add(1) })
    }

    /// As the caller sees it.
    #[must_use]
    pub fn balance(&self) -> Balance {
        Balance { currency: self.key.currency.clone(), posted: self.posted, held: self.held }
    }
}

/// A balance as it is told to callers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Balance {
    /// In which currency.
    pub currency: Currency,
    /// What is owned.
    pub posted: Points,
    /// What of it is held.
    pub held: Points,
}

impl Balance {
    /// Posted less held.
    #[must_use]
    pub fn available(&self) -> Points {
        self.posted.checked_sub(self.held).unwrap_or(Points::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_never_holds_more_than_it_has() {
        let key = AccountKey { account: AccountId::new("a").unwrap(), currency: Currency::new("PTS").unwrap() };
        let account = Account::open(key).after(Change::new(10), Change::new(4)).unwrap();
        assert_eq!((account.available().get(), account.lines), (6, 1));
        for (posted, held) in [(-7, 0), (0, 7), (0, -5), (-11, -4)] {
            assert_eq!(account.after(Change::new(posted), Change::new(held)), None, "{posted} {held}");
        }
        assert!(account.after(Change::new(-6), Change::ZERO).is_some());
    }
}
