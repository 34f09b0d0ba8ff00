//! What happened in a set: the log that everything else follows from. Not here: how events are kept or sent.

use farside_kit::time::UnixMs;
use serde::{Deserialize, Serialize};

use super::game::Game;
use super::ids::{GameNumber, Ply, Seat, Seq, Side};
use super::position::PlayedPly;

/// Where a set stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetStatus {
    /// Being played.
    Active,
    /// Ended with a result.
    Finished,
    /// Ended without one.
    Aborted,
}

/// How a set was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// More points.
    Points,
    /// Level points, fewer moves.
    Tiebreak,
    /// Not decided.
    Draw,
}

/// A set's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetResult {
    /// None for a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<Side>,
    /// How it was decided.
    pub by: DecidedBy,
}

/// How a set ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetEnd {
    /// None when it was aborted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<SetResult>,
    /// Points in halves of the creator and the acceptor.
    pub half_points: [u32; 2],
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: i64,
}

/// Something that happened. Events hold no secrets: neither a pending placement nor a seed before the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A game begins.
    GameStarted {
        /// The game.
        game: Game,
    },
    /// A move was played, or a round revealed.
    MovePlayed {
        /// The game after it.
        game: Game,
        /// Whether it was a round of a simultaneous game.
        round: bool,
        /// Who submitted last and so revealed the round: what a retry is answered with follows from it.
        completed_by: Option<Seat>,
        /// The set's last event when the other seat of that round had placed: what its retry is answered with.
        waited_since: Option<Seq>,
    },
    /// A game ended with a result.
    GameFinished {
        /// The game.
        game: Game,
        /// Points in halves so far of the creator and the acceptor.
        half_points: [u32; 2],
    },
    /// The set ended.
    SetFinished {
        /// How.
        end: SetEnd,
    },
    /// Time in which no move could have been accepted was given back.
    ClockCredited {
        /// The game after the credit.
        game: Game,
        /// Milliseconds given back.
        credit_ms: i64,
    },
    /// Practice stands still or goes on.
    PauseChanged {
        /// The game.
        game: Game,
        /// Whether it is paused now.
        paused: bool,
    },
}

impl Event {
    /// The game that the event is about; none for the end of the set.
    #[must_use]
    pub fn game(&self) -> Option<&Game> {
        match self {
            Self::GameStarted { game }
            | Self::MovePlayed { game, .. }
            | Self::GameFinished { game, .. }
            | Self::ClockCredited { game, .. }
            | Self::PauseChanged { game, .. } => Some(game),
            Self::SetFinished { .. } => None,
        }
    }

    /// The ply that was played as number `ply` of game `number`; none for any other event.
    #[must_use]
    pub fn ply_of(&self, number: GameNumber, ply: Ply) -> Option<&PlayedPly> {
        match self {
            Self::MovePlayed { game, .. } if game.number == number => {
                game.last_move.as_ref().filter(|played| played.ply == ply)
            }
            _ => None,
        }
    }
}

/// An event with its place in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// From 1, without gaps.
    pub seq: Seq,
    /// When it happened.
    pub at: UnixMs,
    /// What happened.
    pub event: Event,
}
