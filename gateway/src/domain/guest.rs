//! Guests: players who have not signed up. They play practice against house bots at once, and nothing else.
//!
//! Signing up turns a guest into an ordinary player with the same id, so that games and statistics stay. Not here: the
//! session that a guest is known by, and limits on how many there may be from one address.

use super::account::{Account, Player};
use super::fault::IdentityFault;
use super::name::{GUEST_PREFIX, Name};

/// Random bytes of a guest's name.
pub const NAME_BYTES: usize = 5;

/// What takes more than being a guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Making or changing bots.
    Bots,
    /// A player key of one's own.
    Keys,
    /// Playing against anybody but a house bot.
    Others,
    /// Staking points.
    Stakes,
    /// Playing for a rating.
    Ratings,
}

impl Wish {
    const fn refusal(self) -> &'static str {
        match self {
            Self::Bots => "guests have no bots: sign up first",
            Self::Keys => "a guest gets its key by signing up",
            Self::Others => "guests play against house bots only: sign up first",
            Self::Stakes => "guests have no points to stake: sign up first",
            Self::Ratings => "guests are not rated: sign up first",
        }
    }
}

/// Whether a player may do what takes more than being a guest.
///
/// # Errors
///
/// `FORBIDDEN` for a guest.
pub fn allow(player: &Player, wish: Wish) -> Result<(), IdentityFault> {
    if player.is_guest { Err(IdentityFault::Forbidden(wish.refusal())) } else { Ok(()) }
}

/// As [`allow`], for whoever acts; bots belong to players who have signed up.
///
/// # Errors
///
/// `FORBIDDEN` for a guest.
pub fn allow_account(account: &Account, wish: Wish) -> Result<(), IdentityFault> {
    match account {
        Account::Player(player) => allow(player, wish),
        Account::Bot(_) => Ok(()),
    }
}

/// The name of a guest with these random bytes; nobody can sign up with such a name.
#[must_use]
pub fn name(random: [u8; NAME_BYTES]) -> Name {
    Name::trusted(format!("{GUEST_PREFIX}{}", hex::encode(random)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ids::PlayerId;

    fn player(is_guest: bool) -> Player {
        let id = PlayerId::from_ulid("01JZZZZZZZZZZZZZZZZZZZZZZZ");
        Player { id, name: name([7; NAME_BYTES]), created_at_ms: 0, granted: false, is_guest }
    }

    #[test]
    fn a_guest_is_refused_everything_but_practice_and_a_player_nothing() {
        for wish in [Wish::Bots, Wish::Keys, Wish::Others, Wish::Stakes, Wish::Ratings] {
            assert_eq!(allow(&player(true), wish), Err(IdentityFault::Forbidden(wish.refusal())));
            assert_eq!(allow(&player(false), wish), Ok(()));
        }
    }

    #[test]
    fn nobody_can_sign_up_with_the_name_of_a_guest() {
        assert!(Name::parse(player(true).name.as_str()).is_err());
    }
}
