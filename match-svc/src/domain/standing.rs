//! Strikes and what follows from them. Not here: where strikes come from (a set's effects) or are kept.

use farside_kit::time::{DurationMs, UnixMs};

use super::fault::Refusal;
use super::ids::SetId;

/// So many strikes within [`STRIKE_WINDOW`] suspend from staked play.
pub const STRIKES_ALLOWED: usize = 3;
/// How long a strike counts.
pub const STRIKE_WINDOW: DurationMs = DurationMs::from_seconds(24 * 3_600);

/// A game of a staked set lost by first-move timeout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strike {
    /// The set.
    pub set_id: SetId,
    /// When.
    pub at: UnixMs,
}

/// Until when a participant with these strikes, newest first, is suspended at `now`; none when it is not.
#[must_use]
pub fn suspended_until(strikes: &[Strike], now: UnixMs) -> Option<UnixMs> {
    let third = strikes.get(STRIKES_ALLOWED - 1)?;
    let until = third.at.plus(STRIKE_WINDOW);
    (now < until).then_some(until)
}

/// Whom an operator can suspend: a bot, or a player with all its bots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject(String);

impl Subject {
    /// Longest id, in bytes.
    const BYTES_MAX: usize = 128;

    /// The bot or player of this id.
    ///
    /// # Errors
    ///
    /// When it is the id of something else: house bots cannot be suspended.
    pub fn new(id: String) -> Result<Self, Refusal> {
        let is_one = ["bot_", "player_"].iter().any(|prefix| id.len() > prefix.len() && id.starts_with(prefix));
        if is_one && id.len() <= Self::BYTES_MAX && id.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(id))
        } else {
            Err(Refusal::malformed("/subject_id", "must be the id of a bot or a player"))
        }
    }

    /// The id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bots_and_players_can_be_suspended() {
        for id in ["bot_1", "player_1"] {
            assert_eq!(Subject::new(id.to_owned()).unwrap().as_str(), id);
        }
        for id in ["", "bot_", "player_", "house:easy", "set_1", "bot_ 1", &*format!("bot_{}", "1".repeat(200))] {
            assert!(Subject::new(id.to_owned()).is_err(), "{id}");
        }
    }

    fn strike(at_ms: i64) -> Strike {
        Strike { set_id: SetId::from("set_1"), at: UnixMs(at_ms) }
    }

    #[test]
    fn three_strikes_suspend_until_the_oldest_of_them_ages_out() {
        let day_ms = STRIKE_WINDOW.0;
        assert_eq!(suspended_until(&[strike(20), strike(10)], UnixMs(30)), None);
        let three = [strike(30), strike(20), strike(10)];
        assert_eq!(suspended_until(&three, UnixMs(40)), Some(UnixMs(10 + day_ms)));
        assert_eq!(suspended_until(&three, UnixMs(10 + day_ms)), None);
        let four = [strike(40), strike(30), strike(20), strike(10)];
        assert_eq!(suspended_until(&four, UnixMs(10 + day_ms)), Some(UnixMs(20 + day_ms)));
    }
}
