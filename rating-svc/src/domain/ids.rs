//! Names of sets, games and participants. Who they are is no business of theirs.

use std::fmt;

/// Longest id that is accepted, in bytes.
const ID_MAX_BYTES: usize = 64;

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// An id that was checked before it was stored.
            #[must_use]
            pub fn from_stored(text: String) -> Self {
                Self(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id! {
    /// A set: `set_…`.
    SetId
}
text_id! {
    /// A game of the catalogue, for example `breakthrough`.
    GameId
}
text_id! {
    /// Someone who plays: `bot_…`, `player_…` or `house:LEVEL`.
    ParticipantId
}

impl SetId {
    /// Reads the id of a set.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        named(text, "set_").then(|| Self(text.to_owned()))
    }
}

impl GameId {
    /// Reads the id of a game: lower-case letters, digits, `_` and `-`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
        (!text.is_empty() && text.len() <= ID_MAX_BYTES && text.bytes().all(allowed)).then(|| Self(text.to_owned()))
    }
}

impl ParticipantId {
    /// Reads the id of a participant of this kind.
    #[must_use]
    pub fn parse(text: &str, kind: ParticipantKind) -> Option<Self> {
        named(text, kind.prefix()).then(|| Self(text.to_owned()))
    }
}

/// Whether `text` is `prefix` and something printable after it, in one word.
fn named(text: &str, prefix: &str) -> bool {
    let rest = text.strip_prefix(prefix).unwrap_or_default();
    !rest.is_empty() && text.len() <= ID_MAX_BYTES && rest.bytes().all(|byte| byte.is_ascii_graphic())
}

/// What plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParticipantKind {
    /// A bot; the only kind on leaderboards.
    Bot,
    /// A player in person.
    Human,
    /// The platform's own bot; never rated.
    House,
}

impl ParticipantKind {
    /// How ids of this kind begin.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Bot => "bot_",
            Self::Human => "player_",
            Self::House => "house:",
        }
    }

    /// The kind of the participant with this id.
    #[must_use]
    pub fn of(id: &ParticipantId) -> Option<Self> {
        [Self::Bot, Self::Human, Self::House].into_iter().find(|kind| named(id.as_str(), kind.prefix()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_carry_the_prefix_of_their_kind() {
        assert!(SetId::parse("set_01J").is_some());
        for bad in ["", "set_", "bot_01J", "set_a b", "set_\u{e4}", &format!("set_{}", "0".repeat(61))] {
            assert!(SetId::parse(bad).is_none(), "{bad}");
        }
        assert!(ParticipantId::parse("house:easy", ParticipantKind::House).is_some());
        assert!(ParticipantId::parse("player_1", ParticipantKind::Bot).is_none());
        assert!(GameId::parse("maker-breaker_7").is_some());
        assert!(GameId::parse("Break through").is_none());
    }
}
