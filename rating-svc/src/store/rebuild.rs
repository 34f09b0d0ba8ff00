//! Makes standings, history and practice statistics anew from the log, and corrects what differs.
//!
//! Each game is one transaction that holds all its standings locked, so that no set is rated meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use farside_kit::operator::{self, Operation, OperatorLog};
use farside_kit::time::{SharedClock, UnixMs};
use sea_orm::DatabaseTransaction;
use serde::{Deserialize, Serialize};

use super::fault::StoreFault;
use super::log::PracticeKey;
use super::standings::{self, Locked};
use super::{history, log, practice};
use crate::domain::board::Entry;
use crate::domain::fold::{Fold, Step};
use crate::domain::glicko::Rating;
use crate::domain::ids::{GameId, ParticipantId};
use crate::domain::peaks::Peaks;
use crate::domain::set::{FinishedSet, SetOrder};
use crate::domain::standing::{Rated, Standing};

/// What a rebuild found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rebuilt {
    /// Rated sets that were folded.
    pub sets: u64,
    /// Standings and practice statistics that were wrong.
    pub corrected: u64,
    /// Points of histories that were wrong.
    pub corrected_points: u64,
}

impl Rebuilt {
    /// Both together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            sets: self.sets + other.sets,
            corrected: self.corrected + other.corrected,
            corrected_points: self.corrected_points + other.corrected_points,
        }
    }
}

/// What a rebuild came to, as the log of operations has it.
pub(super) fn read(detail: &str) -> Result<Rebuilt, StoreFault> {
    serde_json::from_str(detail).map_err(|source| StoreFault::Corrupt { what: "rebuild", source })
}

/// The name of a game's part of a rebuild.
pub(super) fn game_step(game: &GameId) -> String {
    format!("game:{game}")
}

/// The name of a practice's part of a rebuild.
pub(super) fn practice_step(key: &PracticeKey) -> String {
    let PracticeKey { player, game, board, level } = key;
    format!("practice:{player}:{game}:{board}:{level}")
}

/// The operation that a rebuild is, and where it is written down.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) log: OperatorLog,
    pub(super) operation: Arc<Operation>,
}

impl Job {
    /// Writes one step down with what it came to, in the step's own transaction.
    pub(super) async fn done(
        &self,
        tx: &DatabaseTransaction,
        step: &str,
        rebuilt: Rebuilt,
    ) -> Result<Rebuilt, StoreFault> {
        let detail = serde_json::to_value(rebuilt).map_err(|source| StoreFault::Corrupt { what: "rebuild", source })?;
        let entry = self.log.done_step(&self.operation, step, &detail);
        if operator::append(tx, &entry).await? { Ok(rebuilt) } else { Err(StoreFault::UnderWay) }
    }
}

/// Rebuilds one game.
pub(super) async fn game(tx: &DatabaseTransaction, game: &GameId, clock: &SharedClock) -> Result<Rebuilt, StoreFault> {
    let mut locked = standings::lock_game(tx, game).await?;
    lock_everybody(tx, game, &mut locked).await?;
    let mut fresh = Fresh::default();
    let mut corrected_points = history::remove_orphans(tx, game).await?;
    let (mut place, mut sets): (Option<SetOrder>, u64) = (None, 0);
    loop {
        let page = log::rated_after(tx, game, place.as_ref()).await?;
        let Some(last) = page.last() else { break };
        place = Some(last.order());
        sets += page.len() as u64;
        corrected_points += fold_page(tx, &mut fresh, &page).await?;
    }
    let corrected = correct(tx, game, fresh.into_entries(), locked, clock.now()).await?;
    Ok(Rebuilt { sets, corrected, corrected_points })
}

/// Who joined after the rows were locked is locked too, until the log names nobody else.
async fn lock_everybody(tx: &DatabaseTransaction, game: &GameId, locked: &mut Locked) -> Result<(), StoreFault> {
    loop {
        let mut strangers = BTreeSet::new();
        let mut place = None;
        loop {
            let page = log::rated_after(tx, game, place.as_ref()).await?;
            let Some(last) = page.last() else { break };
            place = Some(last.order());
            let ids = page.iter().flat_map(|set| [&set.creator.id, &set.acceptor.id]);
            strangers.extend(ids.filter(|id| !locked.contains_key(*id)).cloned());
        }
        if strangers.is_empty() {
            return Ok(());
        }
        standings::create(tx, game, &strangers).await?;
        locked.extend(standings::lock(tx, game, &strangers).await?);
    }
}

/// Everybody's entry as the log has it so far.
#[derive(Default)]
struct Fresh {
    fold: Fold,
    entries: BTreeMap<ParticipantId, Entry>,
}

impl Fresh {
    fn step(&mut self, set: &FinishedSet) -> Step {
        let score = set.outcome.for_creator();
        for (participant, score) in [(&set.creator, score), (&set.acceptor, score.reversed())] {
            let blank = || Entry {
                participant: participant.clone(),
                standing: Standing::NEW,
                peaks: Peaks::default(),
                version: 0,
            };
            let entry = self.entries.remove(&participant.id).unwrap_or_else(blank);
            self.entries.insert(participant.id.clone(), entry.counted(participant, set, score));
        }
        self.fold.step(set)
    }

    fn into_entries(self) -> Vec<Entry> {
        let Self { fold, mut entries } = self;
        let rated = |(id, rated): (ParticipantId, Rated)| {
            let mut entry = entries.remove(&id)?;
            entry.standing.rated = rated;
            Some(entry)
        };
        fold.into_touched().into_iter().filter_map(rated).collect()
    }
}

/// Folds a page of sets; corrects their points of histories and says how many were wrong.
async fn fold_page(tx: &DatabaseTransaction, fresh: &mut Fresh, page: &[FinishedSet]) -> Result<u64, StoreFault> {
    let known = history::of_sets(tx, page).await?;
    let mut corrected = Vec::new();
    for set in page {
        let step = fresh.step(set);
        let is_known = |id: &ParticipantId, rating: Rating| {
            let point = known.get(&(id.clone(), set.set.clone()));
            point.is_some_and(|point| point.rating == rating && point.order == set.order())
        };
        if !(is_known(&set.creator.id, step.creator) && is_known(&set.acceptor.id, step.acceptor)) {
            corrected.push((set, step));
        }
    }
    history::put(tx, &corrected).await?;
    Ok(corrected.len() as u64)
}

async fn correct(
    tx: &DatabaseTransaction,
    game: &GameId,
    fresh: Vec<Entry>,
    mut locked: Locked,
    now: UnixMs,
) -> Result<u64, StoreFault> {
    let mut corrected = 0;
    for entry in fresh {
        let Some(stored) = locked.remove(&entry.participant.id) else { continue };
        if stored.agrees_with(&entry) {
            continue;
        }
        let version = stored.version + 1;
        let rated = entry.standing.rated;
        let peaks = stored.rerated(rated, now).peaks;
        standings::save(tx, game, &Entry { peaks, version, ..entry }, now).await?;
        corrected += 1;
    }
    for id in locked.keys() {
        standings::remove(tx, game, id).await?;
        corrected += 1;
    }
    Ok(corrected)
}

/// Rebuilds one practice.
pub(super) async fn practice(tx: &DatabaseTransaction, key: &PracticeKey) -> Result<Rebuilt, StoreFault> {
    let differs = practice::recount(tx, key).await?;
    Ok(Rebuilt { corrected: u64::from(differs), ..Rebuilt::default() })
}
