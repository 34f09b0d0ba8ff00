//! Glicko-2: a strength, how sure we are of it, and how erratic it is; the update after results; the growth of doubt with
//! time away.
//!
//! Source: Mark E. Glickman, "Example of the Glicko-2 system", March 2022 revision; the step numbers below are its steps.
//! Not here: who plays whom and when, statistics, storage.
//!
//! Decisions:
//! - Every rated set is one update of the paper (a rating period with one game). Time away adds to the deviation on top,
//!   one volatility a day, continuously, so that it does not matter how a pause is cut into pieces.
//! - The scale starts at 1200. The paper's formulas only ever use the difference of two ratings, so its centre of 1500 does
//!   not appear at all.
//! - The library `skillratings` computes the same numbers in ordinary cases, and a test holds us to it there; but it answers
//!   NaN once one side is certain to win within the precision of a float, its searches have no bound, and after a great upset
//!   it may take a far-away root of step 5 and throw a rating thousands of points. Hence our own:
//!   the chance of a result never reaches 0 or 1, the volatility is the root nearest to the old one, and it stays within
//!   [`VOLATILITY_MIN`] and [`VOLATILITY_MAX`].

use farside_kit::time::DurationMs;

/// Deviation above which a rating is provisional.
pub const PROVISIONAL_ABOVE: f64 = 110.0;
/// The deviation of somebody unknown; no deviation is larger.
pub const DEVIATION_MAX: f64 = 350.0;
/// No volatility is smaller.
pub const VOLATILITY_MIN: f64 = 0.001;
/// No volatility is larger.
pub const VOLATILITY_MAX: f64 = 0.2;

/// Points of the public scale in one unit of the paper's (step 2).
const SCALE: f64 = 173.7178;
/// How much the volatility may move (the paper's τ: "between 0.3 and 1.2").
const TAU: f64 = 0.5;
/// Largest exponent in the chance of a result: e^-30 is about 10^-13.
const EXPONENT_MAX: f64 = 30.0;
/// The rating period of time away.
const PERIOD_MS: f64 = 86_400_000.0;
/// Halvings of an interval of at most 2τ: to the last bit of a float near one.
const HALVINGS: u32 = 52;

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

    const fn value(self) -> f64 {
        match self {
            Self::Win => 1.0,
            Self::Draw => 0.5,
            Self::Loss => 0.0,
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
            && (0.0..=DEVIATION_MAX).contains(&self.deviation)
            && (VOLATILITY_MIN..=VOLATILITY_MAX).contains(&self.volatility)
    }

    /// The rating after one result; both ratings as of the moment of the result.
    #[must_use]
    pub fn updated(self, opponent: Self, score: Score) -> Self {
        self.updated_by(&[(opponent, score)])
    }

    /// The rating after all results of one rating period.
    fn updated_by(self, results: &[(Self, Score)]) -> Self {
        let evidence = Evidence::of(self, results);
        let deviation = self.deviation / SCALE;
        let volatility = evidence.volatility(deviation, self.volatility);
        // Steps 6 to 8.
        let before = deviation.powi(2) + volatility.powi(2);
        let variance = 1.0 / (1.0 / before + evidence.information);
        Self {
            rating: self.rating + SCALE * variance * evidence.surprise,
            deviation: (SCALE * variance.sqrt()).min(DEVIATION_MAX),
            volatility,
        }
    }
}

/// What the results of a period say (steps 3 and 4).
struct Evidence {
    /// The paper's 1/v.
    information: f64,
    /// The paper's Δ/v: by how much the results beat what was expected.
    surprise: f64,
}

impl Evidence {
    fn of(player: Rating, results: &[(Rating, Score)]) -> Self {
        let mut evidence = Self { information: 0.0, surprise: 0.0 };
        for (opponent, score) in results {
            let weight = weight(opponent.deviation / SCALE);
            let exponent = weight * (player.rating - opponent.rating) / SCALE;
            let (expected, missed) = chances(exponent);
            evidence.information += weight.powi(2) * expected * missed;
            evidence.surprise += weight * (score.value() - expected);
        }
        evidence
    }

    /// Step 5: the new volatility, as the root nearest to the old one.
    fn volatility(&self, deviation: f64, volatility: f64) -> f64 {
        let variance = 1.0 / self.information;
        let slope = Slope {
            // Δ² - φ² - v and φ² + v.
            excess: (variance * self.surprise).powi(2) - deviation.powi(2) - variance,
            spread: deviation.powi(2) + variance,
            start: 2.0 * volatility.ln(),
        };
        (slope.root() / 2.0).exp().clamp(VOLATILITY_MIN, VOLATILITY_MAX)
    }
}

/// The paper's f: the slope of the likelihood of the logarithm of the squared volatility.
struct Slope {
    excess: f64,
    spread: f64,
    start: f64,
}

impl Slope {
    fn at(&self, x: f64) -> f64 {
        let square = x.exp();
        let evidence = square * (self.excess - square) / (2.0 * (self.spread + square).powi(2));
        evidence - (x - self.start) / TAU.powi(2)
    }

    /// The root nearest to the start on the side to which the slope points, or the end of the range that is searched.
    ///
    /// Below, the evidence is never under -½, so a root lies within τ²/2. Above, the range ends at the largest volatility and
    /// is walked in steps of τ/2, which is narrow against the hump that the evidence makes.
    fn root(&self) -> f64 {
        if self.at(self.start) <= 0.0 {
            return self.bisect(self.start - TAU.powi(2) / 2.0, self.start);
        }
        let top = 2.0 * VOLATILITY_MAX.ln();
        let mut low = self.start;
        while low < top {
            let high = (low + TAU / 2.0).min(top);
            if self.at(high) <= 0.0 {
                return self.bisect(low, high);
            }
            low = high;
        }
        top
    }

    /// The place between `low`, where the slope is not negative, and `high`, where it is not positive.
    fn bisect(&self, mut low: f64, mut high: f64) -> f64 {
        for _ in 0..HALVINGS {
            let middle = low.midpoint(high);
            if self.at(middle) > 0.0 { low = middle } else { high = middle }
        }
        low.midpoint(high)
    }
}

/// The paper's g: the less is known of an opponent, the less a result against it says.
fn weight(deviation: f64) -> f64 {
    1.0 / (1.0 + 3.0 * (deviation / std::f64::consts::PI).powi(2)).sqrt()
}

/// The chance to win and the chance not to, each computed by itself so that neither is rounded to nothing.
fn chances(exponent: f64) -> (f64, f64) {
    let exponent = exponent.clamp(-EXPONENT_MAX, EXPONENT_MAX);
    (1.0 / (1.0 + (-exponent).exp()), 1.0 / (1.0 + exponent.exp()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use skillratings::Outcomes;
    use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

    use super::*;

    const fn rating(rating: f64, deviation: f64) -> Rating {
        Rating { rating, deviation, volatility: 0.06 }
    }

    fn library(player: Rating, opponent: Rating, score: Score) -> Glicko2Rating {
        let convert = |it: Rating| Glicko2Rating { rating: it.rating, deviation: it.deviation, volatility: it.volatility };
        let outcome = match score {
            Score::Win => Outcomes::WIN,
            Score::Draw => Outcomes::DRAW,
            Score::Loss => Outcomes::LOSS,
        };
        let config = Glicko2Config { tau: TAU, convergence_tolerance: 1e-9 };
        glicko2(&convert(player), &convert(opponent), &outcome, &config).0
    }

    fn scores() -> impl Strategy<Value = Score> {
        prop_oneof![Just(Score::Win), Just(Score::Draw), Just(Score::Loss)]
    }

    #[test]
    fn the_example_of_the_paper_comes_out() {
        let results = [
            (rating(1400.0, 30.0), Score::Win),
            (rating(1550.0, 100.0), Score::Loss),
            (rating(1700.0, 300.0), Score::Loss),
        ];
        let after = rating(1500.0, 200.0).updated_by(&results);
        assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 0.00001, "{after:?}");
    }

    #[test]
    fn only_the_difference_of_ratings_counts() {
        let low = rating(1200.0, 80.0).updated(rating(1100.0, 90.0), Score::Loss);
        let high = rating(2200.0, 80.0).updated(rating(2100.0, 90.0), Score::Loss);
        assert!((high.rating - low.rating - 1000.0).abs() < 1e-9);
    }

    #[test]
    fn the_library_is_not_right_at_the_extremes_and_we_are() {
        let (giant, dwarf) = (rating(9000.0, 30.0), rating(1200.0, 30.0));
        assert!(!library(giant, dwarf, Score::Win).rating.is_finite());
        assert!(giant.updated(dwarf, Score::Win).is_sound());
        let upset = rating(1200.0, 50.0).updated(rating(2800.0, 50.0), Score::Win);
        assert!((1200.0..1300.0).contains(&upset.rating), "{upset:?}");
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
        #[test]
        fn ordinary_results_agree_with_the_library(
            mine in 800.0..1700.0, sure in 40.0..350.0, theirs in 800.0..1700.0, known in 40.0..350.0,
            volatility in 0.03..0.1, score in scores(),
        ) {
            let player = Rating { volatility, ..rating(mine, sure) };
            let opponent = rating(theirs, known);
            let (ours, reference) = (player.updated(opponent, score), library(player, opponent, score));
            prop_assert!((ours.rating - reference.rating).abs() < 1e-4, "{ours:?} {reference:?}");
            prop_assert!((ours.deviation - reference.deviation.min(DEVIATION_MAX)).abs() < 1e-4, "{ours:?} {reference:?}");
            prop_assert!((ours.volatility - reference.volatility).abs() < 1e-6, "{ours:?} {reference:?}");
        }

        #[test]
        fn every_result_is_finite_and_within_bounds(
            mine in -1e6..1e6, sure in 0.0..=DEVIATION_MAX, theirs in -1e6..1e6, known in 0.0..=DEVIATION_MAX,
            volatility in VOLATILITY_MIN..=VOLATILITY_MAX, away in any::<i64>(), score in scores(),
        ) {
            let player = Rating { volatility, ..rating(mine, sure) }.after(DurationMs(away));
            let after = player.updated(rating(theirs, known), score);
            prop_assert!(after.is_sound(), "{player:?} {after:?}");
            prop_assert!((after.rating - mine).abs() < 800.0);
        }

        #[test]
        fn winning_never_costs_and_losing_never_pays(
            mine in 0.0..3000.0, sure in 30.0..350.0, theirs in 0.0..3000.0, known in 30.0..350.0,
        ) {
            let (player, opponent) = (rating(mine, sure), rating(theirs, known));
            prop_assert!(player.updated(opponent, Score::Win).rating >= mine);
            prop_assert!(player.updated(opponent, Score::Loss).rating <= mine);
        }

        #[test]
        fn a_pause_may_be_cut_into_pieces(sure in 30.0..200.0, first in 0_i64..5_000_000_000, second in 0_i64..5_000_000_000) {
            let whole = rating(1500.0, sure).after(DurationMs(first + second));
            let pieces = rating(1500.0, sure).after(DurationMs(first)).after(DurationMs(second));
            prop_assert!((whole.deviation - pieces.deviation).abs() < 1e-6);
        }

        #[test]
        fn thousands_of_lopsided_results_stay_sound(wins in proptest::collection::vec(any::<bool>(), 1..400)) {
            let (mut one, mut other) = (Rating::NEW, Rating::NEW);
            for won in wins {
                let score = if won { Score::Win } else { Score::Loss };
                (one, other) = (one.updated(other, score), other.updated(one, score.reversed()));
            }
            prop_assert!(one.is_sound() && other.is_sound());
        }
    }
}
