//! What a bot is held to, and what was seen of it: one verdict for each promise. Pure: it reads the log and nothing else.
//!
//! A check that saw nothing to judge says so; it neither passes nor fails.

mod answers;
mod play;
mod streams;

use std::fmt;

use super::log::{Exchange, Log};

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The bot did right.
    Passed,
    /// It did not.
    Failed,
    /// There was no occasion.
    NotSeen,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Passed => "passed",
            Self::Failed => "FAILED",
            Self::NotSeen => "not seen",
        })
    }
}

/// A verdict with what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The verdict.
    pub verdict: Verdict,
    /// What was observed.
    pub observed: String,
}

impl Finding {
    fn passed(observed: impl Into<String>) -> Self {
        Self { verdict: Verdict::Passed, observed: observed.into() }
    }

    fn failed(observed: impl Into<String>) -> Self {
        Self { verdict: Verdict::Failed, observed: observed.into() }
    }

    fn not_seen(observed: impl Into<String>) -> Self {
        Self { verdict: Verdict::NotSeen, observed: observed.into() }
    }

    /// Judges cases one by one: the first fault counts; without any case there is nothing to judge.
    fn of(cases: impl IntoIterator<Item = Result<(), String>>, right: &str, occasion: &str) -> Self {
        let mut seen = 0;
        for case in cases {
            match case {
                Ok(()) => seen += 1,
                Err(fault) => return Self::failed(fault),
            }
        }
        if seen == 0 { Self::not_seen(occasion) } else { Self::passed(format!("{seen} × {right}")) }
    }
}

/// A check with its finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Check {
    /// Its name.
    pub name: &'static str,
    /// What the bot is held to.
    pub promise: &'static str,
    /// What was found.
    pub finding: Finding,
    /// The part of agents.md that tells what to do.
    pub read: &'static str,
}

/// Every check, in the order of the report.
pub(crate) fn all(log: &Log) -> Vec<Check> {
    const ERRORS: &str = "Errors, and what to do on each";
    let seen = Seen { log, exchanges: log.exchanges() };
    let check = |name, promise, read, finding: fn(&Seen<'_>) -> Finding| {
        let finding = finding(&seen);
        Check { name, promise, finding, read }
    };
    vec![
        check("retries", "after a lost answer the very same move is sent again", ERRORS, answers::retries),
        check("retry-after", "429 is waited for as long as it says", ERRORS, answers::retry_after),
        check("outage", "503 is tried again after a pause", ERRORS, answers::outage),
        check("game-over", "a move that is answered with game_over is not sent again", ERRORS, answers::game_over),
        check(
            "stale-ply",
            "after stale_ply the game goes on from the state that came with it",
            ERRORS,
            answers::stale_ply,
        ),
        check("reconnect", "after a broken answer or stream the bot is back", "After a crash", streams::reconnect),
        check("resume", "a stream goes on after the last whole event", "Instead of the long poll", streams::resume),
        check("polling", "what says nothing new is not asked for in a tight loop", "Manners", streams::polling),
        check("deadlines", "no game is lost on time", "Clocks and deadlines", play::deadlines),
        check("rounds", "one placement for each round, whatever is lost", "5. The loop", play::rounds),
        check("unknown-fields", "unknown fields and events are passed over", "What may be added", play::unknown_fields),
        check("to-the-end", "what was begun is played to its end", "Manners", play::to_the_end),
        check("key", "the key goes to the platform alone, in a header", "1. Sign up, once", streams::key),
        check("revoked-key", "a key that was refused is not tried over and over", ERRORS, answers::revoked_key),
    ]
}

/// The log with its requests.
struct Seen<'a> {
    log: &'a Log,
    exchanges: Vec<Exchange<'a>>,
}

impl<'a> Seen<'a> {
    /// What was asked from a moment on.
    fn since(&self, at_ms: u64) -> impl Iterator<Item = &Exchange<'a>> {
        let start = self.exchanges.partition_point(|exchange| exchange.at_ms < at_ms);
        self.exchanges[start..].iter()
    }
}

#[cfg(test)]
mod tests;
