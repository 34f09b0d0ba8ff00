//! Breakthrough on the small board: 6×6, with two rows of pawns or one.

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
use crate::domain::pawns::{PawnBoard, Size};

/// Breakthrough on 6×6.
pub struct BreakthroughSmall;

/// Options as a challenge gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Given {
    /// Full rows of pawns on each side: two rows are 12 pawns, one row is 6.
    #[schemars(title = "Rows of pawns", with = "Whole<1, 2>")]
    #[serde(deserialize_with = "present")]
    pub rows: Option<Whole<1, 2>>,
}

/// Options complete with defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Options {
    /// Full rows of pawns.
    pub rows: u8,
}

impl PawnVariant for BreakthroughSmall {
    type Given = Given;
    type Options = Options;

    fn facts(&self) -> Facts {
        Facts {
            id: "breakthrough-small",
            name: "Breakthrough small",
            summary: "Breakthrough on a 6×6 board: short games, contact almost at once.",
            rules_markdown: include_str!("rules.md"),
            guide_markdown: include_str!("guide.md"),
            tier: Tier::Casual,
            colours: ["red", "blue"],
            games_per_set: 2,
            clock: FISCHER,
            max_moves: 120,
            information: Information::Perfect,
            tiebreak: FEWER_MOVES,
            house_levels: PAWN_LEVELS,
            version: 1,
        }
    }

    fn sizes(&self) -> RangeInclusive<u8> {
        6..=6
    }

    fn resolve(&self, given: Given) -> Result<Options, Vec<Violation>> {
        Ok(Options { rows: given.rows.map_or(2, Whole::get) })
    }

    fn board(&self, options: &Options, _: &Start) -> Result<PawnBoard, RulesError> {
        Ok(setup::rows_filled(Size::MIN, options.rows * Size::MIN.get()))
    }
}
