//! Moves of the handicap game as JSON: the placing, then steps.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::json::{self, Violation};
use crate::domain::pawn_play::wire::{Cell, StepMove};

/// The first move of the side that gives the odds: all its pawns at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceMove {
    /// The squares of the pawns, each as row and column from 0, in any order.
    #[schemars(length(min = 8, max = 15))]
    pub place: Vec<Cell>,
}

/// A move: the placing, or a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum HandicapMove {
    /// Places all pawns.
    Place(PlaceMove),
    /// Steps with one.
    Step(StepMove),
}

#[derive(Deserialize)]
struct Peek {
    place: Option<serde::de::IgnoredAny>,
}

impl HandicapMove {
    /// Reads a move: whatever has a member `place` is meant as a placing.
    ///
    /// # Errors
    /// What does not fit, with its pointer.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        let peek: Peek = json::parse_object(text)?;
        if peek.place.is_none() {
            return json::parse_object(text).map(Self::Step);
        }
        let mut placing: PlaceMove = json::parse_object(text)?;
        if !(8..=15).contains(&placing.place.len()) {
            let detail = format!("a placing has 8 to 15 squares, not {}", placing.place.len());
            return Err(Violation::new("/place", detail));
        }
        placing.place.sort_unstable();
        Ok(Self::Place(placing))
    }
}
