//! What several pages show alike: links to participants, rows of sets, amounts, moments, clocks.
//!
//! Not here: where any of it comes from; everything is made of the API's own types.

use std::borrow::Borrow;

use time::OffsetDateTime;
use time::macros::format_description;

use farside_proto::rules::v1::GameContract;

use crate::api::json::challenge::{ClockJson, FischerJson, PerRoundJson, StakeJson};
use crate::api::json::participant::{Kind, Named, ParticipantJson};
use crate::api::json::scalar::Timestamp;
use crate::api::json::set::{DecidedBy, SetResult, SetState, SetStatus, Side};

/// Somebody, with the page about them where there is one.
#[derive(Clone, Debug)]
pub(crate) struct Who {
    /// The name.
    pub name: String,
    /// The address of the page; empty for a house bot.
    pub address: String,
}

impl From<&ParticipantJson> for Who {
    fn from(from: &ParticipantJson) -> Self {
        let address = match from.kind {
            Kind::Bot => format!("/bots/{}", from.id),
            Kind::Human => format!("/players/{}", from.id),
            Kind::House => String::new(),
        };
        Self { name: from.name.clone(), address }
    }
}

impl Who {
    /// A bot.
    pub(crate) fn bot(named: &Named) -> Self {
        Self { name: named.name.clone(), address: format!("/bots/{}", named.id) }
    }

    /// A player.
    pub(crate) fn player(named: &Named) -> Self {
        Self { name: named.name.clone(), address: format!("/players/{}", named.id) }
    }
}

/// A set as tables show it.
#[derive(Clone, Debug)]
pub(crate) struct SetRow {
    /// `set_…`.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// Who made the challenge.
    pub creator: Who,
    /// Who accepted it.
    pub acceptor: Who,
    /// The points of both.
    pub points: String,
    /// What each side stakes.
    pub stake: String,
    /// How it stands, or ended.
    pub result: String,
    /// Whether it is being played.
    pub is_active: bool,
    /// When it began.
    pub started: String,
}

impl SetRow {
    /// A set, with the names of games from their contracts.
    pub(crate) fn new(set: &SetState, games: &[GameContract]) -> Self {
        Self {
            id: set.id.clone(),
            game: game_name(&set.game, games),
            creator: (&set.creator).into(),
            acceptor: (&set.acceptor).into(),
            points: format!("{} – {}", half(set.points.creator.0), half(set.points.acceptor.0)),
            stake: stake(set.stake.as_ref()),
            result: result(set),
            is_active: set.status == SetStatus::Active,
            started: moment(set.created_at),
        }
    }
}

/// The name of a game for people.
pub(crate) fn game_name(id: &str, games: &[GameContract]) -> String {
    games.iter().find(|game| game.id == id).map_or_else(|| id.to_owned(), |game| game.name.clone())
}

fn result(set: &SetState) -> String {
    let winner = |side| match side {
        Side::Creator => &set.creator.name,
        Side::Acceptor => &set.acceptor.name,
    };
    match (set.status, &set.result) {
        (SetStatus::Active, _) => "being played".to_owned(),
        (SetStatus::Aborted, _) => "aborted".to_owned(),
        (_, Some(SetResult { winner: Some(side), by: DecidedBy::Tiebreak })) => {
            format!("{} wins on the tiebreak", winner(*side))
        }
        (_, Some(SetResult { winner: Some(side), .. })) => format!("{} wins", winner(*side)),
        (_, _) => "draw".to_owned(),
    }
}

/// Half points as people write them.
pub(crate) fn half(points: u32) -> String {
    let whole = points / 2;
    match (whole, points % 2) {
        (0, 1) => "½".to_owned(),
        (_, 1) => format!("{whole}½"),
        _ => whole.to_string(),
    }
}

/// A stake with its currency; a dash for none.
pub(crate) fn stake(stake: Option<&StakeJson>) -> String {
    stake.map_or_else(|| "–".to_owned(), |stake| format!("{} {}", amount(stake.amount), stake.currency))
}

/// A whole number with its thousands apart, and a true minus sign.
pub(crate) fn amount(number: impl Borrow<i64>) -> String {
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
pub(crate) fn change(number: impl Borrow<i64>) -> String {
    let number = *number.borrow();
    if number > 0 { format!("+{}", amount(number)) } else { amount(number) }
}

/// A moment to the minute, in UTC.
pub(crate) fn moment(at: impl Borrow<Timestamp>) -> String {
    let at = *at.borrow();
    let format = format_description!("[year]-[month]-[day] [hour]:[minute] UTC");
    let moment = OffsetDateTime::from_unix_timestamp(at.0.div_euclid(1_000)).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    moment.format(&format).unwrap_or_default()
}

/// A clock in words.
pub(crate) fn clock(clock: Option<ClockJson>) -> String {
    match clock {
        None => "untimed".to_owned(),
        Some(ClockJson::Fischer(FischerJson { initial_s, increment_s })) => {
            format!("{} + {increment_s} s a move", minutes(initial_s))
        }
        Some(ClockJson::PerRound(PerRoundJson { per_round_s })) => format!("{per_round_s} s a round"),
    }
}

fn minutes(seconds: u32) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
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
}
