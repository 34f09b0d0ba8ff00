//! Breakthrough on 6×6 to 12×12 boards, with standard and random starts.

pub mod options;

use std::ops::RangeInclusive;

use options::{Given, Options};

use crate::domain::contract::{FEWER_MOVES, FISCHER, Facts, Information, Tier};
use crate::domain::error::RulesError;
use crate::domain::game::Start;
use crate::domain::games::PAWN_LEVELS;
use crate::domain::json::Violation;
use crate::domain::pawn_play::variant::PawnVariant;
use crate::domain::pawns::PawnBoard;

/// Breakthrough.
pub struct Breakthrough;

impl PawnVariant for Breakthrough {
    type Given = Given;
    type Options = Options;

    fn facts(&self) -> Facts {
        Facts {
            id: "breakthrough",
            name: "Breakthrough",
            summary: "A race of pawns: bring one to the far row, or capture all of the opponent's.",
            rules_markdown: include_str!("rules.md"),
            guide_markdown: include_str!("guide.md"),
            tier: Tier::Ranked,
            colours: ["red", "blue"],
            games_per_set: 2,
            clock: FISCHER,
            max_moves: 800,
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
        given.resolve(options::StartKind::Random)
    }

    fn board(&self, options: &Options, start: &Start) -> Result<PawnBoard, RulesError> {
        options.board(start)
    }
}
