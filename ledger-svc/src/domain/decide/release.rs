//! Release: a held stake is given back before a set began.
//!
//! A release that comes before its hold buries the hold's name, so that a hold that is still on its way can never set
//! a stake aside that nobody will give back. Releasing twice is one release.

use super::Loaded;
use super::close::{accounts_of, give_back};
use crate::domain::answer::Answer;
use crate::domain::effects::{Effects, Stamp};
use crate::domain::hold::{Ending, Hold, HoldRecord, HoldState};
use crate::domain::ids::HoldId;
use crate::domain::refusal::Refusal;
use crate::domain::statement::LineKind;

pub(super) fn decide(id: &HoldId, loaded: &Loaded, stamp: &Stamp) -> Result<Effects, Refusal> {
    let nothing = Effects::none(Answer::Released { transaction: None });
    match loaded.holds.get(id) {
        None => Ok(Effects { holds: vec![(id.clone(), HoldRecord::Void)], ..nothing }),
        Some(HoldRecord::Void) => Ok(nothing),
        Some(HoldRecord::Made(hold)) => match &hold.state {
            HoldState::Open => release(hold, loaded, stamp),
            HoldState::Ended(Ending::Released, _) => Ok(nothing),
            HoldState::Ended(Ending::Settled | Ending::Split | Ending::Refunded, _) => Err(Refusal::HoldClosed),
        },
    }
}

fn release(hold: &Hold, loaded: &Loaded, stamp: &Stamp) -> Result<Effects, Refusal> {
    let [account] = accounts_of([hold], loaded)?;
    let answer = Answer::Released { transaction: Some(stamp.transaction.clone()) };
    let ended = (Ending::Released, LineKind::Release);
    give_back(&[(hold, account)], ended, &hold.subject, stamp, answer)
}
