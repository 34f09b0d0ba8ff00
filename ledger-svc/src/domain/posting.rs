//! What a caller asks for, and the fingerprint that tells whether it asks for the same again.
//!
//! Not here: whether it may have it; see [`super::decide`].

use sha2::{Digest as _, Sha256};

use super::ids::{AccountId, HoldId, RequestId, SetId, Text};

/// One posting under its idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posting {
    /// The caller's key.
    pub key: RequestId,
    /// What is to be done.
    pub command: Command,
}

/// What is to be done. Amounts, currencies and account names are as the caller wrote them: judging them is part of the
/// decision, so that a refusal has its place in the order of errors and is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Move points from issuance to an account.
    Grant(Grant),
    /// Set a stake aside.
    Hold(PlaceHold),
    /// Give a held stake back.
    Release(Release),
    /// Pay both stakes to the winner.
    Settle(Settle),
    /// Give both stakes back after a draw.
    Split(Close),
    /// Give both stakes back after an abort.
    Refund(Close),
}

/// Points from issuance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Whose account.
    pub account: String,
    /// Currency code.
    pub currency: String,
    /// How many; 0 just opens the account.
    pub amount_points: i64,
    /// For the statement.
    pub memo: Text,
    /// Who granted it by hand; none when the platform does by itself.
    pub by_hand: Option<ByHand>,
}

/// A stake to be given back before a set began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// Which.
    pub hold: HoldId,
    /// Who releases it by hand; none when match-svc does.
    pub by_hand: Option<ByHand>,
}

/// An operator's posting: logged in its transaction, and only about what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByHand {
    /// The operation's name in the log.
    pub operation: &'static str,
    /// The name of the operator's key.
    pub operator: String,
    /// What was asked for, as JSON.
    pub arguments: String,
    /// Why.
    pub reason: String,
}

/// A stake to be set aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceHold {
    /// Whose account.
    pub account: String,
    /// Currency code.
    pub currency: String,
    /// The stake.
    pub amount_points: i64,
    /// The most that this participant may stake.
    pub max_stake_points: i64,
    /// What it is for.
    pub subject: Text,
    /// Who stakes.
    pub participant: Text,
}

/// A set that was won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settle {
    /// Which.
    pub set: SetId,
    /// The winner's hold.
    pub winner: HoldId,
    /// The loser's hold.
    pub loser: HoldId,
}

/// A set whose stakes go back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Close {
    /// Which.
    pub set: SetId,
    /// Its holds; there must be two.
    pub holds: Vec<HoldId>,
}

impl Posting {
    /// The same, for an operator. Only what operators may ask for can be done by hand.
    #[must_use]
    pub fn by_hand(mut self, by_hand: ByHand) -> Self {
        match &mut self.command {
            Command::Grant(Grant { by_hand: who, .. }) | Command::Release(Release { by_hand: who, .. }) => {
                *who = Some(by_hand);
            }
            Command::Hold(_) | Command::Settle(_) | Command::Split(_) | Command::Refund(_) => {}
        }
        self
    }
}

impl Command {
    /// The operator's part of it.
    #[must_use]
    pub const fn by_hand(&self) -> Option<&ByHand> {
        match self {
            Self::Grant(Grant { by_hand, .. }) | Self::Release(Release { by_hand, .. }) => by_hand.as_ref(),
            Self::Hold(_) | Self::Settle(_) | Self::Split(_) | Self::Refund(_) => None,
        }
    }

    /// The kind's name, stable: it is stored, counted and part of the fingerprint.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Grant(_) => "grant",
            Self::Hold(_) => "hold",
            Self::Release(_) => "release",
            Self::Settle(_) => "settle",
            Self::Split(_) => "split",
            Self::Refund(_) => "refund",
        }
    }

    /// The holds that must be at hand to decide it. A hold that it makes is named by its own key.
    #[must_use]
    pub fn holds(&self) -> Vec<HoldId> {
        match self {
            Self::Grant(_) | Self::Hold(_) => Vec::new(),
            Self::Release(release) => vec![release.hold.clone()],
            Self::Settle(settle) => vec![settle.winner.clone(), settle.loser.clone()],
            Self::Split(close) | Self::Refund(close) => close.holds.clone(),
        }
    }

    /// The account that it names, if that is a name at all.
    #[must_use]
    pub fn account(&self) -> Option<AccountId> {
        match self {
            Self::Grant(grant) => AccountId::new(grant.account.as_str()),
            Self::Hold(hold) => AccountId::new(hold.account.as_str()),
            Self::Release(_) | Self::Settle(_) | Self::Split(_) | Self::Refund(_) => None,
        }
    }

    /// The set whose stakes it ends.
    #[must_use]
    pub const fn set(&self) -> Option<&SetId> {
        match self {
            Self::Settle(settle) => Some(&settle.set),
            Self::Split(close) | Self::Refund(close) => Some(&close.set),
            Self::Grant(_) | Self::Hold(_) | Self::Release(_) => None,
        }
    }

    /// The fingerprint of the content, without the key. The order of the holds of a split or refund means nothing.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let mut content = Content::of(self.kind());
        match self {
            Self::Grant(grant) => {
                content.text(&grant.account).text(&grant.currency).number(grant.amount_points).text(grant.memo.as_str())
            }
            Self::Hold(hold) => content
                .text(&hold.account)
                .text(&hold.currency)
                .number(hold.amount_points)
                .number(hold.max_stake_points)
                .text(hold.subject.as_str())
                .text(hold.participant.as_str()),
            Self::Release(release) => content.text(release.hold.as_str()),
            Self::Settle(settle) => {
                content.text(settle.set.as_str()).text(settle.winner.as_str()).text(settle.loser.as_str())
            }
            Self::Split(close) | Self::Refund(close) => content.close(close),
        };
        if self.by_hand().is_some() {
            content.text("by hand");
        }
        content.fingerprint()
    }
}

/// SHA-256 of a posting's content, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// As it was stored.
    #[must_use]
    pub const fn stored(hex: String) -> Self {
        Self(hex)
    }

    /// 64 hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Content on its way to a fingerprint: each part with its length before it, so that no two contents look alike.
struct Content(Sha256);

impl Content {
    fn of(kind: &str) -> Self {
        let mut content = Self(Sha256::new());
        content.text(kind);
        content
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.number(i64::try_from(text.len()).unwrap_or(i64::MAX));
        self.0.update(text.as_bytes());
        self
    }

    fn number(&mut self, number: i64) -> &mut Self {
        self.0.update(number.to_be_bytes());
        self
    }

    fn close(&mut self, close: &Close) -> &mut Self {
        let mut holds: Vec<_> = close.holds.iter().collect();
        holds.sort();
        self.text(close.set.as_str());
        holds.into_iter().fold(self, |content, hold| content.text(hold.as_str()))
    }

    fn fingerprint(self) -> Fingerprint {
        Fingerprint(hex::encode(self.0.finalize()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(holds: [&str; 2]) -> Close {
        Close { set: SetId::new("set_1").unwrap(), holds: holds.map(|id| HoldId::new(id).unwrap()).to_vec() }
    }

    fn grant(account: &str, memo: &str) -> Command {
        let (account, currency) = (account.to_owned(), "PTS".to_owned());
        Command::Grant(Grant { account, currency, amount_points: 1, memo: Text::new(memo).unwrap(), by_hand: None })
    }

    #[test]
    fn the_order_of_returned_stakes_means_nothing() {
        let (ab, ba) = (Command::Split(close(["a", "b"])), Command::Split(close(["b", "a"])));
        assert_eq!(ab.fingerprint(), ba.fingerprint());
        assert_ne!(ab.fingerprint(), Command::Refund(close(["a", "b"])).fingerprint());
    }

    #[test]
    fn parts_cannot_run_into_each_other() {
        assert_ne!(grant("ab", "c").fingerprint(), grant("a", "bc").fingerprint());
        assert_eq!(grant("ab", "c").fingerprint(), grant("ab", "c").fingerprint());
        assert_eq!(grant("ab", "c").fingerprint().as_str().len(), 64);
    }
}
