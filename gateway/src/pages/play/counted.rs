//! What a person has achieved on one board against one level, ready to be shown.
//!
//! Not here: the counting, which rating-svc does.

use crate::api::json::table::PracticeJson;
use crate::pages::words;

/// Counts of one board and level.
pub(super) struct Counted {
    /// The board, for example `6x6`.
    pub board: String,
    /// The level in words.
    pub level: String,
    /// Games with a winner.
    pub games: i64,
    /// Games won.
    pub wins: i64,
    /// Games lost.
    pub losses: i64,
    /// Won of a hundred.
    pub rate_percent: i64,
    /// Wins in a row up to now.
    pub current_streak: i64,
    /// Longest run of wins.
    pub best_streak: i64,
}

impl From<PracticeJson> for Counted {
    fn from(from: PracticeJson) -> Self {
        Self {
            level: words::level(&from.level),
            board: from.board,
            games: from.wins + from.losses,
            wins: from.wins,
            losses: from.losses,
            rate_percent: percent(from.wins, from.wins + from.losses),
            current_streak: from.current_streak,
            best_streak: from.best_streak,
        }
    }
}

/// A share in whole percent, rounded; 0 of nothing.
fn percent(part: i64, whole: i64) -> i64 {
    if whole > 0 { (part * 100 + whole / 2) / whole } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_and_nothing_of_nothing_is_0() {
        assert_eq!([percent(0, 0), percent(1, 3), percent(2, 3), percent(3, 3)], [0, 33, 67, 100]);
    }
}
