//! Cursors as opaque text: where the next page of a list begins, and of which list.
//!
//! A cursor is not secret and not signed; a forged one can only ask for another page of the same public list.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use farside_kit::time::UnixMs;

use super::board::{After, Place};
use super::error::Refusal;
use super::ids::{GameId, ParticipantId, ParticipantKind, SetId};
use super::set::SetOrder;

/// Longest cursor that is looked at, in bytes.
const TEXT_MAX_BYTES: usize = 512;
/// Between the parts of a cursor; no id contains it.
const SEPARATOR: &str = "\n";

/// The cursor of a leaderboard's next page.
#[must_use]
pub fn of_board(game: &GameId, after: &After) -> String {
    let (rank, since) = (after.rank.to_string(), after.since.to_string());
    let rating = format!("{:016x}", after.place.rating().to_bits());
    write(&["board", game.as_str(), &rank, &since, &rating, after.place.id.as_str()])
}

/// Reads the cursor of this game's leaderboard; empty text is the first page.
///
/// # Errors
/// [`Refusal::CursorInvalid`] when it is none or has expired by `now`.
pub fn board(text: &str, game: &GameId, now: UnixMs) -> Result<Option<After>, Refusal> {
    if text.is_empty() {
        return Ok(None);
    }
    let after = read(text).and_then(|parts| board_parts(&parts, game)).ok_or(Refusal::CursorInvalid)?;
    if after.is_alive(now) { Ok(Some(after)) } else { Err(Refusal::CursorInvalid) }
}

fn board_parts(parts: &[String], game: &GameId) -> Option<After> {
    let [list, of, rank, since, rating, id] = parts else { return None };
    let rating = f64::from_bits(u64::from_str_radix(rating, 16).ok()?);
    let id = ParticipantId::parse(id, ParticipantKind::Bot)?;
    let since = UnixMs(since.parse().ok()?);
    let is_right = list == "board" && of == game.as_str() && rating.is_finite();
    is_right.then_some(After { place: Place::new(rating, id), rank: rank.parse().ok()?, since })
}

/// The cursor of a history's next page, which begins after this set.
#[must_use]
pub fn of_history(participant: &str, game: &str, last: &SetOrder) -> String {
    write(&["history", participant, game, &last.finished_at.to_string(), last.set.as_str()])
}

/// Reads the cursor of this history; empty text is the first page.
///
/// # Errors
/// [`Refusal::CursorInvalid`] when it is none.
pub fn history(text: &str, participant: &str, game: &str) -> Result<Option<SetOrder>, Refusal> {
    if text.is_empty() {
        return Ok(None);
    }
    let last = read(text).and_then(|parts| history_parts(&parts, participant, game));
    last.map(Some).ok_or(Refusal::CursorInvalid)
}

fn history_parts(parts: &[String], participant: &str, game: &str) -> Option<SetOrder> {
    let [list, whose, of, finished_at, set] = parts else { return None };
    let order = SetOrder { finished_at: UnixMs(finished_at.parse().ok()?), set: SetId::parse(set)? };
    (list == "history" && whose == participant && of == game).then_some(order)
}

fn write(parts: &[&str]) -> String {
    URL_SAFE_NO_PAD.encode(parts.join(SEPARATOR))
}

fn read(text: &str) -> Option<Vec<String>> {
    if text.len() > TEXT_MAX_BYTES {
        return None;
    }
    let text = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    Some(text.split(SEPARATOR).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::peaks::REMEMBERED;

    fn game() -> GameId {
        GameId::from_stored("breakthrough".to_owned())
    }

    #[test]
    fn a_cursor_comes_back_as_it_was_and_only_to_its_own_list() {
        let place = Place::new(1362.1 / 3.0, ParticipantId::from_stored("bot_1".to_owned()));
        let after = After { place, rank: 20, since: UnixMs(1_000) };
        let text = of_board(&game(), &after);
        assert_eq!(board(&text, &game(), UnixMs(2_000)), Ok(Some(after)));
        let other = GameId::from_stored("maker_breaker".to_owned());
        assert_eq!(board(&text, &other, UnixMs(2_000)), Err(Refusal::CursorInvalid));
        assert_eq!(board(&text, &game(), UnixMs(1_001 + REMEMBERED.0)), Err(Refusal::CursorInvalid));
        let order = SetOrder { finished_at: UnixMs(7), set: SetId::from_stored("set_1".to_owned()) };
        let text = of_history("bot_1", "breakthrough", &order);
        assert_eq!(history(&text, "bot_1", "breakthrough"), Ok(Some(order)));
        assert_eq!(history(&text, "bot_2", "breakthrough"), Err(Refusal::CursorInvalid));
        assert_eq!(board(&text, &game(), UnixMs(2_000)), Err(Refusal::CursorInvalid));
    }

    proptest! {
        #[test]
        fn no_text_is_a_fault_of_ours(text in ".{0,80}") {
            let _ = board(&text, &game(), UnixMs(0));
            let _ = history(&text, "bot_1", "breakthrough");
        }
    }
}
