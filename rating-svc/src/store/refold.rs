//! Folding in a set that arrived after later ones were rated.
//!
//! The participants whose numbers can differ are those of the set, and whoever plays one of them later, and so on: the circle.
//! Their rows are locked, all in the order of ids, before anything is written; while they are locked, nobody can rate another
//! set of theirs. The circle is found by reading, so when it turns out to be wider than what is locked, the attempt is rolled
//! back and made again with all of it locked. Each attempt knows a wider circle, and nobody waits for anybody in a ring.

use std::collections::BTreeSet;

use sea_orm::DatabaseTransaction;

use super::fault::StoreFault;
use super::record::AttemptFault;
use super::standings::Locked;
use super::{history, log};
use crate::domain::fold::Fold;
use crate::domain::ids::ParticipantId;
use crate::domain::set::FinishedSet;

/// Rates `set` at its place and every later set that depends on it. Says how many later sets there were.
pub(super) async fn late(
    tx: &DatabaseTransaction,
    set: &FinishedSet,
    locked: &Locked,
) -> Result<(Fold, usize), AttemptFault> {
    let (mut circle, later) = circle(tx, set).await?;
    if !circle.iter().all(|id| locked.contains_key(id)) {
        circle.extend(locked.keys().cloned());
        return Err(AttemptFault::Widen(circle));
    }
    let mut fold = Fold::default();
    let mut steps = Vec::with_capacity(later.len() + 1);
    for set in std::iter::once(set).chain(&later) {
        learn(tx, &mut fold, set).await?;
        steps.push((set, fold.step(set)));
    }
    history::put(tx, &steps).await?;
    Ok((fold, later.len()))
}

/// Tells the fold what the two had just before the set. Whoever it does not know was not touched, so history is right there.
async fn learn(tx: &DatabaseTransaction, fold: &mut Fold, set: &FinishedSet) -> Result<(), StoreFault> {
    for id in [&set.creator.id, &set.acceptor.id] {
        if !fold.knows(id) {
            fold.learn(id.clone(), history::before(tx, &set.game, id, &set.order()).await?);
        }
    }
    Ok(())
}

/// Everybody whom a set at this place may touch, and the later sets through which it does.
async fn circle(
    tx: &DatabaseTransaction,
    set: &FinishedSet,
) -> Result<(BTreeSet<ParticipantId>, Vec<FinishedSet>), StoreFault> {
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
