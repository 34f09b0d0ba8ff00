//! Finding the evaluation's weights by self-play: games from random starts, then a logistic fit of who won them.
//!
//! Everything follows from the plan, so that the weights can be made again. Printing and threads are the caller's;
//! see `examples/tune.rs`.

mod fit;
mod sample;
mod self_play;

pub use fit::{Fitted, fit};
pub use sample::Sample;
pub use self_play::{Plan, play};

use crate::domain::search::{PATTERNS, Weights};

/// What the tuning begins with: guesses at placement and terms, and no patterns.
#[must_use]
pub fn first_guess() -> Weights {
    Weights {
        placement: [
            [104, 118, 112, 110],
            [96, 98, 98, 98],
            [90, 95, 98, 100],
            [95, 102, 106, 110],
            [108, 118, 124, 128],
            [140, 155, 160, 165],
            [220, 240, 245, 250],
            [400, 400, 400, 400],
        ],
        terms: [8, 4, 4, 2, 2, 3, -10, 5, -25, 45, 20, 40, 12, -12],
        patterns: vec![0; PATTERNS],
    }
}

#[cfg(test)]
mod tests {
    use super::{Plan, Sample, first_guess, fit, play};
    use crate::domain::pawns::Size;

    fn samples() -> Vec<Sample> {
        let plan = Plan { size: Size::CLASSIC, random_plies: 8, nodes: 200 };
        (0..30).flat_map(|game| play(&plan, &first_guess(), game)).collect()
    }

    #[test]
    fn a_fit_foretells_its_games_better_with_each_epoch_and_is_repeatable() {
        let samples = samples();
        let fitted = fit(&samples, &first_guess());
        assert!(samples.len() > 500);
        assert!(fitted.losses.is_sorted_by(|before, after| before >= after), "{:?}", fitted.losses);
        assert_eq!(fitted.weights, fit(&samples, &first_guess()).weights);
    }
}
