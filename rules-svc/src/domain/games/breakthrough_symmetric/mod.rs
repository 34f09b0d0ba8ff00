//! Breakthrough with an open, symmetric setup: outer columns and alternating squares.

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::contract::{FEWER_MOVES, FISCHER, Facts, Information, Tier};
use crate::domain::error::RulesError;
use crate::domain::game::Start;
use crate::domain::games::PAWN_LEVELS;
use crate::domain::games::breakthrough::options::present;
use crate::domain::json::{Violation, Whole};
use crate::domain::pawn_play::setup;
use crate::domain::pawn_play::variant::PawnVariant;
use crate::domain::pawns::{PawnBoard, Size, Square};

/// Breakthrough with the symmetric setup.
pub struct BreakthroughSymmetric;

/// Options as a challenge gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Given {
    /// Rows and columns of the board.
    #[schemars(title = "Board size", with = "Whole<6, 12>")]
    #[serde(deserialize_with = "present")]
    pub size: Option<Whole<6, 12>>,
}

/// Options complete with defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Options {
    /// Rows and columns of the board.
    pub size: u8,
}

impl PawnVariant for BreakthroughSymmetric {
    type Given = Given;
    type Options = Options;

    fn facts(&self) -> Facts {
        Facts {
            id: "breakthrough-symmetric",
            name: "Breakthrough symmetric",
            summary: "Breakthrough from an open setup: outer columns and every other square between them.",
            rules_markdown: include_str!("rules.md"),
            guide_markdown: include_str!("guide.md"),
            tier: Tier::Casual,
            colours: ["red", "blue"],
            games_per_set: 2,
            clock: FISCHER,
            max_moves: 400,
            information: Information::Perfect,
            tiebreak: FEWER_MOVES,
            house_levels: PAWN_LEVELS,
            version: 1,
        }
    }

    fn sizes(&self) -> RangeInclusive<u8> {
        6..=12
    }

    fn resolve(&self, given: Given) -> Result<Options, Vec<Violation>> {
        Ok(Options { size: given.size.map_or(Size::CLASSIC.get(), Whole::get) })
    }

    /// # Panics
    /// Never: a resolved size is 6 to 12.
    fn board(&self, options: &Options, _: &Start) -> Result<PawnBoard, RulesError> {
        let size = Size::new(options.size).expect("a resolved size is 6 to 12");
        Ok(setup::mirrored(size, setup::home_squares(size).filter(|&square| is_set(square, size))))
    }
}

/// Whether seat 1 has a pawn there: both outer columns of its two home rows, and between them the even columns of the
/// outer row and the odd ones of the inner row.
fn is_set(square: Square, size: Size) -> bool {
    let outer = square.col == 0 || square.col + 1 == size.get();
    square.row < 2 && (outer || square.col % 2 == square.row)
}
