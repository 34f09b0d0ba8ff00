//! Release: a held stake is given back before a set began.
//!
//! A release that comes before its hold buries the hold's name, so that a hold that is still on its way can never set
//! a stake aside that nobody will give back. Releasing twice is one release. By hand only a hold that happened is
//! released: a mistyped name must not pass for a stake that went back.

use super::Loaded;
use super::close::{accounts_of, give_back};
use crate::domain::answer::Answer;
use crate::domain::effects::{Effects, Stamp};
use crate::domain::hold::{Ending, Hold, HoldRecord, HoldState};
use crate::domain::posting::Release;
use crate::domain::refusal::Refusal;
use crate::domain::statement::LineKind;

pub(super) fn decide(release: &Release, loaded: &Loaded, stamp: &Stamp) -> Result<Effects, Refusal> {
    let nothing = Effects::none(Answer::Released { transaction: None });
    match loaded.holds.get(&release.hold) {
        None | Some(HoldRecord::Void) if release.by_hand.is_some() => Err(Refusal::HoldNotFound),
        None => Ok(Effects { holds: vec![(release.hold.clone(), HoldRecord::Void)], ..nothing }),
        Some(HoldRecord::Void) => Ok(nothing),
        Some(HoldRecord::Made(hold)) => match &hold.state {
            HoldState::Open => give_up(hold, loaded, stamp),
            HoldState::Ended(Ending::Released, _) => Ok(nothing),
            HoldState::Ended(Ending::Settled | Ending::Split | Ending::Refunded, _) => Err(Refusal::HoldClosed),
        },
    }
}

fn give_up(hold: &Hold, loaded: &Loaded, stamp: &Stamp) -> Result<Effects, Refusal> {
    let [account] = accounts_of([hold], loaded)?;
    let answer = Answer::Released { transaction: Some(stamp.transaction.clone()) };
    let ended = (Ending::Released, LineKind::Release);
    give_back(&[(hold, account)], ended, &hold.subject, stamp, answer)
}
