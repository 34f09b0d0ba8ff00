//! Glicko-2: a strength, how sure we are of it, and how erratic it is; the update after a result; the growth of doubt with
//! time away.
//!
//! Source: Mark E. Glickman, "Example of the Glicko-2 system"; the arithmetic is that of the crate `skillratings`.
//! Not here: who plays whom and when, statistics, storage.
//!
//! Decisions:
//! - Every rated set is one update of the paper (a rating period with one game). Time away adds to the deviation on top,
//!   one volatility a day, continuously, so that it does not matter how a pause is cut into pieces.
//! - The scale starts at 1200. The paper only ever uses the difference of two ratings, so its centre of 1500 does not matter.
//! - The crate was checked against the paper's example, great upsets, huge deviations and long absences (tests below). Two
//!   things are added. Its searches for the volatility have no bound of their own, and beyond a gap of 6,000 points a chance
//!   rounds to certainty and the search to nothing: so a gap counts as at most [`GAP_MAX`], and the volatility is kept within
//!   [`VOLATILITY_MIN`] and [`VOLATILITY_MAX`], a range in which the searches were seen to end. And a deviation may come out
//!   just above that of somebody unknown: it is cut to [`DEVIATION_MAX`].

use farside_kit::time::DurationMs;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

/// Deviation above which a rating is provisional.
pub const PROVISIONAL_ABOVE: f64 = 110.0;
/// The deviation of somebody unknown; no deviation is larger.
pub const DEVIATION_MAX: f64 = 350.0;
/// No deviation is smaller. One set adds more doubt than that.
pub const DEVIATION_MIN: f64 = 0.1;
/// No volatility is smaller.
pub const VOLATILITY_MIN: f64 = 0.001;
/// No volatility is larger.
pub const VOLATILITY_MAX: f64 = 0.2;
/// A larger difference of two ratings counts as this one.
pub const GAP_MAX: f64 = 5_000.0;

/// Points of the public scale in one unit of the paper's (step 2).
const SCALE: f64 = 173.7178;
/// The rating period of time away.
const PERIOD_MS: f64 = 86_400_000.0;
/// How much the volatility may move (the paper's τ, "between 0.3 and 1.2"), and how exactly it is searched.
const CONFIG: Glicko2Config = Glicko2Config { tau: 0.5, convergence_tolerance: 0.000_001 };

/// What a participant is worth in one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Strength in points.
    pub rating: f64,
    /// Standard deviation of the strength in points, as of the last set.
    pub deviation: f64,
    /// Expected movement of the strength in a period, on the paper's scale.
    pub volatility: f64,
}

/// A result as one side sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Won: 1.
    Win,
    /// Drawn: ½.
    Draw,
    /// Lost: 0.
    Loss,
}

impl Score {
    /// The same result as the other side sees it.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }

    const fn outcome(self) -> Outcomes {
        match self {
            Self::Win => Outcomes::WIN,
            Self::Draw => Outcomes::DRAW,
            Self::Loss => Outcomes::LOSS,
        }
    }
}

impl Rating {
    /// Somebody who has played nothing.
    pub const NEW: Self = Self { rating: 1200.0, deviation: DEVIATION_MAX, volatility: 0.06 };

    /// The same after `away` without a set: the deviation has grown. A negative time counts as none.
    #[must_use]
    pub fn after(self, away: DurationMs) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "days to a precision of microseconds are enough")]
        let periods = away.0.max(0) as f64 / PERIOD_MS;
        let variance = (self.deviation / SCALE).powi(2) + periods * self.volatility.powi(2);
        Self { deviation: (variance.sqrt() * SCALE).min(DEVIATION_MAX), ..self }
    }

    /// Whether too little is known for the rating to be taken at its word.
    #[must_use]
    pub fn is_provisional(self) -> bool {
        self.deviation > PROVISIONAL_ABOVE
    }

    /// Whether all its numbers are numbers and within their bounds.
    #[must_use]
    pub fn is_sound(self) -> bool {
        self.rating.is_finite()
            && (DEVIATION_MIN..=DEVIATION_MAX).contains(&self.deviation)
            && (VOLATILITY_MIN..=VOLATILITY_MAX).contains(&self.volatility)
    }

    /// The ratings of both sides after a result, each against the other as it was before; both as of that moment. The score is
    /// this side's.
    #[must_use]
    pub fn after_set(self, opponent: Self, score: Score) -> (Self, Self) {
        let gap = (self.rating - opponent.rating).clamp(-GAP_MAX, GAP_MAX);
        let (one, other) = (self.seen_at(gap), opponent.seen_at(0.0));
        let (after_one, after_other) = glicko2(&one, &other, &score.outcome(), &CONFIG);
        (self.moved(one, after_one), opponent.moved(other, after_other))
    }

    const fn seen_at(self, rating: f64) -> Glicko2Rating {
        Glicko2Rating { rating, deviation: self.deviation, volatility: self.volatility }
    }

    /// Moves by as much as the update moved.
    fn moved(self, before: Glicko2Rating, after: Glicko2Rating) -> Self {
        Self {
            rating: self.rating + (after.rating - before.rating),
            deviation: after.deviation.clamp(DEVIATION_MIN, DEVIATION_MAX),
            volatility: after.volatility.clamp(VOLATILITY_MIN, VOLATILITY_MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use skillratings::glicko2::glicko2_rating_period;

    use super::*;

    const fn rating(rating: f64, deviation: f64) -> Rating {
        Rating { rating, deviation, volatility: 0.06 }
    }

    fn scores() -> impl Strategy<Value = Score> {
        prop_oneof![Just(Score::Win), Just(Score::Draw), Just(Score::Loss)]
    }

    #[test]
    fn the_example_of_the_paper_comes_out_of_the_crate() {
        let seen = |points, deviation| rating(points, deviation).seen_at(points);
        let results = [
            (seen(1400.0, 30.0), Outcomes::WIN),
            (seen(1550.0, 100.0), Outcomes::LOSS),
            (seen(1700.0, 300.0), Outcomes::LOSS),
        ];
        let after = glicko2_rating_period(&seen(1500.0, 200.0), &results, &CONFIG);
        assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 0.00001, "{after:?}");
    }

    #[test]
    fn one_set_is_the_step_of_the_paper() {
        // The formulas of the paper by hand for 1500/200 beating 1400/30: g 0.9955, E 0.6395, v 4.377, so the variance after
        // it is 1 / (1 / (1.1513² + 0.06²) + 1 / 4.377).
        let (after, _) = rating(1500.0, 200.0).after_set(rating(1400.0, 30.0), Score::Win);
        assert!((after.rating - 1563.56).abs() < 0.1, "{after:?}");
        assert!((after.deviation - 175.40).abs() < 0.1, "{after:?}");
    }

    #[test]
    fn only_the_difference_of_ratings_counts() {
        let (low, _) = rating(1200.0, 80.0).after_set(rating(1100.0, 90.0), Score::Loss);
        let (high, _) = rating(2200.0, 80.0).after_set(rating(2100.0, 90.0), Score::Loss);
        assert!((high.rating - low.rating - 1000.0).abs() < 1e-9);
    }

    #[test]
    fn the_greatest_upset_moves_a_known_rating_little() {
        let (winner, loser) = rating(1200.0, 50.0).after_set(rating(1e9, 50.0), Score::Win);
        assert!((1200.0..1220.0).contains(&winner.rating) && winner.is_sound(), "{winner:?}");
        assert!(loser.is_sound(), "{loser:?}");
    }

    #[test]
    fn a_long_absence_ends_at_the_deviation_of_somebody_unknown() {
        let year = rating(1500.0, 50.0).after(DurationMs(365 * 86_400_000));
        assert!((year.deviation - 205.3).abs() < 0.1, "{year:?}");
        let ages = rating(1500.0, 50.0).after(DurationMs(i64::MAX));
        assert_eq!(ages.deviation.to_bits(), DEVIATION_MAX.to_bits());
        assert_eq!(rating(1500.0, 50.0).after(DurationMs(-5)), rating(1500.0, 50.0).after(DurationMs::ZERO));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn every_result_is_finite_and_within_bounds(
            mine in -1e6..1e6, sure in DEVIATION_MIN..=DEVIATION_MAX, theirs in -1e6..1e6, known in DEVIATION_MIN..=DEVIATION_MAX,
            volatility in VOLATILITY_MIN..=VOLATILITY_MAX, away in any::<i64>(), score in scores(),
        ) {
            let player = Rating { volatility, ..rating(mine, sure) }.after(DurationMs(away));
            let (one, other) = player.after_set(rating(theirs, known), score);
            prop_assert!(one.is_sound() && other.is_sound(), "{one:?} {other:?}");
            prop_assert!((one.rating - mine).abs() < 800.0);
            prop_assert!((one.volatility / volatility - 1.0).abs() < 0.01);
        }

        #[test]
        fn winning_never_costs_and_losing_never_pays(
            mine in 0.0..3000.0, sure in 30.0..350.0, theirs in 0.0..3000.0, known in 30.0..350.0,
        ) {
            let (one, other) = rating(mine, sure).after_set(rating(theirs, known), Score::Win);
            prop_assert!(one.rating >= mine && other.rating <= theirs);
        }

        #[test]
        fn a_pause_may_be_cut_into_pieces(sure in 30.0..200.0, first in 0_i64..5_000_000_000, second in 0_i64..5_000_000_000) {
            let whole = rating(1500.0, sure).after(DurationMs(first + second));
            let pieces = rating(1500.0, sure).after(DurationMs(first)).after(DurationMs(second));
            prop_assert!((whole.deviation - pieces.deviation).abs() < 1e-6);
        }
    }

    proptest! {
        #[test]
        fn hundreds_of_lopsided_results_stay_sound(wins in proptest::collection::vec(prop::bool::weighted(0.9), 1..400)) {
            let (mut one, mut other) = (Rating::NEW, Rating::NEW);
            for won in wins {
                (one, other) = one.after_set(other, if won { Score::Win } else { Score::Loss });
            }
            prop_assert!(one.is_sound() && other.is_sound());
        }
    }
}
