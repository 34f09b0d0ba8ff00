//! Hold: a stake is set aside, checked against the currency, the participant's limit and the locked balance.
//!
//! Not here: what the stake is for. Challenges and sets belong to match-svc.

use super::Loaded;
use crate::domain::account::AccountKey;
use crate::domain::answer::Answer;
use crate::domain::currency::{CurrencyTable, Terms};
use crate::domain::effects::{Draft, Effects, Note, Place, Stamp};
use crate::domain::hold::{Hold, HoldRecord, HoldState};
use crate::domain::ids::{AccountId, HoldId, RequestId};
use crate::domain::points::Points;
use crate::domain::posting::PlaceHold;
use crate::domain::refusal::Refusal;
use crate::domain::statement::LineKind;

pub(super) fn decide(
    request: &RequestId,
    place: &PlaceHold,
    table: &CurrencyTable,
    loaded: &Loaded,
    stamp: &Stamp,
) -> Result<Effects, Refusal> {
    let terms = table.find(&place.currency).ok_or(Refusal::CurrencyUnknown)?;
    let amount = stake(place, terms)?;
    let account = AccountId::new(place.account.as_str()).ok_or(Refusal::AccountNotFound)?;
    let key = AccountKey { account: account.clone(), currency: terms.currency.clone() };
    let before = loaded.accounts.get(&key).ok_or(Refusal::AccountNotFound)?;
    let id = HoldId::from(request.clone());
    if loaded.holds.contains_key(&id) {
        return Err(Refusal::HoldReleased);
    }
    if before.available() < amount {
        return Err(Refusal::InsufficientBalance { available: before.available() });
    }
    let draft = Draft::new(stamp, key.currency.clone());
    let draft = draft.transfer(Place::Available(account.clone()), Place::Escrow(account), amount);
    let (subject, participant) = (place.subject.clone(), place.participant.clone());
    let hold = Hold { id: id.clone(), key, amount, subject: subject.clone(), participant, state: HoldState::Open };
    let note = Note::about(LineKind::Hold, &hold, subject);
    let line = draft.line(before, note).ok_or(Refusal::AmountInvalid)?;
    let winnings = amount.checked_sub(terms.fee.on(amount)).unwrap_or(Points::ZERO);
    let answer = Answer::Held { balance: line.after.balance(), winnings, transaction: stamp.transaction.clone() };
    Ok(draft.finish(vec![line], vec![(id, HoldRecord::Made(hold))], answer))
}

fn stake(place: &PlaceHold, terms: &Terms) -> Result<Points, Refusal> {
    let (min, max) = (terms.stake_min, terms.stake_max);
    let amount = Points::new(place.amount_points).filter(|amount| (min..=max).contains(amount));
    let amount = amount.ok_or(Refusal::StakeOutOfRange { min, max })?;
    if amount.get() > place.max_stake_points {
        return Err(Refusal::StakeAboveMax { max_stake_points: place.max_stake_points });
    }
    Ok(amount)
}
