//! Names of players and bots: one namespace, without regard to case.
//!
//! Not here: whether a name is taken, which only the store knows.

use std::fmt;

/// Fewest and most characters of a name.
const LENGTH: std::ops::RangeInclusive<usize> = 3..=32;

/// Names that begin so belong to the platform's own bots.
const RESERVED: &str = "house";

/// Names that begin so are given to guests.
pub const GUEST_PREFIX: &str = "guest-";

/// What begins an id: a name like that could be mistaken for one.
const ID_PREFIXES: [&str; 6] = ["player_", "bot_", "chal_", "set_", "key_", "txn_"];

/// A name: 3–32 of `A–Z a–z 0–9 _ -`, shown as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

/// Why text is no name, in the order in which it is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// Too short or too long.
    #[error("a name has 3 to 32 characters")]
    Length,
    /// A character that names do not have.
    #[error("a name is made of the characters A-Z a-z 0-9 _ -")]
    Characters,
    /// Belongs to the platform.
    #[error("names that begin with `house` or `guest-` are reserved")]
    Reserved,
    /// Could be mistaken for an id.
    #[error("a name does not begin like an id")]
    LooksLikeId,
}

impl Name {
    /// Takes text for a name.
    ///
    /// # Errors
    ///
    /// The first [`NameFault`] that applies.
    pub fn parse(text: &str) -> Result<Self, NameFault> {
        if !LENGTH.contains(&text.chars().count()) {
            return Err(NameFault::Length);
        }
        if !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-') {
            return Err(NameFault::Characters);
        }
        let folded = fold(text);
        if folded.starts_with(RESERVED) || folded.starts_with(GUEST_PREFIX) {
            return Err(NameFault::Reserved);
        }
        if ID_PREFIXES.iter().any(|prefix| folded.starts_with(prefix)) {
            return Err(NameFault::LooksLikeId);
        }
        Ok(Self(text.to_owned()))
    }

    /// A name that has been checked before: for reading what was stored.
    #[must_use]
    pub fn trusted(text: String) -> Self {
        Self(text)
    }

    /// As it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What two names have in common when they differ in case only.
    #[must_use]
    pub fn folded(&self) -> String {
        fold(&self.0)
    }
}

/// Folds text as names are folded, for look-ups by what a person typed.
#[must_use]
pub fn fold(text: &str) -> String {
    text.to_ascii_lowercase()
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn faults_are_told_in_order() {
        let cases = [
            ("ab", Err(NameFault::Length)),
            ("é!", Err(NameFault::Length)),
            ("a b", Err(NameFault::Characters)),
            ("naïve", Err(NameFault::Characters)),
            ("House-of-bots", Err(NameFault::Reserved)),
            ("Guest-1", Err(NameFault::Reserved)),
            ("BOT_one", Err(NameFault::LooksLikeId)),
        ];
        for (text, expected) in cases {
            assert_eq!(Name::parse(text).map(drop), expected, "{text}");
        }
        assert_eq!(Name::parse(&"x".repeat(33)), Err(NameFault::Length));
        assert_eq!(Name::parse("Deep_Blue-2").map(|name| name.folded()), Ok("deep_blue-2".to_owned()));
    }

    proptest! {
        #[test]
        fn no_text_makes_parsing_panic(text in ".*") {
            if let Ok(name) = Name::parse(&text) {
                prop_assert_eq!(name.as_str(), text);
            }
        }

        #[test]
        fn every_plain_name_is_taken(text in "[A-GI-Zac-gi-z0-9][A-Za-z0-9-]{2,31}") {
            prop_assert!(Name::parse(&text).is_ok());
        }
    }
}
