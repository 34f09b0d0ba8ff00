//! Ratings as a fold over sets in the order of their ends.
//!
//! A [`Fold`] may start at the beginning (a rebuild) or in the middle, from the standings just before a set that arrived
//! late. Then only those whose numbers can differ are touched: the two of the late set, and from then on everybody who plays
//! one of the touched. Both ways give the same bits, because each step depends on nothing but the two ratings before it.

use std::collections::BTreeMap;

use super::glicko::Rating;
use super::ids::ParticipantId;
use super::set::FinishedSet;
use super::standing::{Rated, Standing, rate};

/// The ratings of two participants just after a set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The creator's.
    pub creator: Rating,
    /// The acceptor's.
    pub acceptor: Rating,
}

/// Ratings so far of everybody that was touched.
#[derive(Clone, Debug, Default)]
pub struct Fold {
    touched: BTreeMap<ParticipantId, Rated>,
}

impl Fold {
    /// Whether the set involves anybody who was touched, so that its step has to be made anew.
    #[must_use]
    pub fn concerns(&self, creator: &ParticipantId, acceptor: &ParticipantId) -> bool {
        self.touched.contains_key(creator) || self.touched.contains_key(acceptor)
    }

    /// Whether this participant's rating so far is known.
    #[must_use]
    pub fn knows(&self, participant: &ParticipantId) -> bool {
        self.touched.contains_key(participant)
    }

    /// Tells the rating of a participant just before the set that is next.
    pub fn learn(&mut self, participant: ParticipantId, before: Rated) {
        self.touched.entry(participant).or_insert(before);
    }

    /// Makes the step of a set. Participants that it was not told of are new.
    pub fn step(&mut self, set: &FinishedSet) -> Step {
        let before = |id: &ParticipantId| self.touched.get(id).copied().unwrap_or(Rated::NEW);
        let (creator, acceptor) = rate(before(&set.creator.id), before(&set.acceptor.id), set);
        self.touched.insert(set.creator.id.clone(), creator);
        self.touched.insert(set.acceptor.id.clone(), acceptor);
        Step { creator: creator.rating, acceptor: acceptor.rating }
    }

    /// Everybody that was touched, by id.
    #[must_use]
    pub fn into_touched(self) -> BTreeMap<ParticipantId, Rated> {
        self.touched
    }
}

/// The standings of everybody after these sets, which need not be sorted. Sets that are not rated move nothing.
#[must_use]
pub fn standings(sets: &[FinishedSet]) -> BTreeMap<ParticipantId, Standing> {
    let mut sorted: Vec<&FinishedSet> = sets.iter().filter(|set| set.rated).collect();
    sorted.sort_by_key(|set| set.order());
    let mut fold = Fold::default();
    let mut standings: BTreeMap<ParticipantId, Standing> = BTreeMap::new();
    for set in sorted {
        fold.step(set);
        let score = set.outcome.for_creator();
        for (id, score) in [(&set.creator.id, score), (&set.acceptor.id, score.reversed())] {
            let standing = standings.entry(id.clone()).or_insert(Standing::NEW);
            *standing = standing.counted(set, score);
        }
    }
    for (id, rated) in fold.into_touched() {
        if let Some(standing) = standings.get_mut(&id) {
            standing.rated = rated;
        }
    }
    standings
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::set::Outcome;
    use crate::domain::set::tests::rated_set;

    const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

    fn sets() -> impl Strategy<Value = Vec<FinishedSet>> {
        let outcome = prop_oneof![Just(Outcome::CreatorWon), Just(Outcome::AcceptorWon), Just(Outcome::Drawn)];
        let set = (0..6_usize, 1..6_usize, outcome, 0..9_i64);
        proptest::collection::vec(set, 1..40).prop_map(|rows| {
            let make = |(number, (one, step, outcome, day)): (usize, (usize, usize, Outcome, i64))| {
                let number = u32::try_from(number).unwrap();
                rated_set(number, NAMES[one], NAMES[(one + step) % 6], outcome, day * 86_400_000)
            };
            rows.into_iter().enumerate().map(make).collect()
        })
    }

    proptest! {
        #[test]
        fn a_fold_from_the_middle_gives_the_same_bits(sets in sets(), late in any::<prop::sample::Index>()) {
            let mut sorted = sets;
            sorted.sort_by_key(FinishedSet::order);
            let late = late.index(sorted.len());
            let whole = standings(&sorted);
            let mut without = sorted.clone();
            let set = without.remove(late);
            let (before, after) = without.split_at(late);

            let mut partial = Fold::default();
            let known = standings(before);
            let rated = |id: &ParticipantId| known.get(id).map_or(Rated::NEW, |it| it.rated);
            // What participants had just before each later set, when nobody tells of the late one.
            let mut untouched = Fold::default();
            for (id, standing) in &known {
                untouched.learn(id.clone(), standing.rated);
            }
            for id in [&set.creator.id, &set.acceptor.id] {
                partial.learn(id.clone(), rated(id));
            }
            partial.step(&set);
            for later in after {
                if partial.concerns(&later.creator.id, &later.acceptor.id) {
                    let so_far = untouched.clone().into_touched();
                    for id in [&later.creator.id, &later.acceptor.id] {
                        partial.learn(id.clone(), so_far.get(id).copied().unwrap_or(Rated::NEW));
                    }
                    partial.step(later);
                }
                untouched.step(later);
            }
            let mut result = untouched.into_touched();
            result.extend(partial.into_touched());
            for (id, standing) in whole {
                prop_assert_eq!(result[&id], standing.rated);
            }
        }
    }
}
