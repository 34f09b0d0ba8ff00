//! Words for what the API says in codes: ends, settlements, levels, clocks that stand still.
//!
//! Not here: refusals, whose sentences come with them.

use crate::api::json::set::Settlement;

/// What decided a game that a seat won or nobody did; fits after a colon.
pub(super) fn reason(code: &str) -> String {
    let words = match code {
        "far_row" => "a pawn reached the far row",
        "no_pawns" => "every enemy pawn was captured",
        "no_moves" => "there was no legal move left",
        "timeout" => "time ran out",
        "first_move_timeout" => "the first move did not come in time",
        "both_timeout" => "neither side placed a piece in time",
        "resignation" => "the other side resigned",
        "max_moves" => "the game reached its limit of moves",
        "fewer_rounds" => "five in a row in fewer rounds",
        "only_made" => "only one board was made",
        "equal_rounds" => "both boards were made in the same number of rounds",
        "both_held" => "neither board was made",
        other => return other.replace('_', " "),
    };
    words.to_owned()
}

/// The colour of a seat.
pub(super) fn colour(seat: u32) -> &'static str {
    if seat == 1 { "Red" } else { "Blue" }
}

/// What became of stakes.
pub(super) fn settlement(settlement: Settlement) -> &'static str {
    match settlement {
        Settlement::None => "nothing staked",
        Settlement::Pending => "held until the set has ended",
        Settlement::Settled => "paid to the winner",
        Settlement::Split => "drawn: both have their stakes back",
        Settlement::Refunded => "both have their stakes back",
    }
}

/// Why a set is not rated.
pub(super) fn unrated(code: &str) -> String {
    match code {
        "practice" => "practice".to_owned(),
        "casual_game" => "a casual game".to_owned(),
        "requested" => "as agreed".to_owned(),
        other => other.replace('_', " "),
    }
}

/// Time left on a clock that stands still.
pub(super) fn remaining(ms: i64) -> String {
    let seconds = ms.max(0) / 1_000;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// One of several things: `1 move`, `2 moves`.
pub(super) fn count(number: impl Into<i64>, thing: &str) -> String {
    let number = number.into();
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// How long ago something was.
pub(super) fn ago(ms: i64) -> String {
    let seconds = ms.max(0) / 1_000;
    let (number, thing) = match seconds {
        0..120 => (seconds, "second"),
        120..7_200 => (seconds / 60, "minute"),
        _ => (seconds / 3_600, "hour"),
    };
    format!("{} ago", count(number, thing))
}

/// What a house bot's level is called.
pub(super) fn level(level: &str) -> String {
    match level {
        "1" | "2" | "3" => format!("strength {level}"),
        "seeded" => "a strength drawn from the seed".to_owned(),
        other => {
            let mut letters = other.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_that_stand_still_show_minutes_and_seconds() {
        assert_eq!([remaining(65_999), remaining(-4)], ["1:05", "0:00"]);
    }

    #[test]
    fn what_was_long_ago_is_told_in_larger_units() {
        let ago = [-5, 1_999, 119_999, 120_000, 7_200_000].map(ago);
        assert_eq!(ago, ["0 seconds ago", "1 second ago", "119 seconds ago", "2 minutes ago", "2 hours ago"]);
    }

    #[test]
    fn what_is_not_known_is_still_readable() {
        assert_eq!(
            (reason("some_new_end"), reason("far_row")),
            ("some new end".into(), "a pawn reached the far row".into())
        );
        assert_eq!((level("easy"), level("2")), ("Easy".to_owned(), "strength 2".to_owned()));
        assert_eq!((count(1, "move"), count(2, "move")), ("1 move".to_owned(), "2 moves".to_owned()));
    }
}
