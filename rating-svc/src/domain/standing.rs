//! Where a participant stands in one game: rating and counts, and what one rated set does to a pair of them.
//!
//! The counts are of rated sets only, points included, so that all columns of a table speak of the same sets.

use farside_kit::time::UnixMs;

use super::glicko::{Rating, Score};
use super::set::{FinishedSet, SetOrder};

/// Counts of rated sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Sets won.
    pub wins: i64,
    /// Sets drawn.
    pub draws: i64,
    /// Sets lost.
    pub losses: i64,
    /// Points won from opponents, after fees.
    pub won_points: i64,
    /// Points lost to opponents.
    pub lost_points: i64,
}

impl Tally {
    /// All of them.
    #[must_use]
    pub const fn sets(self) -> i64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// Points won less points lost.
    #[must_use]
    pub const fn net_points(self) -> i64 {
        self.won_points.saturating_sub(self.lost_points)
    }

    /// With one more set.
    #[must_use]
    pub const fn with(mut self, set: &FinishedSet, score: Score) -> Self {
        match score {
            Score::Win => {
                self.wins = self.wins.saturating_add(1);
                self.won_points = self.won_points.saturating_add(set.won_points);
            }
            Score::Draw => self.draws = self.draws.saturating_add(1),
            Score::Loss => {
                self.losses = self.losses.saturating_add(1);
                self.lost_points = self.lost_points.saturating_add(set.lost_points);
            }
        }
        self
    }
}

/// A rating, and the moment that its deviation is of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    /// The rating just after the last set.
    pub rating: Rating,
    /// When that set ended; nothing before the first.
    pub at: Option<UnixMs>,
}

impl Rated {
    /// Somebody who has played nothing.
    pub const NEW: Self = Self { rating: Rating::NEW, at: None };

    /// The rating as of `now`, its deviation grown by the time since the last set.
    #[must_use]
    pub fn as_of(self, now: UnixMs) -> Rating {
        self.at.map_or(self.rating, |at| self.rating.after(now.since(at)))
    }
}

/// Where a participant stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// How strong, as of the last set.
    pub rated: Rated,
    /// Counts.
    pub tally: Tally,
    /// The last rated set in the order of set ends.
    pub last: Option<SetOrder>,
}

impl Standing {
    /// Somebody who has played nothing.
    pub const NEW: Self = Self {
        rated: Rated::NEW,
        tally: Tally { wins: 0, draws: 0, losses: 0, won_points: 0, lost_points: 0 },
        last: None,
    };

    /// Whether a set at this place comes after everything that is counted here.
    #[must_use]
    pub fn precedes(&self, order: &SetOrder) -> bool {
        self.last.as_ref().is_none_or(|last| last < order)
    }

    /// Counts the set, without its rating.
    #[must_use]
    pub fn counted(&self, set: &FinishedSet, score: Score) -> Self {
        let last = self.last.clone().max(Some(set.order()));
        Self { rated: self.rated, tally: self.tally.with(set, score), last }
    }
}

/// What the set makes of the ratings of creator and acceptor.
#[must_use]
pub fn rate(creator: Rated, acceptor: Rated, set: &FinishedSet) -> (Rated, Rated) {
    let at = UnixMs(set.finished_at_ms);
    let (creator, acceptor) = creator.as_of(at).after_set(acceptor.as_of(at), set.outcome.for_creator());
    (Rated { rating: creator, at: Some(at) }, Rated { rating: acceptor, at: Some(at) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::set::Outcome;
    use crate::domain::set::tests::rated_set;

    #[test]
    fn winner_and_loser_of_a_first_set_move_by_the_same_amount() {
        let set = rated_set(1, "a", "b", Outcome::CreatorWon, 1_000);
        let (winner, loser) = rate(Rated::NEW, Rated::NEW, &set);
        assert!((winner.rating.rating - 1362.3).abs() < 0.1, "{winner:?}");
        assert!((winner.rating.rating + loser.rating.rating - 2400.0).abs() < 1e-9);
        assert_eq!(winner.at, Some(UnixMs(1_000)));
    }

    #[test]
    fn both_sides_are_rated_against_the_opponent_before_the_set() {
        let first = rated_set(1, "a", "b", Outcome::CreatorWon, 1_000);
        let (one, other) = rate(Rated::NEW, Rated::NEW, &first);
        let mirrored = rated_set(1, "b", "a", Outcome::AcceptorWon, 1_000);
        let (mirrored_other, mirrored_one) = rate(Rated::NEW, Rated::NEW, &mirrored);
        assert_eq!((one, other), (mirrored_one, mirrored_other));
    }

    #[test]
    fn points_are_counted_with_the_side_that_won_or_lost_them() {
        let set = rated_set(1, "a", "b", Outcome::CreatorWon, 1_000);
        let winner = Standing::NEW.counted(&set, Score::Win);
        let loser = Standing::NEW.counted(&set, Score::Loss);
        assert_eq!((winner.tally.won_points, winner.tally.net_points()), (39, 39));
        assert_eq!((loser.tally.won_points, loser.tally.net_points()), (0, -40));
        assert_eq!((winner.tally.sets(), loser.tally.losses), (1, 1));
        assert!(!winner.precedes(&set.order()));
    }
}
