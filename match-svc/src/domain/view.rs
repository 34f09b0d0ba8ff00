//! What one viewer may see of a game. Not here: JSON of the public API, protobuf.

use serde::Serialize;

use super::game::{Game, GameStatus};
use super::ids::{ParticipantId, Seat};
use super::position::{GameResult, PlayedPly};
use super::set::SetInfo;

/// Who looks at a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewer {
    /// Where the viewer sits; none for a spectator.
    pub seat: Option<Seat>,
    /// Whether the viewer's own placement for the running round is in.
    pub submitted: bool,
}

impl Viewer {
    /// Someone without a seat.
    pub const SPECTATOR: Self = Self { seat: None, submitted: false };
}

/// A game as one viewer may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameView {
    /// From 1.
    pub number: u32,
    /// Where it stands.
    pub status: GameStatus,
    /// Who sits in seat 1 and seat 2.
    pub seats: [ParticipantId; 2],
    /// Plies played.
    pub ply: u32,
    /// Seats to act.
    pub to_move: Vec<u32>,
    /// The body as JSON.
    pub body_json: String,
    /// Legal moves as JSON for this viewer.
    pub legal_moves_json: Vec<String>,
    /// What each seat has left; none without a budget.
    pub remaining_ms: Option<[i64; 2]>,
    /// When the seats to act lose on time.
    pub deadline_ms: Option<i64>,
    /// The last ply.
    pub last_move: Option<PlayedPly>,
    /// None while the game goes on.
    pub result: Option<GameResult>,
    /// The board in characters.
    pub board_text: String,
    /// Whether this viewer's placement for the running round is in.
    pub submitted: bool,
}

/// `game` as `viewer` may see it.
#[must_use]
pub fn game_view(info: &SetInfo, game: &Game, viewer: Viewer) -> GameView {
    let submitted = viewer.submitted && !game.is_over();
    let to_move = game.to_act().iter().filter(|&&seat| !(submitted && viewer.seat == Some(seat)));
    GameView {
        number: game.number.0,
        status: game.status,
        seats: Seat::BOTH.map(|seat| info.participant(game.side_of(seat)).id.clone()),
        ply: game.ply().0,
        to_move: to_move.map(|seat| seat.number()).collect(),
        body_json: game.position.body_json.clone(),
        legal_moves_json: legal_moves(info, game, viewer).to_vec(),
        remaining_ms: game.clock.as_ref().and_then(super::clock::Clock::remaining_ms),
        deadline_ms: game.deadline().map(|deadline| deadline.0),
        last_move: game.last_move.clone(),
        result: game.result.clone(),
        board_text: game.position.board_text.clone(),
        submitted,
    }
}

/// The viewer's own moves when it is to act; otherwise those of the one seat to act, unless moves are secret.
fn legal_moves<'a>(info: &SetInfo, game: &'a Game, viewer: Viewer) -> &'a [String] {
    let of = |seat: Seat| game.position.legal_moves_json[seat.index()].as_slice();
    match (viewer.seat, game.to_act()) {
        (Some(seat), acting) if acting.contains(&seat) && !viewer.submitted => of(seat),
        (_, [seat]) if !info.simultaneous => of(*seat),
        _ => &[],
    }
}

/// The view as JSON, with the field names of the contract's `Game`, for refusals that carry a state to go on from.
#[must_use]
pub fn game_json(info: &SetInfo, game: &Game, viewer: Viewer) -> String {
    serde_json::to_string(&game_view(info, game, viewer)).unwrap_or_default()
}
