//! The game that match-svc sends along with a refusal, for a client to go on from.
//!
//! It travels as JSON in the metadata of the status. Not here: what a client sees of it.

use farside_kit::fault::Remote;
use farside_proto::matches::v1 as matches;
use serde::Deserialize;

/// The name of the metadata.
const GAME: &str = "game_json";

/// The game that a refusal carries; none when it carries none.
#[must_use]
pub fn game(fault: &Remote) -> Option<matches::Game> {
    let text = fault.metadata.get(GAME)?;
    match serde_json::from_str::<Carried>(text) {
        Ok(carried) => Some(carried.into()),
        Err(error) => {
            tracing::error!(%error, "the game of a refusal cannot be read");
            None
        }
    }
}

#[derive(Deserialize)]
struct Carried {
    number: u32,
    status: Status,
    seats: [String; 2],
    ply: u32,
    to_move: Vec<u32>,
    body_json: String,
    legal_moves_json: Vec<String>,
    remaining_ms: Option<[i64; 2]>,
    deadline_ms: Option<i64>,
    last_move: Option<CarriedPly>,
    result: Option<CarriedResult>,
    board_text: String,
    submitted: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Active,
    Finished,
    Aborted,
    Paused,
}

#[derive(Deserialize)]
struct CarriedPly {
    ply: u32,
    moves: Vec<CarriedMove>,
    at_ms: i64,
}

#[derive(Deserialize)]
struct CarriedMove {
    seat: Seat,
    move_json: String,
    notation: String,
}

#[derive(Deserialize)]
struct CarriedResult {
    winner: Option<Seat>,
    reason: String,
}

#[derive(Clone, Copy, Deserialize)]
enum Seat {
    #[serde(rename = "1")]
    One = 1,
    #[serde(rename = "2")]
    Two = 2,
}

impl From<Carried> for matches::Game {
    fn from(carried: Carried) -> Self {
        let [seat_1, seat_2] = carried.seats;
        let clock = |(seat, remaining_ms)| matches::SeatClock { seat, remaining_ms };
        Self {
            number: carried.number,
            status: matches::GameStatus::from(carried.status).into(),
            seat_1,
            seat_2,
            ply: carried.ply,
            to_move: carried.to_move,
            body_json: carried.body_json,
            legal_moves_json: carried.legal_moves_json,
            clocks: carried.remaining_ms.map(|left| (1..).zip(left).map(clock).collect()).unwrap_or_default(),
            deadline_ms: carried.deadline_ms,
            last_move: carried.last_move.map(matches::PlayedPly::from),
            result: carried.result.map(matches::GameResult::from),
            board_text: carried.board_text,
            submitted: carried.submitted,
        }
    }
}

impl From<Status> for matches::GameStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Active => Self::Active,
            Status::Finished => Self::Finished,
            Status::Aborted => Self::Aborted,
            Status::Paused => Self::Paused,
        }
    }
}

impl From<CarriedPly> for matches::PlayedPly {
    fn from(carried: CarriedPly) -> Self {
        let moves = carried.moves.into_iter().map(|played| matches::PlayedMove {
            seat: played.seat as u32,
            move_json: played.move_json,
            notation: played.notation,
        });
        Self { ply: carried.ply, moves: moves.collect(), at_ms: carried.at_ms }
    }
}

impl From<CarriedResult> for matches::GameResult {
    fn from(carried: CarriedResult) -> Self {
        Self { winner_seat: carried.winner.map_or(0, |seat| seat as u32), reason: carried.reason }
    }
}
