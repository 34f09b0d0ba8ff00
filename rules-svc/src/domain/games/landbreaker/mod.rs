//! Landbreaker: Breakthrough whose contract puts the capture of every enemy pawn beside the far row as a way to win.

use std::ops::RangeInclusive;

use crate::domain::contract::{FEWER_MOVES, FISCHER, Facts, Information, Tier};
use crate::domain::error::RulesError;
use crate::domain::game::Start;
use crate::domain::games::PAWN_LEVELS;
use crate::domain::games::breakthrough::options::{Given, Options, StartKind};
use crate::domain::json::Violation;
use crate::domain::pawn_play::variant::PawnVariant;
use crate::domain::pawns::PawnBoard;

/// Landbreaker.
pub struct Landbreaker;

impl PawnVariant for Landbreaker {
    type Given = Given;
    type Options = Options;

    fn facts(&self) -> Facts {
        Facts {
            id: "landbreaker",
            name: "Landbreaker",
            summary: "Breakthrough with two ways to win: break through to the far row, or clear the land of enemy pawns.",
            rules_markdown: include_str!("rules.md"),
            guide_markdown: include_str!("guide.md"),
            tier: Tier::Casual,
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
        given.resolve(StartKind::Standard)
    }

    fn board(&self, options: &Options, start: &Start) -> Result<PawnBoard, RulesError> {
        options.board(start)
    }
}
