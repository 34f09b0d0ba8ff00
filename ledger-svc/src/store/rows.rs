//! The tables' rows as they are written, made from what the domain decided.
//!
//! Not here: reading them back; see `load`, `statement` and `audit`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::bulk::{Column, Row};
use crate::domain::account::Account;
use crate::domain::effects::{Entry, Place};
use crate::domain::hold::{Ending, Hold, HoldRecord, HoldState};
use crate::domain::ids::{HoldId, TransactionId};
use crate::domain::statement::Line;

#[derive(Serialize)]
pub(super) struct AccountRow<'a> {
    account_id: &'a str,
    currency: &'a str,
    posted_points: i64,
    held_points: i64,
    line_count: i64,
}

impl Row for AccountRow<'_> {
    const TABLE: &'static str = "accounts";
    const COLUMNS: &'static [Column] = &[
        Column::Text("account_id"),
        Column::Text("currency"),
        Column::Int("posted_points"),
        Column::Int("held_points"),
        Column::Int("line_count"),
    ];
}

impl<'a> AccountRow<'a> {
    pub(super) fn of(account: &'a Account) -> Self {
        Self {
            account_id: account.key.account.as_str(),
            currency: account.key.currency.as_str(),
            posted_points: account.posted.get(),
            held_points: account.held.get(),
            line_count: account.lines,
        }
    }
}

#[derive(Serialize)]
pub(super) struct HoldRow<'a> {
    hold_id: &'a str,
    state: &'static str,
    account_id: Option<&'a str>,
    currency: Option<&'a str>,
    amount_points: Option<i64>,
    subject: &'a str,
    participant_id: &'a str,
    ended_by: Option<&'a str>,
}

impl Row for HoldRow<'_> {
    const TABLE: &'static str = "holds";
    const COLUMNS: &'static [Column] = &[
        Column::Text("hold_id"),
        Column::Text("state"),
        Column::Text("account_id"),
        Column::Text("currency"),
        Column::Int("amount_points"),
        Column::Text("subject"),
        Column::Text("participant_id"),
        Column::Text("ended_by"),
    ];
}

impl<'a> HoldRow<'a> {
    pub(super) fn of(id: &'a HoldId, record: &'a HoldRecord) -> Self {
        match record {
            HoldRecord::Void => Self::void(id),
            HoldRecord::Made(hold) => Self::made(hold),
        }
    }

    fn void(id: &'a HoldId) -> Self {
        Self {
            hold_id: id.as_str(),
            state: VOID,
            account_id: None,
            currency: None,
            amount_points: None,
            subject: "",
            participant_id: "",
            ended_by: None,
        }
    }

    fn made(hold: &'a Hold) -> Self {
        let (state, ended_by) = match &hold.state {
            HoldState::Open => (OPEN, None),
            HoldState::Ended(ending, transaction) => (ending_name(*ending), Some(transaction.as_str())),
        };
        Self {
            hold_id: hold.id.as_str(),
            state,
            account_id: Some(hold.key.account.as_str()),
            currency: Some(hold.key.currency.as_str()),
            amount_points: Some(hold.amount.get()),
            subject: hold.subject.as_str(),
            participant_id: hold.participant.as_str(),
            ended_by,
        }
    }
}

pub(super) const VOID: &str = "void";
pub(super) const OPEN: &str = "open";

const fn ending_name(ending: Ending) -> &'static str {
    match ending {
        Ending::Released => "released",
        Ending::Settled => "settled",
        Ending::Split => "split",
        Ending::Refunded => "refunded",
    }
}

pub(super) fn ending_named(name: &str) -> Option<Ending> {
    let all = [Ending::Released, Ending::Settled, Ending::Split, Ending::Refunded];
    all.into_iter().find(|ending| ending_name(*ending) == name)
}

#[derive(Serialize)]
pub(super) struct PostingRow<'a> {
    pub(super) request_id: &'a str,
    pub(super) kind: &'static str,
    pub(super) fingerprint: &'a str,
    pub(super) answer: String,
    pub(super) transaction_id: Option<&'a str>,
    pub(super) ended_set_id: Option<&'a str>,
    pub(super) at_ms: i64,
}

impl Row for PostingRow<'_> {
    const TABLE: &'static str = "postings";
    const COLUMNS: &'static [Column] = &[
        Column::Text("request_id"),
        Column::Text("kind"),
        Column::Text("fingerprint"),
        Column::Text("answer"),
        Column::Text("transaction_id"),
        Column::Text("ended_set_id"),
        Column::Int("at_ms"),
    ];
}

#[derive(Serialize)]
pub(super) struct EntryRow<'a> {
    transaction_id: &'a str,
    leg: usize,
    from_place: &'static str,
    from_account: Option<&'a str>,
    to_place: &'static str,
    to_account: Option<&'a str>,
    currency: &'a str,
    amount_points: i64,
}

impl Row for EntryRow<'_> {
    const TABLE: &'static str = "entries";
    const COLUMNS: &'static [Column] = &[
        Column::Text("transaction_id"),
        Column::Int("leg"),
        Column::Text("from_place"),
        Column::Text("from_account"),
        Column::Text("to_place"),
        Column::Text("to_account"),
        Column::Text("currency"),
        Column::Int("amount_points"),
    ];
}

impl<'a> EntryRow<'a> {
    pub(super) fn of(transaction: &'a TransactionId, leg: usize, entry: &'a Entry) -> Self {
        Self {
            transaction_id: transaction.as_str(),
            leg,
            from_place: place_name(&entry.from),
            from_account: entry.from.account().map(|account| account.as_str()),
            to_place: place_name(&entry.to),
            to_account: entry.to.account().map(|account| account.as_str()),
            currency: entry.currency.as_str(),
            amount_points: entry.amount.get(),
        }
    }
}

const fn place_name(place: &Place) -> &'static str {
    match place {
        Place::Available(_) => "available",
        Place::Escrow(_) => "escrow",
        Place::System(system) => system.name(),
    }
}

#[derive(Serialize)]
pub(super) struct DeltaRow<'a> {
    transaction_id: &'a str,
    system_account: &'static str,
    currency: &'a str,
    change_points: i64,
}

impl Row for DeltaRow<'_> {
    const TABLE: &'static str = "system_deltas";
    const COLUMNS: &'static [Column] = &[
        Column::Text("transaction_id"),
        Column::Text("system_account"),
        Column::Text("currency"),
        Column::Int("change_points"),
    ];
}

impl<'a> DeltaRow<'a> {
    /// What these entries change on each system account. The rows are named by the first of their transactions.
    pub(super) fn sums(entries: impl Iterator<Item = (&'a TransactionId, &'a Entry)>) -> Vec<Self> {
        let mut sums = BTreeMap::<_, Self>::new();
        for (transaction, entry) in entries {
            let currency = entry.currency.as_str();
            for (place, change_points) in [(&entry.from, -entry.amount.get()), (&entry.to, entry.amount.get())] {
                let Place::System(system) = place else { continue };
                let (transaction_id, system_account) = (transaction.as_str(), system.name());
                let new = Self { transaction_id, system_account, currency, change_points: 0 };
                sums.entry((*system, currency)).or_insert(new).change_points += change_points;
            }
        }
        sums.into_values().collect()
    }
}

#[derive(Serialize)]
pub(super) struct LineRow<'a> {
    account_id: &'a str,
    currency: &'a str,
    line: i64,
    transaction_id: &'a str,
    kind: &'static str,
    posted_change_points: i64,
    held_change_points: i64,
    fee_points: i64,
    posted_after_points: i64,
    held_after_points: i64,
    subject: &'a str,
    participant_id: &'a str,
    at_ms: i64,
}

impl Row for LineRow<'_> {
    const TABLE: &'static str = "statement_lines";
    const COLUMNS: &'static [Column] = &[
        Column::Text("account_id"),
        Column::Text("currency"),
        Column::Int("line"),
        Column::Text("transaction_id"),
        Column::Text("kind"),
        Column::Int("posted_change_points"),
        Column::Int("held_change_points"),
        Column::Int("fee_points"),
        Column::Int("posted_after_points"),
        Column::Int("held_after_points"),
        Column::Text("subject"),
        Column::Text("participant_id"),
        Column::Int("at_ms"),
    ];
}

impl<'a> LineRow<'a> {
    pub(super) fn of(line: &'a Line) -> Self {
        Self {
            account_id: line.after.key.account.as_str(),
            currency: line.after.key.currency.as_str(),
            line: line.after.lines,
            transaction_id: line.transaction.as_str(),
            kind: line.kind.name(),
            posted_change_points: line.posted_change.get(),
            held_change_points: line.held_change.get(),
            fee_points: line.fee.get(),
            posted_after_points: line.after.posted.get(),
            held_after_points: line.after.held.get(),
            subject: line.subject.as_str(),
            participant_id: line.participant.as_str(),
            at_ms: line.at.0,
        }
    }
}
