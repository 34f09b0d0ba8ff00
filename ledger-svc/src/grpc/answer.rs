//! Answers become responses.
//!
//! Not here: statuses; the kit makes them from faults.

use farside_kit::fault::Fault as _;
use farside_proto::ledger::v1 as wire;

use crate::domain::account::Balance;
use crate::domain::answer::{Answer, Outcome};
use crate::domain::audit::{Report, Totals};
use crate::domain::currency::Terms;
use crate::domain::ids::TransactionId;
use crate::domain::refusal::Refusal;
use crate::domain::statement::{Line, LineKind};

/// One place in the answer to a batch.
pub(super) fn result(outcome: Outcome) -> wire::PostingResult {
    use wire::posting_result::Result as Answered;
    let result = match outcome {
        Err(refusal) => Answered::Refusal(refused(&refusal)),
        Ok(Answer::Granted { balance, transaction }) => Answered::Grant(wire::GrantResponse {
            balance: Some(self::balance(&balance)),
            transaction_id: id(transaction),
        }),
        Ok(Answer::Held { balance, winnings, transaction }) => Answered::Hold(wire::HoldResponse {
            balance: Some(self::balance(&balance)),
            winnings_points: winnings.get(),
            transaction_id: transaction.to_string(),
        }),
        Ok(Answer::Released { transaction }) => {
            Answered::Release(wire::ReleaseResponse { transaction_id: id(transaction) })
        }
        Ok(Answer::Settled { transaction, payout, fee }) => Answered::Settle(wire::SettleResponse {
            transaction_id: transaction.to_string(),
            payout_points: payout.get(),
            fee_points: fee.get(),
        }),
        Ok(Answer::Split { transaction }) => {
            Answered::Split(wire::SplitResponse { transaction_id: transaction.to_string() })
        }
        Ok(Answer::Refunded { transaction }) => {
            Answered::Refund(wire::RefundResponse { transaction_id: transaction.to_string() })
        }
    };
    wire::PostingResult { result: Some(result) }
}

fn id(transaction: Option<TransactionId>) -> String {
    transaction.map(|id| id.to_string()).unwrap_or_default()
}

fn refused(refusal: &Refusal) -> wire::Refusal {
    wire::Refusal {
        code: refusal.kind().code().into(),
        reason: refusal.reason().to_owned(),
        message: refusal.to_string(),
    }
}

pub(super) fn balance(balance: &Balance) -> wire::Balance {
    wire::Balance {
        currency: balance.currency.to_string(),
        posted_points: balance.posted.get(),
        held_points: balance.held.get(),
        available_points: balance.available().get(),
    }
}

pub(super) fn currency(terms: &Terms) -> wire::Currency {
    wire::Currency {
        code: terms.currency.to_string(),
        stake_min_points: terms.stake_min.get(),
        stake_max_points: terms.stake_max.get(),
        fee_basis_points: terms.fee.basis_points(),
    }
}

pub(super) fn entry(line: &Line) -> wire::Entry {
    wire::Entry {
        transaction_id: line.transaction.to_string(),
        kind: kind(line.kind).into(),
        currency: line.after.key.currency.to_string(),
        posted_change_points: line.posted_change.get(),
        held_change_points: line.held_change.get(),
        fee_points: line.fee.get(),
        balance_after: Some(balance(&line.after.balance())),
        subject: line.subject.as_str().to_owned(),
        participant_id: line.participant.as_str().to_owned(),
        at_ms: line.at.0,
    }
}

const fn kind(kind: LineKind) -> wire::EntryKind {
    match kind {
        LineKind::Grant => wire::EntryKind::Grant,
        LineKind::Hold => wire::EntryKind::Hold,
        LineKind::Release => wire::EntryKind::Release,
        LineKind::Win => wire::EntryKind::Win,
        LineKind::Loss => wire::EntryKind::Loss,
        LineKind::Split => wire::EntryKind::Split,
        LineKind::Refund => wire::EntryKind::Refund,
    }
}

pub(super) fn audit(report: Report) -> wire::Audit {
    wire::Audit {
        ok: report.is_ok(),
        checked_at_ms: report.checked_at_ms,
        totals: report.totals.iter().map(totals).collect(),
        violations: report.violations,
    }
}

fn totals((currency, totals): (&String, &Totals)) -> wire::Totals {
    wire::Totals {
        currency: currency.clone(),
        players_posted_points: totals.players_posted_points,
        players_held_points: totals.players_held_points,
        issued_points: totals.issued_points,
        fees_points: totals.fees_points,
        open_holds: totals.open_holds,
        accounts: totals.accounts,
    }
}
