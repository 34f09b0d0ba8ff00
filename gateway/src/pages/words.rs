//! How things are written for people: codes of the API in words, and amounts, moments and clocks in figures.
//!
//! Not here: refusals, whose sentences come with them.

use std::borrow::Borrow;

use time::OffsetDateTime;
use time::macros::format_description;

use crate::api::json::challenge::{ClockJson, FischerJson, PerRoundJson, StakeJson};
use crate::api::json::scalar::Timestamp;
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

/// Half points as people write them.
pub(super) fn half(points: u32) -> String {
    let whole = points / 2;
    match (whole, points % 2) {
        (0, 1) => "½".to_owned(),
        (_, 1) => format!("{whole}½"),
        _ => whole.to_string(),
    }
}

/// A stake with its currency; a dash for none.
pub(super) fn stake(stake: Option<&StakeJson>) -> String {
    stake.map_or_else(|| "–".to_owned(), |stake| format!("{} {}", amount(stake.amount), stake.currency))
}

/// A whole number with its thousands apart, and a true minus sign.
pub(super) fn amount(number: impl Borrow<i64>) -> String {
    let number = *number.borrow();
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("−{text}") } else { text }
}

/// A change: with its sign.
pub(super) fn change(number: impl Borrow<i64>) -> String {
    let number = *number.borrow();
    if number > 0 { format!("+{}", amount(number)) } else { amount(number) }
}

/// A moment to the minute, in UTC.
pub(super) fn moment(at: impl Borrow<Timestamp>) -> String {
    let at = *at.borrow();
    let format = format_description!("[year]-[month]-[day] [hour]:[minute] UTC");
    let moment = OffsetDateTime::from_unix_timestamp(at.0.div_euclid(1_000)).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    moment.format(&format).unwrap_or_default()
}

/// A clock in words.
pub(super) fn clock(clock: Option<ClockJson>) -> String {
    match clock {
        None => "untimed".to_owned(),
        Some(ClockJson::Fischer(FischerJson { initial_s, increment_s })) => {
            format!("{} + {increment_s} s a move", minutes(i64::from(initial_s)))
        }
        Some(ClockJson::PerRound(PerRoundJson { per_round_s })) => format!("{per_round_s} s a round"),
    }
}

/// Time left on a clock that stands still.
pub(super) fn remaining(ms: i64) -> String {
    minutes(ms.max(0) / 1_000)
}

fn minutes(seconds: i64) -> String {
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

/// A text as a sentence: with a capital, and a stop where there is none.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
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
    fn numbers_are_written_for_people() {
        assert_eq!([half(0), half(1), half(2), half(3)], ["0", "½", "1", "1½"]);
        assert_eq!([amount(7), amount(-1_970), amount(1_234_567)], ["7", "−1,970", "1,234,567"]);
        assert_eq!([change(30), change(0), change(-5)], ["+30", "0", "−5"]);
        assert_eq!(moment(Timestamp(1_764_464_523_007)), "2025-11-30 01:02 UTC");
        let fischer = ClockJson::Fischer(FischerJson { initial_s: 60, increment_s: 2 });
        assert_eq!((clock(Some(fischer)).as_str(), clock(None).as_str()), ("1:00 + 2 s a move", "untimed"));
    }

    #[test]
    fn a_text_becomes_a_sentence() {
        assert_eq!([sentence("neither board was made"), sentence("why?")], ["Neither board was made.", "Why?"]);
    }

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
