//! Settle, split and refund: the stakes of a set end, exactly once and all together.
//!
//! Not here: who won. The stakes of a set are equal, so giving each back what it staked leaves no odd point.

use super::Loaded;
use crate::domain::account::Account;
use crate::domain::answer::Answer;
use crate::domain::currency::{CurrencyTable, FeeRate};
use crate::domain::effects::{Draft, Effects, Note, Place, Stamp, System};
use crate::domain::hold::{Ending, Hold, HoldRecord};
use crate::domain::ids::{HoldId, SetId, Text};
use crate::domain::posting::{Close, Settle};
use crate::domain::refusal::Refusal;
use crate::domain::statement::LineKind;

pub(super) fn settle(
    settle: &Settle,
    table: &CurrencyTable,
    loaded: &Loaded,
    stamp: &Stamp,
) -> Result<Effects, Refusal> {
    let [winner, loser] = pair(&settle.set, [&settle.winner, &settle.loser], loaded)?;
    let [winner_account, loser_account] = accounts_of([winner, loser], loaded)?;
    // A currency that has left the table since the stakes were made takes no fee.
    let rate = table.find(winner.key.currency.as_str()).map_or(FeeRate::default(), |terms| terms.fee);
    let fee = rate.on(loser.amount);
    let winnings = loser.amount.checked_sub(fee).ok_or(Refusal::AmountInvalid)?;
    let payout = winner.amount.checked_add(winnings).ok_or(Refusal::AmountInvalid)?;
    let (winner_id, loser_id) = (&winner.key.account, &loser.key.account);
    let draft = Draft::new(stamp, winner.key.currency.clone())
        .transfer(Place::Escrow(winner_id.clone()), Place::Available(winner_id.clone()), winner.amount)
        .transfer(Place::Escrow(loser_id.clone()), Place::Available(winner_id.clone()), winnings)
        .transfer(Place::Escrow(loser_id.clone()), Place::System(System::Fee), fee);
    let subject = Text::from(settle.set.clone());
    let won = Note { fee, ..Note::about(LineKind::Win, winner, subject.clone()) };
    let lost = Note::about(LineKind::Loss, loser, subject);
    let lines = [draft.line(winner_account, won), draft.line(loser_account, lost)];
    let lines = lines.into_iter().collect::<Option<Vec<_>>>().ok_or(Refusal::AmountInvalid)?;
    let holds = [winner, loser].map(|hold| ended(hold, Ending::Settled, stamp)).to_vec();
    let answer = Answer::Settled { transaction: stamp.transaction.clone(), payout, fee };
    Ok(draft.finish(lines, holds, answer))
}

pub(super) fn split(close: &Close, loaded: &Loaded, stamp: &Stamp) -> Result<Effects, Refusal> {
    let answer = Answer::Split { transaction: stamp.transaction.clone() };
    both_back(close, (Ending::Split, LineKind::Split), loaded, stamp, answer)
}

pub(super) fn refund(close: &Close, loaded: &Loaded, stamp: &Stamp) -> Result<Effects, Refusal> {
    let answer = Answer::Refunded { transaction: stamp.transaction.clone() };
    both_back(close, (Ending::Refunded, LineKind::Refund), loaded, stamp, answer)
}

fn both_back(
    close: &Close,
    how: (Ending, LineKind),
    loaded: &Loaded,
    stamp: &Stamp,
    answer: Answer,
) -> Result<Effects, Refusal> {
    let [first, second] = close.holds.as_slice() else {
        let known = close.holds.iter().all(|id| made(id, loaded).is_ok());
        return Err(if known { Refusal::HoldsDiffer } else { Refusal::HoldNotFound });
    };
    let holds = pair(&close.set, [first, second], loaded)?;
    let accounts = accounts_of(holds, loaded)?;
    let staked = [(holds[0], accounts[0]), (holds[1], accounts[1])];
    give_back(&staked, how, &Text::from(close.set.clone()), stamp, answer)
}

/// Gives every stake back whole to the one who staked it.
pub(super) fn give_back(
    staked: &[(&Hold, &Account)],
    (ending, kind): (Ending, LineKind),
    subject: &Text,
    stamp: &Stamp,
    answer: Answer,
) -> Result<Effects, Refusal> {
    let currency = staked.first().map(|(hold, _)| hold.key.currency.clone()).ok_or(Refusal::HoldsDiffer)?;
    let draft = staked.iter().fold(Draft::new(stamp, currency), |draft, (hold, _)| {
        let owner = &hold.key.account;
        draft.transfer(Place::Escrow(owner.clone()), Place::Available(owner.clone()), hold.amount)
    });
    let lines = staked.iter().map(|(hold, account)| draft.line(account, Note::about(kind, hold, subject.clone())));
    let lines = lines.collect::<Option<Vec<_>>>().ok_or(Refusal::AmountInvalid)?;
    let holds = staked.iter().map(|(hold, _)| ended(hold, ending, stamp)).collect();
    Ok(draft.finish(lines, holds, answer))
}

/// The two open holds of a set, checked in the order of errors.
fn pair<'a>(set: &SetId, ids: [&HoldId; 2], loaded: &'a Loaded) -> Result<[&'a Hold; 2], Refusal> {
    let (first, second) = (made(ids[0], loaded)?, made(ids[1], loaded)?);
    let equal = first.key.currency == second.key.currency && first.amount == second.amount;
    if !equal || first.key.account == second.key.account {
        return Err(Refusal::HoldsDiffer);
    }
    if !first.is_open() || !second.is_open() || loaded.ended_sets.contains(set) {
        return Err(Refusal::HoldClosed);
    }
    Ok([first, second])
}

/// A hold that happened; a buried name is none.
fn made<'a>(id: &HoldId, loaded: &'a Loaded) -> Result<&'a Hold, Refusal> {
    match loaded.holds.get(id) {
        Some(HoldRecord::Made(hold)) => Ok(hold),
        Some(HoldRecord::Void) | None => Err(Refusal::HoldNotFound),
    }
}

/// The accounts that the holds are on. A hold without its account is a foreign key that was broken by hand.
pub(super) fn accounts_of<'a, const N: usize>(
    holds: [&Hold; N],
    loaded: &'a Loaded,
) -> Result<[&'a Account; N], Refusal> {
    let found: Option<Vec<_>> = holds.into_iter().map(|hold| loaded.accounts.get(&hold.key)).collect();
    found.and_then(|found| found.try_into().ok()).ok_or(Refusal::AccountNotFound)
}

fn ended(hold: &Hold, ending: Ending, stamp: &Stamp) -> (HoldId, HoldRecord) {
    (hold.id.clone(), HoldRecord::Made(hold.ended(ending, stamp.transaction.clone())))
}
