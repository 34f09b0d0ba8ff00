//! Grant: points from issuance to an account, which is opened when it is not there, unless somebody grants by hand: a
//! mistyped account must not get points that nobody can use.
//!
//! Not here: who may grant; the server's allow list says that.

use super::Loaded;
use crate::domain::account::{Account, AccountKey};
use crate::domain::answer::Answer;
use crate::domain::currency::CurrencyTable;
use crate::domain::effects::{Draft, Effects, Note, Place, Stamp, System};
use crate::domain::ids::{AccountId, Text};
use crate::domain::points::Points;
use crate::domain::posting::Grant;
use crate::domain::refusal::Refusal;
use crate::domain::statement::LineKind;

/// The most that an account may have right after a grant. A thousandth of [`Points::MAX`], so that winning can never
/// bring an account to the end of its range.
pub(super) const GRANTED_MAX_POINTS: i64 = Points::MAX.get() / 1_000;

pub(super) fn decide(grant: &Grant, table: &CurrencyTable, loaded: &Loaded, stamp: &Stamp) -> Result<Effects, Refusal> {
    let account = AccountId::new(grant.account.as_str()).ok_or(Refusal::AccountInvalid)?;
    let terms = table.find(&grant.currency).ok_or(Refusal::CurrencyUnknown)?;
    let key = AccountKey { account, currency: terms.currency.clone() };
    let before = match loaded.accounts.get(&key) {
        Some(account) => account.clone(),
        None if grant.by_hand.is_some() => return Err(Refusal::AccountNotFound),
        None => Account::open(key),
    };
    let amount = amount(grant.amount_points, &before)?;
    if amount == Points::ZERO {
        return Ok(opened(before));
    }
    let account = before.key.account.clone();
    let draft = Draft::new(stamp, terms.currency.clone());
    let draft = draft.transfer(Place::System(System::Issuance), Place::Available(account), amount);
    let note =
        Note { kind: LineKind::Grant, fee: Points::ZERO, subject: grant.memo.clone(), participant: Text::default() };
    let line = draft.line(&before, note).ok_or(Refusal::AmountInvalid)?;
    let answer = Answer::Granted { balance: line.after.balance(), transaction: Some(stamp.transaction.clone()) };
    Ok(draft.finish(vec![line], Vec::new(), answer))
}

fn amount(amount_points: i64, before: &Account) -> Result<Points, Refusal> {
    let amount = Points::new(amount_points).ok_or(Refusal::AmountInvalid)?;
    let after = before.posted.checked_add(amount);
    let fits = amount == Points::ZERO || after.is_some_and(|after| after.get() <= GRANTED_MAX_POINTS);
    if fits { Ok(amount) } else { Err(Refusal::AmountInvalid) }
}

/// Nothing is granted: the account is only there from now on.
fn opened(account: Account) -> Effects {
    let answer = Answer::Granted { balance: account.balance(), transaction: None };
    Effects { accounts: vec![account], ..Effects::none(answer) }
}
