//! A position of a game as rules-svc describes it. Not here: any rule; a position is data that is kept and handed back.

use serde::{Deserialize, Serialize};

use super::ids::{Ply, Seat};

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// The winning seat; none for a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<Seat>,
    /// Why, for example `far_row` or `timeout`.
    pub reason: String,
}

impl GameResult {
    /// `seat` loses for this reason.
    #[must_use]
    pub fn lost_by(seat: Seat, reason: &str) -> Self {
        Self { winner: Some(seat.other()), reason: reason.to_owned() }
    }
}

/// A position: the state to keep, and everything that there is to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Opaque to everyone but rules-svc; equal positions have equal bytes.
    pub state: Vec<u8>,
    /// The seats to act; empty when the game is over by the rules.
    pub to_act: Vec<Seat>,
    /// Plies played.
    pub ply: Ply,
    /// The body as JSON.
    pub body_json: String,
    /// Legal moves by seat index, each as JSON; empty for a seat that does not act.
    pub legal_moves_json: [Vec<String>; 2],
    /// How the game ended by the rules.
    pub outcome: Option<GameResult>,
    /// The board in characters.
    pub board_text: String,
}

impl Position {
    /// A position of which the state alone is known.
    #[must_use]
    pub fn bare(state: &[u8]) -> Self {
        Self {
            state: state.to_vec(),
            to_act: Vec::new(),
            ply: Ply(0),
            body_json: String::new(),
            legal_moves_json: [Vec::new(), Vec::new()],
            outcome: None,
            board_text: String::new(),
        }
    }
}

/// One seat's move of a ply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedMove {
    /// Who moved.
    pub seat: Seat,
    /// Canonical JSON.
    pub move_json: String,
    /// The game's notation, for example `c2xd3`.
    pub notation: String,
    /// Up to when thinking is charged: milliseconds since the Unix epoch.
    pub received_ms: i64,
}

/// The moves of one ply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedPly {
    /// Plies played before it.
    pub ply: Ply,
    /// In seat order.
    pub moves: Vec<PlayedMove>,
    /// When the next turn began: never before anything that was logged earlier. Milliseconds since the Unix epoch.
    pub at_ms: i64,
}

impl PlayedPly {
    /// What `seat` played in it.
    #[must_use]
    pub fn of(&self, seat: Seat) -> Option<&PlayedMove> {
        self.moves.iter().find(|played| played.seat == seat)
    }
}
