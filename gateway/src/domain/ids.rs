//! Ids of what the gateway keeps: a prefix and a ULID.
//!
//! Not here: ids of challenges and sets, which match-svc makes and the gateway passes on unread.

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            /// What every id of this kind begins with.
            pub const PREFIX: &'static str = $prefix;

            /// The id with this ULID.
            #[must_use]
            pub fn from_ulid(ulid: &str) -> Self {
                Self(format!("{}{ulid}", Self::PREFIX))
            }

            /// Takes text for an id; nothing when it has another prefix. Whether it exists is for the store to say.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                text.starts_with(Self::PREFIX).then(|| Self(text.to_owned()))
            }

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
    };
}

id!(
    /// A person or team: `player_…`.
    PlayerId,
    "player_"
);
id!(
    /// A bot: `bot_…`.
    BotId,
    "bot_"
);
id!(
    /// A key, by the name that may be shown: `key_…`.
    KeyId,
    "key_"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_of_another_kind_is_not_taken() {
        assert_eq!(BotId::parse("player_01J"), None);
        let id = PlayerId::from_ulid("01JZZZZZZZZZZZZZZZZZZZZZZZ");
        assert_eq!(PlayerId::parse(id.as_str()), Some(id));
    }
}
