//! The names of things in the ledger, checked where they come in.
//!
//! Not here: making new ones from time and randomness; the shell does that and hands them in.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The longest name, in bytes.
pub const MAX_NAME_BYTES: usize = 128;

/// The longest text that only a person reads, in bytes.
pub const MAX_TEXT_BYTES: usize = 256;

/// Whether `text` can name something: 1 to [`MAX_NAME_BYTES`] of the visible ASCII characters.
fn is_name(text: &str) -> bool {
    (1..=MAX_NAME_BYTES).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

macro_rules! name {
    ($(#[$doc:meta])* $type:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $type(String);

        impl $type {
            /// The name, if `text` is one: visible ASCII of bounded length.
            #[must_use]
            pub fn new(text: impl Into<String>) -> Option<Self> {
                let text = text.into();
                is_name(&text).then_some(Self(text))
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name! {
    /// The caller's idempotency key.
    RequestId
}
name! {
    /// Whose account it is, for example `player_…`.
    AccountId
}
name! {
    /// A hold: the `request_id` that made it.
    HoldId
}
name! {
    /// One transaction of the journal: `txn_…`.
    TransactionId
}
name! {
    /// The set whose stakes end: `set_…`.
    SetId
}

impl From<RequestId> for HoldId {
    fn from(key: RequestId) -> Self {
        Self(key.0)
    }
}

/// A text for the statement: a subject, a participant or a memo. May be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Text(String);

impl Text {
    /// The text, if it is short enough and has no control characters.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        (text.len() <= MAX_TEXT_BYTES && !text.chars().any(char::is_control)).then_some(Self(text))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<SetId> for Text {
    fn from(set: SetId) -> Self {
        Self(set.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_visible_ascii_of_bounded_length() {
        assert!(RequestId::new("set_01:settle").is_some());
        for bad in ["", "a b", "a\n", "é", "\0", &"x".repeat(MAX_NAME_BYTES + 1)] {
            assert_eq!(RequestId::new(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn texts_have_no_control_characters() {
        assert!(Text::new("").is_some() && Text::new("ünïcode is fine").is_some());
        assert!(Text::new("a\0b").is_none() && Text::new("x".repeat(MAX_TEXT_BYTES + 1)).is_none());
    }
}
