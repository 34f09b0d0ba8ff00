//! The scripted games: what goes wrong in each, and when. Pure: the same seed gives the same faults.

use std::fmt;

use clap::ValueEnum;
use serde_json::{Value, json};

use crate::chooser::spread;

/// A scripted game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum Name {
    /// Answers to moves are lost after the platform has carried them out
    LostAnswers,
    /// Answers to long polls break off
    CutPolls,
    /// Streams and sockets are cut in mid-event
    CutStreams,
    /// Answers are late, and requests arrive twice
    SlowNetwork,
    /// Requests are refused with 429 and `Retry-After`
    Limits,
    /// Requests are refused with 503
    Outage,
    /// A game ends while the bot is moving
    GameOver,
    /// The game has moved on while the bot was moving
    StalePly,
    /// Answers and events hold fields that nobody has documented
    UnknownFields,
    /// Both sides place at the same time, in secret
    Rounds,
    /// There is nothing to do
    Idle,
    /// A request is sent elsewhere by a redirect
    Redirect,
    /// The bot's key is revoked
    RevokedKey,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.write_str(value.as_ref().map_or("?", |value| value.get_name()))
    }
}

/// What a step waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum On {
    /// A move of the bot in the scripted game.
    Move,
    /// A long poll.
    Poll,
    /// An event on its way to the bot.
    Event,
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// The request reaches the platform, the answer does not reach the bot.
    LoseAnswer,
    /// The answer breaks off in the middle.
    CutAnswer,
    /// The stream ends in the middle of an event.
    CutStream,
    /// The request waits for so many milliseconds.
    Delay(u64),
    /// The request reaches the platform twice; the bot is handed the second answer.
    Twice,
    /// The request is refused with this status and `Retry-After` in seconds.
    Refuse(u16, u64),
    /// The game is resigned just before.
    ResignFirst,
    /// Another legal move is played just before.
    PlayOtherFirst,
    /// The answer is a redirect to somewhere else.
    Redirect,
}

impl Act {
    /// Whether it can be done to a frame of the WebSocket.
    pub(crate) const fn fits_a_frame(self) -> bool {
        matches!(self, Self::LoseAnswer | Self::Delay(_) | Self::ResignFirst | Self::PlayOtherFirst)
    }
}

/// One fault, at the `nth` of what it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// What it waits for.
    pub on: On,
    /// Counted from 1 since the script began.
    pub nth: u32,
    /// What is done then.
    pub act: Act,
}

/// What is played in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// A game with turns; a set of two when a game is to end early.
    Turns {
        /// Whether both games of a set are played.
        whole_set: bool,
    },
    /// A game of rounds.
    Rounds,
    /// Nothing: the bot is watched for so many milliseconds.
    Nothing(u64),
    /// Nothing, with the key revoked, for so many milliseconds.
    Revoked(u64),
}

/// A scripted game with its faults.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    /// Which.
    pub name: Name,
    /// What is played.
    pub stage: Stage,
    /// What goes wrong.
    pub steps: Vec<Step>,
    /// Whether answers hold unknown fields.
    pub is_strange: bool,
}

/// The clock of the scripted games: enough for a slow machine, and not for a bot that sleeps.
pub(crate) fn clock(stage: Stage) -> Value {
    match stage {
        Stage::Rounds => json!({ "per_round_s": 20 }),
        _ => json!({ "initial_s": 30, "increment_s": 1 }),
    }
}

impl Script {
    /// The script of this name as `seed` has it.
    pub(crate) fn new(name: Name, seed: u64) -> Self {
        let dice = Dice { seed, name };
        let stage = match name {
            Name::GameOver => Stage::Turns { whole_set: true },
            Name::Rounds => Stage::Rounds,
            Name::Idle => Stage::Nothing(3_000),
            Name::RevokedKey => Stage::Revoked(8_000),
            _ => Stage::Turns { whole_set: false },
        };
        Self { name, stage, steps: dice.steps(), is_strange: name == Name::UnknownFields }
    }
}

struct Dice {
    seed: u64,
    name: Name,
}

impl Dice {
    /// A number from 1 to `most`, another one for each `what`.
    fn roll(&self, what: u64, most: u32) -> u32 {
        let salt = spread(self.seed ^ spread(self.name as u64 * 64 + what)) % u64::from(most);
        u32::try_from(salt).map_or(1, |salt| salt + 1)
    }

    fn steps(&self) -> Vec<Step> {
        let at = |on, nth, act| Step { on, nth, act };
        match self.name {
            Name::LostAnswers => {
                (0..3).map(|i| at(On::Move, self.roll(i.into(), 2) + 2 * i, Act::LoseAnswer)).collect()
            }
            Name::CutPolls => (0..2).map(|i| at(On::Poll, self.roll(i.into(), 2) + 2 * i, Act::CutAnswer)).collect(),
            Name::CutStreams => {
                (0..2).map(|i| at(On::Event, self.roll(i.into(), 3) + 3 * i + 1, Act::CutStream)).collect()
            }
            Name::SlowNetwork => vec![
                at(On::Move, self.roll(0, 2), Act::Twice),
                at(On::Move, self.roll(1, 2) + 2, Act::Delay(700 + 100 * u64::from(self.roll(2, 8)))),
                at(On::Poll, self.roll(3, 3), Act::Delay(500)),
            ],
            Name::Limits => vec![
                at(On::Move, self.roll(0, 2), Act::Refuse(429, 2)),
                at(On::Poll, self.roll(1, 2) + 2, Act::Refuse(429, 1)),
            ],
            Name::Outage => {
                let first = self.roll(0, 2);
                (0..2).map(|i| at(On::Move, first + i, Act::Refuse(503, 1))).collect()
            }
            Name::GameOver => vec![at(On::Move, self.roll(0, 3) + 1, Act::ResignFirst)],
            Name::StalePly => vec![at(On::Move, self.roll(0, 3), Act::PlayOtherFirst)],
            Name::Rounds => vec![at(On::Move, self.roll(0, 2), Act::LoseAnswer), at(On::Move, 4, Act::Delay(500))],
            Name::Redirect => vec![at(On::Poll, self.roll(0, 2), Act::Redirect)],
            Name::UnknownFields | Name::Idle | Name::RevokedKey => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_faults() {
        for name in Name::value_variants() {
            assert_eq!(Script::new(*name, 7).steps, Script::new(*name, 7).steps);
        }
        let steps = |seed| Script::new(Name::LostAnswers, seed).steps;
        assert!((0..20).any(|seed| steps(seed) != steps(7)));
    }

    #[test]
    fn no_two_faults_meet_the_same_request() {
        for (name, seed) in Name::value_variants().iter().flat_map(|name| (0..100).map(move |seed| (*name, seed))) {
            let mut places: Vec<_> =
                Script::new(name, seed).steps.iter().map(|step| (step.on as u8, step.nth)).collect();
            let all = places.len();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), all, "{name} {seed}");
        }
    }
}
