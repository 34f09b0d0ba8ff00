//! What a game tells its clients about itself, apart from play.

use super::json::{self, Violation};

/// How a game counts on the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Rated by default.
    Ranked,
    /// Never rated.
    Casual,
}

/// What a player may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Information {
    /// Everything.
    Perfect,
    /// Everything but what the other seat has submitted for the running round.
    HiddenUntilReveal,
}

/// An inclusive range with a default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Smallest value allowed.
    pub min: u32,
    /// Largest value allowed.
    pub max: u32,
    /// Used when nothing is said.
    pub default: u32,
}

impl Range {
    /// Whether a value lies in the range.
    #[must_use]
    pub fn contains(&self, value: u32) -> bool {
        (self.min..=self.max).contains(&value)
    }
}

/// The clock of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockRule {
    /// A budget for each seat.
    Fischer {
        /// Seconds at the start.
        initial_s: Range,
        /// Seconds added after a move.
        increment_s: Range,
        /// Deadline of each seat's first move, in seconds.
        first_move_s: u32,
    },
    /// A deadline for each round.
    PerRound {
        /// Seconds for a round.
        per_round_s: Range,
    },
}

/// What a game's own folder says about it.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Stable id.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The rules in Markdown.
    pub rules_markdown: &'static str,
    /// How to play it and play it better, for people, in Markdown. A fenced block `board` draws a board: `.` empty, `1` and
    /// `2` pawns, `X` and `O` pieces, `o` a square to step to, `@` a pawn of seat 2 that can be taken.
    pub guide_markdown: &'static str,
    /// Ranked or casual.
    pub tier: Tier,
    /// The seats' colours.
    pub colours: [&'static str; 2],
    /// Games in a set.
    pub games_per_set: u8,
    /// The clock.
    pub clock: ClockRule,
    /// An upper bound on the plies of a game.
    pub max_moves: u32,
    /// What a player may know.
    pub information: Information,
    /// How level points are resolved.
    pub tiebreak: &'static str,
    /// House bot levels, weakest first.
    pub house_levels: &'static [&'static str],
    /// Version of the contract: goes up whenever a set played under it would be judged differently.
    pub version: u32,
}

/// The whole contract: the facts, and what is generated from the types.
#[derive(Clone, Debug)]
pub struct Contract {
    /// What the game's folder says.
    pub facts: Facts,
    /// JSON Schema of the options.
    pub options_schema: String,
    /// The complete default options.
    pub default_options: String,
    /// JSON Schema of a move.
    pub move_schema: String,
    /// JSON Schema of a body.
    pub body_schema: String,
    /// Example `options`, `move` and `body`.
    pub examples: String,
}

/// The Fischer clock that the games with turns share.
pub const FISCHER: ClockRule = ClockRule::Fischer {
    initial_s: Range { min: 10, max: 600, default: 60 },
    increment_s: Range { min: 0, max: 10, default: 2 },
    first_move_s: 30,
};

/// The tiebreak of every game, as the contract words it.
pub const FEWER_MOVES: &str = "At level points the side that made fewer moves of its own in the games that it did not lose wins the set; when these are equal too, the set is drawn and the pot is split.";

/// Options as text, read strictly; nothing at all stands for no option.
///
/// # Errors
/// The first thing that does not fit.
pub fn parse_options<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Violation> {
    json::parse_object(if text.trim().is_empty() { "{}" } else { text })
}
