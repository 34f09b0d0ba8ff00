//! The games: one folder each, and the list of them.

pub mod breakthrough;
pub mod breakthrough_handicap;
pub mod breakthrough_small;
pub mod breakthrough_symmetric;
pub mod landbreaker;
pub mod maker_breaker;

use super::pawn_play::variant::PawnGame;
use super::rules::{Rules, entry};

/// House bot levels of the pawn games, weakest first.
pub const PAWN_LEVELS: &[&str] = &["easy", "normal", "hard", "crazy"];

/// Every game in catalogue order.
pub(super) fn list() -> Vec<Box<dyn Rules>> {
    vec![
        entry(PawnGame(breakthrough::Breakthrough)),
        entry(PawnGame(breakthrough_small::BreakthroughSmall)),
        entry(PawnGame(landbreaker::Landbreaker)),
        entry(PawnGame(breakthrough_symmetric::BreakthroughSymmetric)),
        entry(breakthrough_handicap::BreakthroughHandicap),
        entry(maker_breaker::MakerBreaker),
    ]
}
