//! Logistic regression: the weights under which the evaluation best foretells who wins.

use super::self_play::Sample;
use crate::domain::search::{COL_CLASSES, ROW_CLASSES, TERMS, Weights};

const PLACES: usize = ROW_CLASSES * COL_CLASSES;
const INPUTS: usize = PLACES + TERMS;

/// Steps of the descent, and how far each goes at first.
const STEPS: i32 = 400;
const RATE: f64 = 0.03;
/// Pull towards the start, per sample: what no game shows keeps its weight.
const PULL: f64 = 1e-5;
/// What a pawn is worth by convention, in the weights' units.
const PAWN: f64 = 100.0;
/// Weights per unit of log-odds, before the scale is set by convention.
const SCALE: f64 = 100.0;

type Vector = [f64; INPUTS];

/// Fits weights to samples, beginning with `start`. Follows from its arguments alone.
#[must_use]
pub fn fit(samples: &[Sample], start: &Weights) -> Weights {
    let origin = to_vector(start);
    let mut weights = origin;
    let (mut mean, mut square) = ([0.0; INPUTS], [0.0; INPUTS]);
    for step in 1..=STEPS {
        let slope = slope(samples, &weights, &origin);
        // Adam (Kingma and Ba, 2015) with its usual constants.
        let (fade_mean, fade_square) = (1.0 - 0.9_f64.powi(step), 1.0 - 0.999_f64.powi(step));
        let rate = RATE * (1.0 - f64::from(step) / f64::from(STEPS + 1));
        for at in 0..INPUTS {
            mean[at] = 0.9 * mean[at] + 0.1 * slope[at];
            square[at] = 0.999 * square[at] + 0.001 * slope[at] * slope[at];
            weights[at] -= rate * (mean[at] / fade_mean) / ((square[at] / fade_square).sqrt() + 1e-9);
        }
    }
    to_weights(&weights)
}

/// The share of the log-likelihood lost per sample, by weight.
fn slope(samples: &[Sample], weights: &Vector, origin: &Vector) -> Vector {
    let mut slope = [0.0; INPUTS];
    for sample in samples {
        let inputs = inputs(sample);
        let odds: f64 = inputs.iter().zip(weights).map(|(input, weight)| input * weight).sum();
        let error = 1.0 / (1.0 + (-odds).exp()) - f64::from(u8::from(sample.won));
        for (slope, input) in slope.iter_mut().zip(inputs) {
            *slope += error * input;
        }
    }
    let count = samples.len().max(1) as f64;
    for at in 0..INPUTS {
        slope[at] = slope[at] / count + PULL * (weights[at] - origin[at]);
    }
    slope
}

fn inputs(sample: &Sample) -> Vector {
    let mut inputs = [0.0; INPUTS];
    let values = sample.placement.as_flattened().iter().chain(&sample.terms);
    for (input, &value) in inputs.iter_mut().zip(values) {
        *input = f64::from(value);
    }
    inputs
}

fn to_vector(weights: &Weights) -> Vector {
    let mut vector = [0.0; INPUTS];
    let values = weights.placement.as_flattened().iter().chain(&weights.terms);
    for (entry, &value) in vector.iter_mut().zip(values) {
        *entry = f64::from(value) / SCALE;
    }
    vector
}

/// Rounds to whole hundredths of a pawn, a pawn being what those on the first four rows are worth on average.
fn to_weights(vector: &Vector) -> Weights {
    let near_home = &vector[..4 * COL_CLASSES];
    let pawn = near_home.iter().sum::<f64>() / near_home.len() as f64;
    let scaled = vector.map(|weight| (weight / pawn * PAWN).round() as i32);
    let mut weights = Weights { placement: [[0; COL_CLASSES]; ROW_CLASSES], terms: [0; TERMS] };
    weights.placement.as_flattened_mut().copy_from_slice(&scaled[..PLACES]);
    weights.terms.copy_from_slice(&scaled[PLACES..]);
    weights
}
