//! Newtypes for ids, seats, sides, plies and game numbers. Not here: how ids are drawn.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    };
}

text_id! {
    /// A set: `set_…`.
    SetId
}
text_id! {
    /// A challenge: `chal_…`.
    ChallengeId
}
text_id! {
    /// Someone who plays: `bot_…`, `player_…` or `house:LEVEL`.
    ParticipantId
}
text_id! {
    /// The owner of participants, and of the account that stakes: `player_…` or `house`.
    OwnerId
}
text_id! {
    /// A game of the catalogue, for example `breakthrough`.
    GameId
}

/// A seat of a game: 1 or 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Seat {
    /// Moves first.
    #[serde(rename = "1")]
    One,
    /// Moves second.
    #[serde(rename = "2")]
    Two,
}

impl Seat {
    /// Both seats in order.
    pub const BOTH: [Self; 2] = [Self::One, Self::Two];

    /// The seat of this number; none unless 1 or 2.
    #[must_use]
    pub const fn from_number(number: u32) -> Option<Self> {
        match number {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            _ => None,
        }
    }

    /// 1 or 2.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }

    /// 0 or 1.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::One => 0,
            Self::Two => 1,
        }
    }

    /// The seat opposite.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// A side of a set: who made the challenge, or who accepted it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Made the challenge.
    Creator,
    /// Accepted it.
    Acceptor,
}

impl Side {
    /// Both sides, the creator first.
    pub const BOTH: [Self; 2] = [Self::Creator, Self::Acceptor];

    /// 0 for the creator, 1 for the acceptor.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Creator => 0,
            Self::Acceptor => 1,
        }
    }

    /// The side opposite.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Creator => Self::Acceptor,
            Self::Acceptor => Self::Creator,
        }
    }
}

/// Plies (rounds in a simultaneous game) already played in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ply(pub u32);

/// Which game of a set: from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameNumber(pub u32);

impl GameNumber {
    /// The first game of a set.
    pub const FIRST: Self = Self(1);

    /// The game after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// The number of an event within its set: from 1, without gaps; 0 before the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seq(pub i64);

impl Seq {
    /// The number after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}
