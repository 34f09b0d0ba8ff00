//! Every error code of the public API with its status and what a client does about it.
//!
//! Not here: which fault has which code; the parent module maps them.

use axum::http::StatusCode;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $status:ident, $title:literal, $advice:literal;)*) => {
        /// A stable error code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All codes, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// As it stands in answers.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The HTTP status. `malformed_request` is 400 instead where the body is not JSON at all.
            #[must_use]
            pub const fn status(self) -> StatusCode {
                match self { $(Self::$name => StatusCode::$status,)* }
            }

            /// A short name for people.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* }
            }

            /// What a client does about it.
            #[must_use]
            pub const fn advice(self) -> &'static str {
                match self { $(Self::$name => $advice,)* }
            }
        }
    };
}

codes! {
    /// Not JSON (400), or JSON that does not fit (422).
    MalformedRequest = "malformed_request", UNPROCESSABLE_ENTITY, "The request does not fit", "Correct what `errors` points at; sending the same again cannot succeed.";
    /// A move outside of the game's move schema.
    MalformedMove = "malformed_move", UNPROCESSABLE_ENTITY, "The move is not of the right form", "Build moves by `move_schema`, or send one of `legal_moves` unchanged.";
    /// A move against the rules.
    IllegalMove = "illegal_move", UNPROCESSABLE_ENTITY, "The move is against the rules", "Read `reason` and choose one of `legal_moves`; the clock goes on.";
    /// Another seat is to act.
    NotYourTurn = "not_your_turn", CONFLICT, "It is not your turn", "Wait for your turn through the long poll or the event stream.";
    /// Another ply is to be played.
    StalePly = "stale_ply", CONFLICT, "The game stands at another ply", "Go on from `state`: it holds the position, and `ply` is what is expected.";
    /// The game has ended.
    GameOver = "game_over", CONFLICT, "The game is over", "Read `state.result`; do not retry.";
    /// The caller does not play in the set.
    NotInSet = "not_in_set", FORBIDDEN, "You do not play in this set", "Use the key of the bot or player that plays in it.";
    /// Options outside of the game's schema.
    OptionsInvalid = "options_invalid", UNPROCESSABLE_ENTITY, "The options are not allowed", "Correct the options by `options_schema` of the game.";
    /// A clock outside of its range.
    ClockInvalid = "clock_invalid", UNPROCESSABLE_ENTITY, "The clock is not allowed", "Choose a clock within the ranges of the game's contract.";
    /// A stake outside of the currency's limits.
    StakeOutOfRange = "stake_out_of_range", UNPROCESSABLE_ENTITY, "The stake is out of range", "Choose a stake within `stakes` of the game's contract.";
    /// A stake above a bot's own limit.
    StakeAboveMax = "stake_above_max", UNPROCESSABLE_ENTITY, "The stake is above the bot's limit", "Lower the stake, or raise `max_stake` of the bot with the player's key.";
    /// Too few points.
    InsufficientBalance = "insufficient_balance", CONFLICT, "The balance is too low", "Wait until held stakes come back, or stake less.";
    /// Both sides have one owner.
    SameOwner = "same_owner", UNPROCESSABLE_ENTITY, "Both sides have the same owner", "Play unstaked and unrated, or choose another opponent.";
    /// The caller made the challenge.
    OwnChallenge = "own_challenge", UNPROCESSABLE_ENTITY, "The challenge is your own", "Wait for somebody else to accept it.";
    /// The challenge is not open any more.
    ChallengeClosed = "challenge_closed", CONFLICT, "The challenge is closed", "Nothing was held; choose another challenge.";
    /// Three strikes within a day.
    Suspended = "suspended", CONFLICT, "Suspended", "After strikes: play without a stake until the oldest is a day old. By an operator: finish what runs, and ask.";
    /// As many sets and challenges as there may be.
    TooManySets = "too_many_sets", CONFLICT, "Too many sets at once", "Finish a set or cancel a challenge first.";
    /// Not to be paused.
    NotPausable = "not_pausable", CONFLICT, "The set cannot be paused or resumed", "Only running untimed practice pauses, and only paused practice resumes.";
    /// There is no record yet.
    SetNotFinished = "set_not_finished", CONFLICT, "The set has not ended", "Ask again after `set_finished`.";
    /// Somebody has the name.
    NameTaken = "name_taken", CONFLICT, "The name is taken", "Choose another name.";
    /// As many as there may be.
    LimitReached = "limit_reached", CONFLICT, "There may be no more of these", "Remove one first.";
    /// No key, or none that counts.
    Unauthenticated = "unauthenticated", UNAUTHORIZED, "A key is needed", "Send `Authorization: Bearer KEY` with a key that is not revoked.";
    /// The key may not do this.
    Forbidden = "forbidden", FORBIDDEN, "The key may not do this", "Use a key of the right player or bot.";
    /// There is no such thing.
    NotFound = "not_found", NOT_FOUND, "There is no such thing", "Check the path, the id or the name.";
    /// The path exists, the method does not.
    MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED, "The method is not allowed here", "See the `Allow` header.";
    /// An idempotency key with other content.
    IdempotencyMismatch = "idempotency_mismatch", UNPROCESSABLE_ENTITY, "The idempotency key was used for another request", "Use a new key for a new request.";
    /// Too large a body.
    PayloadTooLarge = "payload_too_large", PAYLOAD_TOO_LARGE, "The body is too large", "Send less.";
    /// Too long an address.
    UriTooLong = "uri_too_long", URI_TOO_LONG, "The address is too long", "Send less in the address.";
    /// The body did not arrive in time.
    RequestTimeout = "request_timeout", REQUEST_TIMEOUT, "The request took too long to arrive", "Send the request in one piece.";
    /// Too many requests.
    RateLimited = "rate_limited", TOO_MANY_REQUESTS, "Too many requests", "Wait as long as `Retry-After` says.";
    /// Not now.
    Unavailable = "unavailable", SERVICE_UNAVAILABLE, "Not available at the moment", "Send the same request again after a short pause; moves and requests with an Idempotency-Key are safe to repeat.";
    /// A fault of the platform.
    Internal = "internal", INTERNAL_SERVER_ERROR, "A fault of the platform", "Report `trace_id`; a retry may succeed.";
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_are_distinct_and_spelled_in_snake_case() {
        let texts: HashSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(texts.len(), Code::ALL.len());
        assert!(texts.iter().all(|text| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')));
    }
}
