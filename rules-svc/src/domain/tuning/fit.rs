//! Logistic regression: the weights under which the evaluation best foretells who wins.
//!
//! The worth of placement is given; the fit finds the terms and the patterns that make up for what it misses.

use super::sample::Sample;
use crate::domain::search::{Score, Weights};

/// Times that every sample is looked at.
const EPOCHS: u32 = 8;
/// How far a weight moves for one sample, at most, in hundredths of a pawn.
const RATE: f64 = 6.0;
/// Squared slopes that a weight begins with: what is seldom seen moves little.
const CAUTION: f64 = 2.0;
/// How much the final result counts against what the search made of the position.
const RESULT_SHARE: f64 = 0.6;
/// Samples are taken so far apart, in turn, so that neighbours of one game do not follow each other.
const STRIDE: usize = 7_919;

/// What a fit has found.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The weights.
    pub weights: Weights,
    /// Mean loss per sample before the fit and in each epoch, in nats.
    pub losses: Vec<f64>,
}

/// Fits weights to samples, beginning with `start`. Follows from its arguments alone.
#[must_use]
pub fn fit(samples: &[Sample], start: &Weights) -> Fitted {
    let mut descent = Descent::new(start, odds_per_point(samples, start));
    let mut losses = Vec::new();
    for _ in 0..EPOCHS {
        let order = (0..samples.len()).map(|at| &samples[at * STRIDE % samples.len()]);
        let loss: f64 = order.map(|sample| descent.step(sample)).sum();
        losses.push(loss / samples.len().max(1) as f64);
    }
    Fitted { weights: descent.weights(start), losses }
}

/// The odds, as a logarithm, that a hundredth of a pawn is worth under these weights.
fn odds_per_point(samples: &[Sample], weights: &Weights) -> f64 {
    let descent = Descent::new(weights, 0.0);
    let mut odds = 0.005;
    for _ in 0..8 {
        let (mut slope, mut curve) = (0.0, 1e-9);
        for sample in samples {
            let value = descent.value(sample);
            let expected = chance(odds * value);
            slope += (expected - f64::from(u8::from(sample.won))) * value;
            curve += expected * (1.0 - expected) * value * value;
        }
        odds = (odds - slope / curve).clamp(0.001, 0.05);
    }
    odds
}

fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// A weight and the squares of its slopes so far (Adagrad: Duchi, Hazan and Singer, 2011).
#[derive(Clone, Copy)]
struct Moving {
    weight: f64,
    squares: f64,
}

impl Moving {
    fn at(weight: i32) -> Self {
        Self { weight: f64::from(weight), squares: CAUTION }
    }

    fn step(&mut self, slope: f64) {
        self.squares += slope * slope;
        self.weight -= RATE * slope / self.squares.sqrt();
    }
}

/// The weights as they move.
struct Descent<'a> {
    start: &'a Weights,
    odds_per_point: f64,
    terms: Vec<Moving>,
    patterns: Vec<Moving>,
}

impl<'a> Descent<'a> {
    fn new(start: &'a Weights, odds_per_point: f64) -> Self {
        let moving = |weights: &[i32]| weights.iter().copied().map(Moving::at).collect();
        Self { start, odds_per_point, terms: moving(&start.terms), patterns: moving(&start.patterns) }
    }

    /// The evaluation of a sample, in hundredths of a pawn.
    fn value(&self, sample: &Sample) -> f64 {
        let placement = sample.placement.as_flattened().iter().zip(self.start.placement.as_flattened());
        let placed: i32 = placement.map(|(&count, weight)| i32::from(count) * weight).sum();
        let terms: f64 =
            sample.terms.iter().zip(&self.terms).map(|(&term, moving)| f64::from(term) * moving.weight).sum();
        let patterns: f64 = sample.patterns.iter().map(|&used| sign(used) * self.patterns[place(used)].weight).sum();
        f64::from(placed) + terms + patterns
    }

    /// Moves the weights a little towards foretelling this sample; its loss before that.
    fn step(&mut self, sample: &Sample) -> f64 {
        let expected = chance(self.odds_per_point * self.value(sample));
        let target = self.target(sample);
        let error = expected - target;
        for (moving, &term) in self.terms.iter_mut().zip(&sample.terms).filter(|(_, term)| **term != 0) {
            moving.step(error * f64::from(term));
        }
        for &used in &sample.patterns {
            self.patterns[place(used)].step(error * sign(used));
        }
        -target * expected.max(1e-12).ln() - (1.0 - target) * (1.0 - expected).max(1e-12).ln()
    }

    /// The chance of winning that the evaluation should have seen.
    fn target(&self, sample: &Sample) -> f64 {
        let Score(points) = sample.score;
        let searched = chance(self.odds_per_point * f64::from(points));
        RESULT_SHARE * f64::from(u8::from(sample.won)) + (1.0 - RESULT_SHARE) * searched
    }

    fn weights(&self, start: &Weights) -> Weights {
        let rounded = |moving: &Moving| moving.weight.round() as i32;
        let mut weights = start.clone();
        for (weight, moving) in weights.terms.iter_mut().zip(&self.terms) {
            *weight = rounded(moving);
        }
        for (weight, moving) in weights.patterns.iter_mut().zip(&self.patterns) {
            *weight = rounded(moving);
        }
        weights
    }
}

fn sign(used: i16) -> f64 {
    f64::from(used.signum())
}

fn place(used: i16) -> usize {
    usize::from(used.unsigned_abs()) - 1
}
