//! The state of one game, as one viewer may see it.

use farside_proto::matches::v1 as matches;
use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{Raw, Timestamp};

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
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

/// Something of each seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BySeat<T: ToSchema> {
    /// Seat 1.
    #[serde(rename = "1")]
    pub one: T,
    /// Seat 2.
    #[serde(rename = "2")]
    pub two: T,
}

/// A seat's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClockState {
    /// Time left as of the last event, in milliseconds.
    #[schema(minimum = 0)]
    pub remaining_ms: i64,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct GameResult {
    /// The winning seat; null for a draw.
    pub winner: Option<u32>,
    /// Why, for example `far_row`, `no_pawns`, `timeout`, `first_move_timeout` or `resignation`.
    pub reason: String,
}

/// A move of one seat.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SeatMove {
    /// 1 or 2.
    pub seat: u32,
    /// The move.
    #[serde(rename = "move")]
    pub move_: Raw,
    /// The move in the game's notation, for example `c2-c3`.
    pub notation: String,
}

/// What was played last. Where one seat moved, `seat`, `move` and `notation` say what; in a round of several, `moves`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LastMove {
    /// Plies played before it.
    pub ply: u32,
    /// The seat that moved; null when several did.
    pub seat: Option<u32>,
    /// The move; `{"1": move, "2": move}` when several seats moved.
    #[serde(rename = "move")]
    pub move_: Raw,
    /// The move in the game's notation; those of a round in seat order with a space between.
    pub notation: String,
    /// The move of every seat that acted, in seat order.
    pub moves: Vec<SeatMove>,
    /// When it arrived.
    pub at: Timestamp,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct GameState {
    /// 1 or 2.
    pub number: u32,
    /// Where it stands.
    pub status: GameStatus,
    /// Who sits where: participant ids.
    pub seats: BySeat<String>,
    /// Plies (rounds) played: send this with the next move.
    pub ply: u32,
    /// The seats to act; empty when the game is over.
    pub to_move: Vec<u32>,
    /// The position, by `body_schema` of the contract.
    pub body: Raw,
    /// Legal moves: yours when you are to act; else those of the one seat to act when nothing is hidden; else none.
    pub legal_moves: Vec<Raw>,
    /// Both clocks; null when untimed or timed by round.
    pub clocks: Option<BySeat<ClockState>>,
    /// When the seat to move loses on time, or the round ends; null when untimed or over.
    pub deadline: Option<Timestamp>,
    /// What was played last; null at the start.
    pub last_move: Option<LastMove>,
    /// Null while the game goes on.
    pub result: Option<GameResult>,
    /// The board in characters, with coordinates.
    pub board_text: String,
    /// Whether you have submitted your move of the running round.
    pub submitted: bool,
    /// The platform's clock as of this state; in the answer to a move, when the move was received.
    pub server_time: Timestamp,
}

impl GameState {
    /// A game as match-svc shows it to one viewer, answered at `now_ms`.
    #[must_use]
    pub fn new(game: matches::Game, now_ms: i64) -> Self {
        let status = status(game.status());
        Self {
            number: game.number,
            status,
            seats: BySeat { one: game.seat_1, two: game.seat_2 },
            ply: game.ply,
            to_move: game.to_move,
            body: Raw::from_json(game.body_json),
            legal_moves: game.legal_moves_json.into_iter().map(Raw::from_json).collect(),
            clocks: clocks(&game.clocks),
            deadline: game.deadline_ms.map(Timestamp),
            last_move: game.last_move.map(LastMove::from),
            result: game.result.map(GameResult::from),
            board_text: game.board_text,
            submitted: game.submitted,
            server_time: Timestamp(now_ms),
        }
    }
}

fn status(status: matches::GameStatus) -> GameStatus {
    match status {
        matches::GameStatus::Finished => GameStatus::Finished,
        matches::GameStatus::Aborted => GameStatus::Aborted,
        matches::GameStatus::Paused => GameStatus::Paused,
        matches::GameStatus::Active | matches::GameStatus::Unspecified => GameStatus::Active,
    }
}

fn clocks(clocks: &[matches::SeatClock]) -> Option<BySeat<ClockState>> {
    let of = |seat| {
        let clock = clocks.iter().find(|clock| clock.seat == seat)?;
        Some(ClockState { remaining_ms: clock.remaining_ms })
    };
    Some(BySeat { one: of(1)?, two: of(2)? })
}

impl From<matches::GameResult> for GameResult {
    fn from(result: matches::GameResult) -> Self {
        Self { winner: (result.winner_seat != 0).then_some(result.winner_seat), reason: result.reason }
    }
}

impl From<matches::PlayedMove> for SeatMove {
    fn from(played: matches::PlayedMove) -> Self {
        Self { seat: played.seat, move_: Raw::from_json(played.move_json), notation: played.notation }
    }
}

impl From<matches::PlayedPly> for LastMove {
    fn from(ply: matches::PlayedPly) -> Self {
        let moves: Vec<SeatMove> = ply.moves.into_iter().map(SeatMove::from).collect();
        let notation = moves.iter().map(|played| played.notation.as_str()).collect::<Vec<_>>().join(" ");
        let (seat, move_) = match moves.as_slice() {
            [only] => (Some(only.seat), only.move_.clone()),
            several => (None, round(several)),
        };
        Self { ply: ply.ply, seat, move_, notation, moves, at: Timestamp(ply.at_ms) }
    }
}

/// The moves of a round as one object, byte for byte.
fn round(moves: &[SeatMove]) -> Raw {
    let members: Vec<_> = moves.iter().map(|played| format!("\"{}\":{}", played.seat, played.move_.get())).collect();
    Raw::from_json(format!("{{{}}}", members.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(seats: &[u32]) -> LastMove {
        let moves = seats.iter().map(|&seat| matches::PlayedMove {
            seat,
            move_json: format!("{{\"at\":[{seat},0]}}"),
            notation: format!("X@a{seat}"),
        });
        LastMove::from(matches::PlayedPly { ply: 3, moves: moves.collect(), at_ms: 0 })
    }

    #[test]
    fn one_move_stands_by_itself_and_a_round_by_seat() {
        assert_eq!((played(&[2]).seat, played(&[2]).move_.get().to_owned()), (Some(2), r#"{"at":[2,0]}"#.to_owned()));
        let round = played(&[1, 2]);
        assert_eq!(round.seat, None);
        assert_eq!(round.move_.get(), r#"{"1":{"at":[1,0]},"2":{"at":[2,0]}}"#);
        assert_eq!(round.notation, "X@a1 X@a2");
    }

    #[test]
    fn an_untimed_game_has_no_clocks() {
        let game = matches::Game { body_json: "{}".to_owned(), ..matches::Game::default() };
        let json = serde_json::to_value(GameState::new(game, 0)).unwrap();
        assert!(json["clocks"].is_null() && json["deadline"].is_null() && json["result"].is_null());
    }
}
