//! One game of a set: its position, clock, last move and result. Not here: what follows for the set.

use std::sync::Arc;

use farside_kit::time::UnixMs;
use serde::{Deserialize, Serialize};

use super::clock::Clock;
use super::ids::{GameNumber, Ply, Seat, Side};
use super::position::{GameResult, PlayedMove, PlayedPly, Position};

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameStatus {
    /// Being played.
    Active,
    /// Ended with a result.
    Finished,
    /// Ended without one.
    Aborted,
    /// Untimed practice that waits to be resumed.
    Paused,
}

/// A game of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// From 1.
    pub number: GameNumber,
    /// Where it stands.
    pub status: GameStatus,
    /// Where the challenge's creator sits.
    pub creator_seat: Seat,
    /// The position, as the last ply left it.
    pub position: Arc<Position>,
    /// None when untimed.
    pub clock: Option<Clock>,
    /// The last ply; none at the start.
    pub last_move: Option<PlayedPly>,
    /// None while the game goes on, or when it was aborted.
    pub result: Option<GameResult>,
    /// Moves made by each seat, by seat index.
    pub moves: [u32; 2],
}

/// What rules-svc answered to a ply.
#[derive(Clone, Debug)]
pub struct Step {
    /// What was played, canonical, in seat order.
    pub played: Vec<PlayedMove>,
    /// The position reached.
    pub position: Arc<Position>,
}

impl Game {
    /// Plies played.
    #[must_use]
    pub fn ply(&self) -> Ply {
        self.position.ply
    }

    /// The side that sits in `seat`.
    #[must_use]
    pub fn side_of(&self, seat: Seat) -> Side {
        if seat == self.creator_seat { Side::Creator } else { Side::Acceptor }
    }

    /// Where `side` sits.
    #[must_use]
    pub fn seat_of(&self, side: Side) -> Seat {
        match side {
            Side::Creator => self.creator_seat,
            Side::Acceptor => self.creator_seat.other(),
        }
    }

    /// The seats that may act now: nobody's unless the game is being played.
    #[must_use]
    pub fn to_act(&self) -> &[Seat] {
        if self.status == GameStatus::Active { &self.position.to_act } else { &[] }
    }

    /// Whether the game has ended, with or without a result.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.status, GameStatus::Finished | GameStatus::Aborted)
    }

    /// When the seats to act lose on time; none when untimed, paused or over.
    #[must_use]
    pub fn deadline(&self) -> Option<UnixMs> {
        if self.status == GameStatus::Active { self.clock.as_ref().and_then(Clock::deadline) } else { None }
    }

    /// Points in halves of the creator and the acceptor: 2 for a won game, 1 for a drawn one.
    #[must_use]
    pub fn half_points(&self) -> [u32; 2] {
        match &self.result {
            None => [0, 0],
            Some(GameResult { winner: None, .. }) => [1, 1],
            Some(GameResult { winner: Some(seat), .. }) => match self.side_of(*seat) {
                Side::Creator => [2, 0],
                Side::Acceptor => [0, 2],
            },
        }
    }

    /// The game after `step`, from which the next turn runs at `at`, with its clock as given.
    #[must_use]
    pub fn after(&self, step: Step, at: UnixMs, clock: Option<Clock>) -> Self {
        let mut moves = self.moves;
        for played in &step.played {
            moves[played.seat.index()] += 1;
        }
        let result = step.position.outcome.clone();
        Self {
            status: if result.is_some() { GameStatus::Finished } else { GameStatus::Active },
            last_move: Some(PlayedPly { ply: self.ply(), moves: step.played, at_ms: at.0 }),
            position: step.position,
            clock,
            result,
            moves,
            ..self.clone()
        }
    }
}
