//! The transaction that records a set: log, ratings, counts and history together or not at all.
//!
//! A set that ended after everything its participants are rated by, which is the rule, touches two rows. One that arrives
//! late is folded in at its place by [`super::refold`], with the same numbers as if it had come in time.

use std::collections::BTreeSet;

use farside_kit::time::SharedClock;
use sea_orm::{DatabaseTransaction, DbErr};

use super::fault::StoreFault;
use super::standings::{self, Locked};
use super::{history, log, practice, refold, stored};
use crate::domain::board::Entry;
use crate::domain::error::Refusal;
use crate::domain::fold::Fold;
use crate::domain::ids::ParticipantId;
use crate::domain::set::FinishedSet;
use crate::domain::standing::Standing;

/// A set that is in the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// Creator's and acceptor's standing after it, as of the set's end; nothing when it is not rated.
    pub standings: Option<(Standing, Standing)>,
    /// How it came to be there.
    pub how: How,
    /// Everybody whose entry changed.
    pub changed: Vec<Entry>,
}

/// How a set came to be in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Told again; nothing happened.
    Replayed,
    /// Put into the log; ratings do not move by it.
    Unrated,
    /// Rated after everything else.
    InOrder,
    /// Rated at its place before later sets, so many of which were rated anew.
    Late {
        /// Sets that were rated anew.
        refolded: usize,
    },
}

/// Why an attempt to record a set was rolled back.
#[derive(Debug, thiserror::Error)]
pub(super) enum AttemptFault {
    /// More rows have to be locked than were; to be tried again with these, all locked in order.
    #[error("more participants are concerned than were locked")]
    Widen(BTreeSet<ParticipantId>),
    /// It cannot be recorded.
    #[error(transparent)]
    Store(#[from] StoreFault),
}

impl From<DbErr> for AttemptFault {
    fn from(error: DbErr) -> Self {
        Self::Store(error.into())
    }
}

/// Records a set. `known` are the participants who turned out to be concerned in attempts before this one.
pub(super) async fn attempt(
    tx: &DatabaseTransaction,
    set: &FinishedSet,
    known: &BTreeSet<ParticipantId>,
    clock: &SharedClock,
) -> Result<Recorded, AttemptFault> {
    if !log::insert(tx, set).await? {
        return Ok(replay(tx, set).await?);
    }
    practice::count(tx, set).await?;
    let recorded = if set.rated { rate(tx, set, known, clock).await? } else { unrated() };
    log::answer(tx, set, stored::write_answer(recorded.standings.as_ref())?).await?;
    Ok(recorded)
}

async fn replay(tx: &DatabaseTransaction, set: &FinishedSet) -> Result<Recorded, StoreFault> {
    match log::find(tx, set).await? {
        Some((first, Some(answer))) if first == *set => {
            Ok(Recorded { standings: stored::read_answer(&answer)?, how: How::Replayed, changed: Vec::new() })
        }
        _ => Err(Refusal::IdempotencyMismatch.into()),
    }
}

const fn unrated() -> Recorded {
    Recorded { standings: None, how: How::Unrated, changed: Vec::new() }
}

async fn rate(
    tx: &DatabaseTransaction,
    set: &FinishedSet,
    known: &BTreeSet<ParticipantId>,
    clock: &SharedClock,
) -> Result<Recorded, AttemptFault> {
    let mut locked = lock(tx, set, known).await?;
    let is_last = [&set.creator.id, &set.acceptor.id].iter().all(|id| precedes(&locked, id, set));
    let (fold, how) = if is_last {
        (in_order(tx, set, &locked).await?, How::InOrder)
    } else {
        let (fold, refolded) = refold::late(tx, set, &locked).await?;
        (fold, How::Late { refolded })
    };
    // As late as possible: readers see the change soon after this moment.
    let now = clock.now();
    let mut changed = Vec::new();
    for (id, rated) in fold.into_touched() {
        if let Some(entry) = locked.remove(&id) {
            changed.push(counted(entry.rerated(rated, now), set, &id));
        }
    }
    for entry in &mut changed {
        entry.version += 1;
        standings::save(tx, &set.game, entry, now).await?;
    }
    Ok(Recorded { standings: pair(&changed, set), how, changed })
}

/// Locks the two of the set and whoever is known to be concerned. Rows are made only in an attempt of their own.
async fn lock(
    tx: &DatabaseTransaction,
    set: &FinishedSet,
    known: &BTreeSet<ParticipantId>,
) -> Result<Locked, AttemptFault> {
    let mut wanted = known.clone();
    wanted.extend([set.creator.id.clone(), set.acceptor.id.clone()]);
    if !known.is_empty() {
        standings::create(tx, &set.game, &wanted).await?;
    }
    let locked = standings::lock(tx, &set.game, &wanted).await?;
    if locked.len() < wanted.len() { Err(AttemptFault::Widen(wanted)) } else { Ok(locked) }
}

fn precedes(locked: &Locked, id: &ParticipantId, set: &FinishedSet) -> bool {
    locked.get(id).is_none_or(|entry| entry.standing.precedes(&set.order()))
}

async fn in_order(tx: &DatabaseTransaction, set: &FinishedSet, locked: &Locked) -> Result<Fold, StoreFault> {
    let mut fold = Fold::default();
    for id in [&set.creator.id, &set.acceptor.id] {
        if let Some(entry) = locked.get(id) {
            fold.learn(id.clone(), entry.standing.rated);
        }
    }
    let step = fold.step(set);
    history::put(tx, &[(set, step)]).await?;
    Ok(fold)
}

/// Only the two of the set count it; whoever was rated anew besides has played no more than before.
fn counted(entry: Entry, set: &FinishedSet, id: &ParticipantId) -> Entry {
    let score = set.outcome.for_creator();
    if *id == set.creator.id {
        entry.counted(&set.creator, set, score)
    } else if *id == set.acceptor.id {
        entry.counted(&set.acceptor, set, score.reversed())
    } else {
        entry
    }
}

fn pair(changed: &[Entry], set: &FinishedSet) -> Option<(Standing, Standing)> {
    let of = |id: &ParticipantId| {
        changed.iter().find(|entry| entry.participant.id == *id).map(|entry| entry.standing.clone())
    };
    of(&set.creator.id).zip(of(&set.acceptor.id))
}
