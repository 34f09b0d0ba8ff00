//! Balances, statements and the audit.

use std::collections::BTreeMap;

use farside_proto::ledger::v1 as ledger;
use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::Timestamp;

/// What an owner has in one currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct BalanceJson {
    /// Free to stake.
    #[schema(minimum = 0)]
    pub available: i64,
    /// Set aside for open challenges and running sets.
    #[schema(minimum = 0)]
    pub held: i64,
}

/// Balances by currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Balances(pub BTreeMap<String, BalanceJson>);

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
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

/// One line of a statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct EntryJson {
    /// `txn_…`.
    pub transaction_id: String,
    /// What it is.
    pub kind: EntryKind,
    /// The currency.
    pub currency: String,
    /// Change of what is posted; negative for a loss.
    pub posted_change: i64,
    /// Change of what is held.
    pub held_change: i64,
    /// The fee within it.
    pub fee: i64,
    /// What there is after it.
    pub balance_after: BalanceJson,
    /// `chal_…`, `set_…` or a word.
    pub subject: String,
    /// The participant that it concerns; null for the owner itself.
    pub participant_id: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// Totals over one currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TotalsJson {
    /// Posted on all players' accounts.
    pub players_posted: i64,
    /// Held on them.
    pub players_held: i64,
    /// Issued so far.
    pub issued: i64,
    /// Fees taken so far.
    pub fees: i64,
    /// Open holds.
    pub open_holds: i64,
    /// Accounts of players.
    pub accounts: i64,
}

/// What the standing audit found last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AuditJson {
    /// Whether every invariant holds.
    pub ok: bool,
    /// When it was checked.
    pub checked_at: Timestamp,
    /// What does not hold.
    pub violations: Vec<String>,
    /// Totals by currency.
    pub totals: BTreeMap<String, TotalsJson>,
}

impl From<&ledger::Balance> for BalanceJson {
    fn from(balance: &ledger::Balance) -> Self {
        Self { available: balance.available_points, held: balance.held_points }
    }
}

impl Balances {
    /// Balances with zero for every currency in which there is none.
    #[must_use]
    pub fn new(balances: &[ledger::Balance], currencies: &[ledger::Currency]) -> Self {
        let mut all: BTreeMap<_, _> =
            currencies.iter().map(|currency| (currency.code.clone(), BalanceJson::default())).collect();
        all.extend(balances.iter().map(|balance| (balance.currency.clone(), BalanceJson::from(balance))));
        Self(all)
    }
}

fn kind(kind: ledger::EntryKind) -> EntryKind {
    match kind {
        ledger::EntryKind::Grant | ledger::EntryKind::Unspecified => EntryKind::Grant,
        ledger::EntryKind::Hold => EntryKind::Hold,
        ledger::EntryKind::Release => EntryKind::Release,
        ledger::EntryKind::Win => EntryKind::Win,
        ledger::EntryKind::Loss => EntryKind::Loss,
        ledger::EntryKind::Split => EntryKind::Split,
        ledger::EntryKind::Refund => EntryKind::Refund,
    }
}

impl From<ledger::Entry> for EntryJson {
    fn from(entry: ledger::Entry) -> Self {
        Self {
            kind: kind(entry.kind()),
            transaction_id: entry.transaction_id,
            currency: entry.currency,
            posted_change: entry.posted_change_points,
            held_change: entry.held_change_points,
            fee: entry.fee_points,
            balance_after: entry.balance_after.as_ref().map(BalanceJson::from).unwrap_or_default(),
            subject: entry.subject,
            participant_id: (!entry.participant_id.is_empty()).then_some(entry.participant_id),
            at: Timestamp(entry.at_ms),
        }
    }
}

impl From<ledger::Audit> for AuditJson {
    fn from(audit: ledger::Audit) -> Self {
        let totals = |totals: ledger::Totals| {
            let json = TotalsJson {
                players_posted: totals.players_posted_points,
                players_held: totals.players_held_points,
                issued: totals.issued_points,
                fees: totals.fees_points,
                open_holds: totals.open_holds,
                accounts: totals.accounts,
            };
            (totals.currency, json)
        };
        Self {
            ok: audit.ok,
            checked_at: Timestamp(audit.checked_at_ms),
            violations: audit.violations,
            totals: audit.totals.into_iter().map(totals).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_currency_without_a_balance_shows_zero() {
        let currency = ledger::Currency { code: "PTS".to_owned(), ..ledger::Currency::default() };
        let json = serde_json::to_value(Balances::new(&[], &[currency])).unwrap();
        assert_eq!(json, serde_json::json!({"PTS": {"available": 0, "held": 0}}));
    }
}
