//! Tables and small answers: standings, leaderboards, turns, positions, analysis, verification, signing keys.

use farside_proto::matches::v1 as matches;
use farside_proto::rating::v1 as rating;
use farside_proto::rules::v1 as rules;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::game::{GameResult, GameState};
use super::participant::Named;
use super::scalar::{Raw, Timestamp};

/// How a participant stands in one game.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct StandingJson {
    /// Game id.
    pub game: String,
    /// Rating, rounded.
    pub rating: i64,
    /// Deviation, rounded.
    pub deviation: i64,
    /// Whether the deviation is above 110.
    pub provisional: bool,
    /// Rated sets.
    pub sets: i64,
    /// Won.
    pub wins: i64,
    /// Drawn.
    pub draws: i64,
    /// Lost.
    pub losses: i64,
    /// Points won from opponents, after the fee.
    pub won: i64,
    /// Points won less points lost.
    pub net: i64,
}

/// A row of a leaderboard.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RowJson {
    /// From 1.
    pub rank: u32,
    /// The bot.
    pub bot: Named,
    /// Its owner.
    pub owner: Named,
    /// Rating, rounded.
    pub rating: i64,
    /// Deviation, rounded.
    pub deviation: i64,
    /// Whether the deviation is above 110.
    pub provisional: bool,
    /// Rated sets.
    pub sets: i64,
    /// Won.
    pub wins: i64,
    /// Drawn.
    pub draws: i64,
    /// Lost.
    pub losses: i64,
    /// Points won from opponents, after the fee.
    pub won: i64,
    /// Points won less points lost.
    pub net: i64,
}

/// A rating after one set.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct HistoryJson {
    /// `set_…`.
    pub set_id: String,
    /// Rating after it, rounded.
    pub rating: i64,
    /// Deviation after it, rounded.
    pub deviation: i64,
    /// When the set ended.
    pub at: Timestamp,
}

/// A person's practice on one board against one level of house bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PracticeJson {
    /// Game id.
    pub game: String,
    /// The board, for example `6x6`.
    pub board: String,
    /// The house bot's level.
    pub level: String,
    /// Games won.
    pub wins: i64,
    /// Games lost.
    pub losses: i64,
    /// Wins in a row up to now.
    pub current_streak: i64,
    /// Longest run of wins.
    pub best_streak: i64,
}

impl From<rating::PracticeStatistics> for PracticeJson {
    fn from(from: rating::PracticeStatistics) -> Self {
        Self {
            game: from.game,
            board: from.board,
            level: from.level,
            wins: from.wins,
            losses: from.losses,
            current_streak: from.current_streak,
            best_streak: from.best_streak,
        }
    }
}

/// A public key that signs records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SigningKeyJson {
    /// As records name it.
    pub id: String,
    /// `Ed25519`.
    pub algorithm: &'static str,
    /// The public key in hex.
    pub public_key: String,
    /// Since when it signs.
    pub created_at: Timestamp,
}

/// A game in which I am to act.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TurnJson {
    /// `set_…`.
    pub set_id: String,
    /// Game number within the set: send this with the move.
    pub game: u32,
    /// Game id.
    pub game_id: String,
    /// My seat.
    pub seat: u32,
    /// Plies played: send this with the move.
    pub ply: u32,
    /// Until when; null when untimed.
    pub deadline: Option<Timestamp>,
    /// The game as I may see it.
    pub state: GameState,
}

/// Every game in which I am to act.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Turns {
    /// Most urgent first.
    pub turns: Vec<TurnJson>,
    /// Stands for this answer: send it as `after` to wait for something newer.
    pub cursor: String,
}

/// A line of play from the start.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionBody {
    /// Options by `options_schema`; what is left out has its default.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub options: Option<Raw>,
    /// The set's seed, 64 hex digits; needed for a random start.
    #[serde(default)]
    #[schema(pattern = "^[0-9a-fA-F]{64}$")]
    pub seed: Option<String>,
    /// The plies in order: a move, or `{"1": move, "2": move}` for a round.
    #[schema(max_items = 10_000)]
    pub moves: Vec<Raw>,
    /// Which game of the set; 1 when left out.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 2)]
    pub game_number: Option<u32>,
    /// Where whoever made the challenge sits; as in a set of two games when left out: seat 2 in game 1, seat 1 in game 2.
    /// Only a game that gives odds depends on it.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 2)]
    pub creator_seat: Option<u32>,
}

/// A line of play to search after.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisBody {
    /// Options by `options_schema`; what is left out has its default.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub options: Option<Raw>,
    /// The set's seed, 64 hex digits; needed for a random start.
    #[serde(default)]
    #[schema(pattern = "^[0-9a-fA-F]{64}$")]
    pub seed: Option<String>,
    /// The plies in order: a move, or `{"1": move, "2": move}` for a round.
    #[schema(max_items = 10_000)]
    pub moves: Vec<Raw>,
    /// Which game of the set; 1 when left out.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 2)]
    pub game_number: Option<u32>,
    /// Where whoever made the challenge sits; as in a set of two games when left out: seat 2 in game 1, seat 1 in game 2.
    /// Only a game that gives odds depends on it.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 2)]
    pub creator_seat: Option<u32>,
    /// Stop after so many nodes; 200,000 when left out.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 2_000_000)]
    pub nodes: Option<u64>,
    /// The seat to find a move for, where several are to act.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 2)]
    pub seat: Option<u32>,
}

/// A position and what can be played in it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PositionJson {
    /// Plies (rounds) played.
    pub ply: u32,
    /// The position, by `body_schema`.
    pub body: Raw,
    /// The seats to act; empty when the game is over.
    pub to_move: Vec<u32>,
    /// Legal moves of the one seat to act; empty when several are.
    pub legal_moves: Vec<Raw>,
    /// Legal moves of each seat to act.
    pub legal_moves_by_seat: Vec<SeatMovesJson>,
    /// Null while the game goes on.
    pub result: Option<GameResult>,
    /// The board in characters, with coordinates.
    pub board_text: String,
}

/// The moves open to one seat.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SeatMovesJson {
    /// 1 or 2.
    pub seat: u32,
    /// Its legal moves in the game's order.
    pub moves: Vec<Raw>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct AnalysisJson {
    /// The best move.
    #[serde(rename = "move")]
    pub move_: Raw,
    /// From the view of the seat that moves, in hundredths of a pawn; beyond ±29,000 a forced result.
    pub score: i32,
    /// The line that the search expects.
    pub pv: Vec<Raw>,
    /// Full iterations completed.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// What the check of a record found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Verification {
    /// Whether everything holds.
    pub ok: bool,
    /// The first fault; null when everything holds.
    pub fault: Option<FaultJson>,
    /// What was checked, in order, up to the fault.
    pub checks: Vec<String>,
}

/// A fault of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FaultJson {
    /// A JSON pointer into the record.
    pub at: String,
    /// What does not hold.
    pub reason: String,
}

/// Ratings are shown rounded; they are far from the ends of the range.
#[expect(clippy::cast_possible_truncation, reason = "a rating is a number of four digits")]
fn rounded(value: f64) -> i64 {
    value.round() as i64
}

impl From<rating::Standing> for StandingJson {
    fn from(standing: rating::Standing) -> Self {
        Self {
            game: standing.game,
            rating: rounded(standing.rating),
            deviation: rounded(standing.deviation),
            provisional: standing.provisional,
            sets: standing.sets,
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            won: standing.won_points,
            net: standing.net_points,
        }
    }
}

impl From<rating::LeaderboardRow> for RowJson {
    fn from(row: rating::LeaderboardRow) -> Self {
        let standing = StandingJson::from(row.standing.unwrap_or_default());
        let participant = row.participant.unwrap_or_default();
        Self {
            rank: row.rank,
            bot: Named { id: participant.id, name: participant.name },
            owner: Named { id: participant.owner_id, name: participant.owner_name },
            rating: standing.rating,
            deviation: standing.deviation,
            provisional: standing.provisional,
            sets: standing.sets,
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            won: standing.won,
            net: standing.net,
        }
    }
}

impl From<rating::HistoryPoint> for HistoryJson {
    fn from(point: rating::HistoryPoint) -> Self {
        Self {
            set_id: point.set_id,
            rating: rounded(point.rating),
            deviation: rounded(point.deviation),
            at: Timestamp(point.at_ms),
        }
    }
}

impl From<matches::SigningKey> for SigningKeyJson {
    fn from(key: matches::SigningKey) -> Self {
        Self {
            id: key.id,
            algorithm: "Ed25519",
            public_key: hex::encode(key.ed25519),
            created_at: Timestamp(key.created_at_ms),
        }
    }
}

impl Turns {
    /// Turns as match-svc lists them, answered at `now_ms`.
    #[must_use]
    pub fn new(answer: matches::ListTurnsResponse, now_ms: i64) -> Self {
        let turns = answer.turns.into_iter().map(|turn| TurnJson::new(turn, now_ms)).collect();
        Self { turns, cursor: answer.cursor }
    }
}

impl TurnJson {
    fn new(turn: matches::Turn, now_ms: i64) -> Self {
        let state = GameState::new(turn.game.unwrap_or_default(), now_ms);
        Self {
            set_id: turn.set_id,
            game: state.number,
            game_id: turn.game_id,
            seat: turn.seat,
            ply: state.ply,
            deadline: state.deadline,
            state,
        }
    }
}

impl From<rules::Outcome> for GameResult {
    fn from(outcome: rules::Outcome) -> Self {
        Self { winner: (outcome.winner != 0).then_some(outcome.winner), reason: outcome.reason }
    }
}

impl From<rules::Position> for PositionJson {
    fn from(position: rules::Position) -> Self {
        let seat = |moves: rules::SeatMoves| SeatMovesJson {
            seat: moves.seat,
            moves: moves.moves_json.into_iter().map(Raw::from_json).collect(),
        };
        let by_seat: Vec<SeatMovesJson> = position.legal_moves.into_iter().map(seat).collect();
        let legal_moves = match by_seat.as_slice() {
            [only] => only.moves.clone(),
            _ => Vec::new(),
        };
        Self {
            ply: position.ply,
            body: Raw::from_json(position.body_json),
            to_move: position.to_act,
            legal_moves,
            legal_moves_by_seat: by_seat,
            result: position.outcome.map(GameResult::from),
            board_text: position.board_text,
        }
    }
}

impl From<rules::AnalyzeResponse> for AnalysisJson {
    fn from(found: rules::AnalyzeResponse) -> Self {
        Self {
            move_: Raw::from_json(found.move_json),
            score: found.score,
            pv: found.pv_json.into_iter().map(Raw::from_json).collect(),
            depth: found.depth,
            nodes: found.nodes,
        }
    }
}

impl From<rules::VerifyRecordResponse> for Verification {
    fn from(found: rules::VerifyRecordResponse) -> Self {
        let fault = found.fault.map(|fault| FaultJson { at: fault.at, reason: fault.reason });
        Self { ok: fault.is_none(), fault, checks: found.checks }
    }
}
