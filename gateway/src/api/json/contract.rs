//! Contracts of games.

use farside_proto::ledger::v1::Currency;
use farside_proto::rules::v1 as rules;
use serde::Serialize;
use utoipa::ToSchema;

use super::challenge::{ClockJson, FischerJson, PerRoundJson};
use super::scalar::Raw;

/// How a game counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Rated by default.
    Ranked,
    /// Never rated.
    Casual,
}

/// What a player may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Information {
    /// Everything is visible to everyone.
    Perfect,
    /// Moves of a round are secret until every acting seat has submitted.
    HiddenUntilReveal,
}

/// Which kind of clock a game is played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClockKind {
    /// A budget for each seat with an increment after each move.
    Fischer,
    /// One deadline for every round.
    PerRound,
}

/// A seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatJson {
    /// 1 or 2.
    pub number: u32,
    /// Its colour, for example `red`.
    pub colour: String,
}

/// An inclusive range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RangeJson {
    /// Smallest value.
    pub min: u32,
    /// Largest value.
    pub max: u32,
    /// Used when nothing is said.
    pub default: u32,
}

/// A game's clock: kind, default and ranges, in seconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClockContract {
    /// The kind.
    pub kind: ClockKind,
    /// The clock when a challenge names none.
    pub default: ClockJson,
    /// Fischer: seconds at the start.
    pub initial_s: Option<RangeJson>,
    /// Fischer: seconds added after a move.
    pub increment_s: Option<RangeJson>,
    /// Fischer: the deadline of each seat's first move.
    pub first_move_s: Option<u32>,
    /// Per round: seconds for a round.
    pub per_round_s: Option<RangeJson>,
}

/// Stakes in one currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StakeLimits {
    /// The currency.
    pub currency: String,
    /// Smallest stake.
    pub min: i64,
    /// Largest stake.
    pub max: i64,
    /// Fee on the winner's winnings, in basis points, rounded down.
    pub fee_basis_points: u32,
}

/// A game as the catalogue lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct GameSummary {
    /// Stable id, for example `breakthrough`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// One sentence.
    pub summary: String,
    /// Ranked or casual.
    pub tier: Tier,
    /// What a player may know.
    pub information: Information,
    /// Games in a set.
    pub games_per_set: u32,
    /// Version of the contract.
    pub version: u32,
}

/// A game's contract: everything that a client needs to play it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct GameContract {
    /// Stable id, for example `breakthrough`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// One sentence.
    pub summary: String,
    /// The rules in Markdown.
    pub rules: String,
    /// How to play it and play it better, for people, in Markdown; a fenced block `board` draws a board.
    pub guide: String,
    /// Ranked or casual.
    pub tier: Tier,
    /// The seats in order.
    pub seats: Vec<SeatJson>,
    /// Games in a set.
    pub games_per_set: u32,
    /// The clock.
    pub clock: ClockContract,
    /// An upper bound on the plies of a game.
    pub max_moves: u32,
    /// Chance after the start: `none`.
    pub chance: String,
    /// What a player may know.
    pub information: Information,
    /// Stakes by currency.
    pub stakes: Vec<StakeLimits>,
    /// How level points are resolved.
    pub tiebreak: String,
    /// JSON Schema 2020-12 of the options.
    #[schema(value_type = Object)]
    pub options_schema: Raw,
    /// The default options, complete.
    #[schema(value_type = Object)]
    pub default_options: Raw,
    /// JSON Schema 2020-12 of a move.
    #[schema(value_type = Object)]
    pub move_schema: Raw,
    /// JSON Schema 2020-12 of a body.
    #[schema(value_type = Object)]
    pub body_schema: Raw,
    /// Values that fit the schemas: `options`, `move` and `body`.
    #[schema(value_type = Object)]
    pub examples: Raw,
    /// Levels of house bots, weakest first: challenge `house:LEVEL`.
    pub house_levels: Vec<String>,
    /// Version of the contract; recorded with every set.
    pub version: u32,
}

fn tier(tier: rules::Tier) -> Tier {
    match tier {
        rules::Tier::Ranked => Tier::Ranked,
        rules::Tier::Casual | rules::Tier::Unspecified => Tier::Casual,
    }
}

fn information(information: rules::Information) -> Information {
    match information {
        rules::Information::HiddenUntilReveal => Information::HiddenUntilReveal,
        rules::Information::Perfect | rules::Information::Unspecified => Information::Perfect,
    }
}

impl From<rules::Range> for RangeJson {
    fn from(range: rules::Range) -> Self {
        Self { min: range.min, max: range.max, default: range.default }
    }
}

impl From<rules::ClockContract> for ClockContract {
    fn from(clock: rules::ClockContract) -> Self {
        let default_of = |range: Option<&rules::Range>| range.map_or(0, |range| range.default);
        let (kind, default) = match clock.kind() {
            rules::ClockKind::PerRound => {
                let per_round_s = default_of(clock.per_round_s.as_ref());
                (ClockKind::PerRound, ClockJson::PerRound(PerRoundJson { per_round_s }))
            }
            rules::ClockKind::Fischer | rules::ClockKind::Unspecified => {
                let initial_s = default_of(clock.initial_s.as_ref());
                let increment_s = default_of(clock.increment_s.as_ref());
                (ClockKind::Fischer, ClockJson::Fischer(FischerJson { initial_s, increment_s }))
            }
        };
        Self {
            kind,
            default,
            initial_s: clock.initial_s.map(RangeJson::from),
            increment_s: clock.increment_s.map(RangeJson::from),
            first_move_s: (kind == ClockKind::Fischer).then_some(clock.first_move_s),
            per_round_s: clock.per_round_s.map(RangeJson::from),
        }
    }
}

impl From<&Currency> for StakeLimits {
    fn from(currency: &Currency) -> Self {
        Self {
            currency: currency.code.clone(),
            min: currency.stake_min_points,
            max: currency.stake_max_points,
            fee_basis_points: currency.fee_basis_points,
        }
    }
}

impl From<&rules::GameContract> for GameSummary {
    fn from(from: &rules::GameContract) -> Self {
        Self {
            id: from.id.clone(),
            name: from.name.clone(),
            summary: from.summary.clone(),
            tier: tier(from.tier()),
            information: information(from.information()),
            games_per_set: from.games_per_set,
            version: from.version,
        }
    }
}

impl GameContract {
    /// A contract with the stakes of every currency.
    #[must_use]
    pub fn new(from: rules::GameContract, currencies: &[Currency]) -> Self {
        let (tier, information) = (tier(from.tier()), information(from.information()));
        let seat = |seat: rules::Seat| SeatJson { number: seat.number, colour: seat.colour };
        Self {
            id: from.id,
            name: from.name,
            summary: from.summary,
            rules: from.rules_markdown,
            guide: from.guide_markdown,
            tier,
            seats: from.seats.into_iter().map(seat).collect(),
            games_per_set: from.games_per_set,
            clock: from.clock.unwrap_or_default().into(),
            max_moves: from.max_moves,
            chance: from.chance,
            information,
            stakes: currencies.iter().map(StakeLimits::from).collect(),
            tiebreak: from.tiebreak,
            options_schema: Raw::from_json(from.options_schema_json),
            default_options: Raw::from_json(from.default_options_json),
            move_schema: Raw::from_json(from.move_schema_json),
            body_schema: Raw::from_json(from.body_schema_json),
            examples: Raw::from_json(from.examples_json),
            house_levels: from.house_levels,
            version: from.version,
        }
    }
}
