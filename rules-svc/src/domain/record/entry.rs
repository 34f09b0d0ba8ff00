//! The entries of a record, as types: what a set's history is made of. `docs/fairness.md` describes each in prose.
//!
//! Only the shape is checked here; whether the entries fit one another is for verification.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::domain::json::{self, Hex, Violation};
use crate::domain::pawns::Seat;

/// One thing that happened in a set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Entry {
    /// What was agreed, and the seeds. The first entry, and only the first.
    Set(Box<SetEntry>),
    /// A game begins; the first turn begins with it.
    GameStarted(GameStarted),
    /// A ply: one move, or a round of a simultaneous game.
    Ply(PlyEntry),
    /// Time that the platform took from the players and gave back.
    ClockCredited(ClockCredited),
    /// Practice stands still.
    Paused(Pause),
    /// Practice goes on.
    Resumed(Pause),
    /// A game has ended.
    GameFinished(GameFinished),
    /// The set has ended. The last entry, and only the last.
    SetFinished(SetFinished),
}

/// How many games there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// As many as the contract says.
    Set,
    /// Practice of one game; the creator has seat 1.
    Single,
}

/// What was agreed, and the seeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetEntry {
    /// The set's id.
    pub set: String,
    /// The game's id.
    pub game: String,
    /// Version of the contract that the set was played under.
    pub contract_version: u32,
    /// A whole set or a single game.
    pub format: Format,
    /// The complete options.
    pub options: Value,
    /// The clock; `None` for untimed practice.
    pub clock: Option<Clock>,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// What was staked.
    pub stake: Option<Stake>,
    /// Who made the challenge.
    pub creator: Participant,
    /// Who accepted it.
    pub acceptor: Participant,
    /// SHA-256 of the server seed, as shown from the start.
    pub seed_hash: Hex<32>,
    /// The server seed.
    pub server_seed: Hex<32>,
    /// The set's seed.
    pub seed: Hex<32>,
    /// What the participants added.
    pub nonces: Nonces,
    /// Server time at which the set began, in Unix milliseconds.
    pub at_ms: u64,
}

/// A stake of each side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stake {
    /// The currency, for example `PTS`.
    pub currency: String,
    /// Whole points.
    pub amount: u64,
}

/// Who took part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Participant {
    /// Id, for example `bot_…` or `house:easy`.
    pub id: String,
    /// Name when the set began.
    pub name: String,
    /// `bot`, `human` or `house`.
    pub kind: Kind,
}

/// What a participant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A program of a player.
    Bot,
    /// A person.
    Human,
    /// A bot of the platform.
    House,
}

/// The nonces; one that was not given is null and counts as empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nonces {
    /// The creator's.
    pub creator: Option<String>,
    /// The acceptor's.
    pub acceptor: Option<String>,
}

/// A clock setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, try_from = "AnyClock")]
pub enum Clock {
    /// A budget for each seat.
    Fischer {
        /// Seconds at the start.
        initial_s: u32,
        /// Seconds added after a move.
        increment_s: u32,
    },
    /// A deadline for each round.
    PerRound {
        /// Seconds for a round.
        per_round_s: u32,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnyClock {
    initial_s: Option<u32>,
    increment_s: Option<u32>,
    per_round_s: Option<u32>,
}

impl TryFrom<AnyClock> for Clock {
    type Error = &'static str;

    fn try_from(clock: AnyClock) -> Result<Self, Self::Error> {
        match (clock.initial_s, clock.increment_s, clock.per_round_s) {
            (Some(initial_s), Some(increment_s), None) => Ok(Self::Fischer { initial_s, increment_s }),
            (None, None, Some(per_round_s)) => Ok(Self::PerRound { per_round_s }),
            _ => Err("a clock is null, {\"initial_s\", \"increment_s\"} or {\"per_round_s\"}"),
        }
    }
}

/// Something for each seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BySeat<T> {
    /// Seat 1's.
    #[serde(rename = "1")]
    pub one: T,
    /// Seat 2's.
    #[serde(rename = "2")]
    pub two: T,
}

impl<T> BySeat<T> {
    /// A seat's.
    pub fn get(&self, seat: Seat) -> &T {
        match seat {
            Seat::One => &self.one,
            Seat::Two => &self.two,
        }
    }

    /// A seat's, to change.
    pub fn get_mut(&mut self, seat: Seat) -> &mut T {
        match seat {
            Seat::One => &mut self.one,
            Seat::Two => &mut self.two,
        }
    }
}

/// A round of a simultaneous game as one ply: `{"1": move, "2": move}` without a seat that does not act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Seat 1's move.
    #[serde(rename = "1", default)]
    pub one: Option<Value>,
    /// Seat 2's move.
    #[serde(rename = "2", default)]
    pub two: Option<Value>,
}

/// A game begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameStarted {
    /// 1 or 2.
    pub game: u8,
    /// The participants' ids by seat.
    pub seats: BySeat<String>,
    /// Server time; the first turn begins here.
    pub at_ms: u64,
}

/// A ply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlyEntry {
    /// 1 or 2.
    pub game: u8,
    /// Plies played before it.
    pub ply: u32,
    /// The move of each seat that acted, in seat order.
    pub moves: Vec<SeatMove>,
    /// Server time at which it was accepted; the next turn begins here.
    pub at_ms: u64,
    /// What is left on the clocks after it, in milliseconds; null without a Fischer clock.
    pub clocks: Option<BySeat<u64>>,
}

/// One seat's move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatMove {
    /// 1 or 2.
    pub seat: u8,
    /// The move, canonical.
    #[serde(rename = "move")]
    pub value: Value,
    /// The move in the game's notation.
    pub notation: String,
    /// Server time at which its last byte was in; thinking time is charged up to here.
    pub received_ms: u64,
}

/// Time given back: the running turn counts as having begun so much later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockCredited {
    /// 1 or 2.
    pub game: u8,
    /// How much, in milliseconds.
    pub credit_ms: u64,
    /// Server time.
    pub at_ms: u64,
}

/// Practice stands still or goes on; what lies between counts as given back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pause {
    /// 1 or 2.
    pub game: u8,
    /// Server time.
    pub at_ms: u64,
}

/// A game has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameFinished {
    /// 1 or 2.
    pub game: u8,
    /// The winning seat; null for a draw.
    pub winner: Option<u8>,
    /// Why.
    pub reason: String,
    /// Server time.
    pub at_ms: u64,
}

/// The set has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetFinished {
    /// Finished or aborted.
    pub status: SetStatus,
    /// Half points: a won game is 2, a drawn one 1 each.
    pub half_points: BySide<u32>,
    /// The result; null for an aborted set.
    pub result: Option<SetResult>,
    /// Server time.
    pub at_ms: u64,
}

/// Something for each participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BySide<T> {
    /// The creator's.
    pub creator: T,
    /// The acceptor's.
    pub acceptor: T,
}

/// How a set has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetStatus {
    /// Played to the end.
    Finished,
    /// Stopped by an operator or a fault; nothing counts.
    Aborted,
}

/// Who has won a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetResult {
    /// The winner; null for a draw.
    pub winner: Option<SideName>,
    /// What decided.
    pub by: DecidedBy,
}

/// A participant of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideName {
    /// Who made the challenge.
    Creator,
    /// Who accepted it.
    Acceptor,
}

/// What decided a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// More points.
    Points,
    /// Level points, fewer own moves.
    Tiebreak,
    /// Level in both.
    Draw,
}

impl Entry {
    /// Reads an entry without its place in a chain.
    ///
    /// # Errors
    /// The first thing that does not fit, with its pointer into the entry.
    pub fn read(value: &Value) -> Result<Self, Violation> {
        let members = value.as_object().ok_or_else(|| Violation::new("", "must be a JSON object"))?;
        let kind = members.get("type").and_then(Value::as_str);
        let mut members = members.clone();
        members.remove("type");
        let rest = Value::Object(members);
        Ok(match kind {
            Some("set") => Self::Set(json::object_from_value(&rest)?),
            Some("game_started") => Self::GameStarted(json::object_from_value(&rest)?),
            Some("ply") => Self::Ply(json::object_from_value(&rest)?),
            Some("clock_credited") => Self::ClockCredited(json::object_from_value(&rest)?),
            Some("paused") => Self::Paused(json::object_from_value(&rest)?),
            Some("resumed") => Self::Resumed(json::object_from_value(&rest)?),
            Some("game_finished") => Self::GameFinished(json::object_from_value(&rest)?),
            Some("set_finished") => Self::SetFinished(json::object_from_value(&rest)?),
            _ => return Err(Violation::new("/type", TYPES)),
        })
    }

    /// Server time of the entry, in Unix milliseconds.
    #[must_use]
    pub fn at_ms(&self) -> u64 {
        match self {
            Self::Set(entry) => entry.at_ms,
            Self::GameStarted(entry) => entry.at_ms,
            Self::Ply(entry) => entry.at_ms,
            Self::ClockCredited(entry) => entry.at_ms,
            Self::Paused(entry) | Self::Resumed(entry) => entry.at_ms,
            Self::GameFinished(entry) => entry.at_ms,
            Self::SetFinished(entry) => entry.at_ms,
        }
    }
}

const TYPES: &str = "the type is one of `set`, `game_started`, `ply`, `clock_credited`, `paused`, `resumed`, `game_finished` and `set_finished`";
