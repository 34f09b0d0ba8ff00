//! Folding in a set that arrived after later ones were rated.
//!
//! The participants whose numbers can differ are those of the set, and whoever plays one of them later, and so on. Their
//! rows are locked before anything is written; while they are locked, nobody can rate another set of theirs. Because the
//! circle is found by reading, it is looked at again once it is locked, until nothing was added to it meanwhile.

use std::collections::BTreeSet;

use sea_orm::DatabaseTransaction;

use super::fault::StoreFault;
use super::standings::{self, Locked};
use super::{history, log};
use crate::domain::fold::Fold;
use crate::domain::ids::ParticipantId;
use crate::domain::set::FinishedSet;

/// Rates `set` at its place and every later set that depends on it; locks whom it touches. Says how many later sets there
/// were.
pub(super) async fn late(tx: &DatabaseTransaction, set: &FinishedSet, locked: &mut Locked) -> Result<(Fold, usize), StoreFault> {
    let later = loop {
        let (circle, later) = circle(tx, set).await?;
        if circle.iter().all(|id| locked.contains_key(id)) {
            break later;
        }
        standings::lock(tx, &set.game, &circle, locked).await?;
    };
    let mut fold = Fold::default();
    step(tx, &mut fold, set).await?;
    for later in &later {
        step(tx, &mut fold, later).await?;
    }
    Ok((fold, later.len()))
}

/// Everybody whom a set at this place may touch, and the later sets through which it does.
async fn circle(tx: &DatabaseTransaction, set: &FinishedSet) -> Result<(BTreeSet<ParticipantId>, Vec<FinishedSet>), StoreFault> {
    let mut circle = BTreeSet::from([set.creator.id.clone(), set.acceptor.id.clone()]);
    let mut later = Vec::new();
    let mut place = set.order();
    loop {
        let page = log::rated_after(tx, &set.game, Some(&place)).await?;
        let Some(last) = page.last() else { return Ok((circle, later)) };
        place = last.order();
        for set in page {
            if circle.contains(&set.creator.id) || circle.contains(&set.acceptor.id) {
                circle.extend([set.creator.id.clone(), set.acceptor.id.clone()]);
                later.push(set);
            }
        }
    }
}

async fn step(tx: &DatabaseTransaction, fold: &mut Fold, set: &FinishedSet) -> Result<(), StoreFault> {
    for id in [&set.creator.id, &set.acceptor.id] {
        if !fold.knows(id) {
            fold.learn(id.clone(), history::before(tx, &set.game, id, &set.order()).await?);
        }
    }
    let step = fold.step(set);
    history::put(tx, set, &step).await
}
