//! Everything that the rules refuse, each with a sentence that a person can act on. How a refusal travels is not said here.

use thiserror::Error;

use super::json::Violation;
use super::pawns::Seat;

/// A refusal. The order of the variants is the order in which they are tested.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RulesError {
    /// No game has this id.
    #[error("there is no game `{game}`; the games are {known}")]
    GameNotFound {
        /// The id asked for.
        game: String,
        /// Every id, for people.
        known: String,
    },
    /// The options do not fit; all faults that could be found.
    #[error("the options do not fit: {}", list(.0))]
    OptionsInvalid(Vec<Violation>),
    /// A part of the start other than options and seed.
    #[error("the start does not fit: {0}")]
    StartInvalid(Violation),
    /// A seed that is not 32 bytes.
    #[error("a seed has 32 bytes (64 hex digits), not {0}")]
    SeedInvalid(usize),
    /// The start is drawn from a seed and there is none.
    #[error("this start is drawn from the set's seed: give a seed of 32 bytes, or choose a start that needs none")]
    SeedRequired,
    /// A nonce that is too long.
    #[error("a nonce has at most 64 characters; the {side}'s has {chars}")]
    NonceInvalid {
        /// `creator` or `acceptor`.
        side: &'static str,
        /// How long it is.
        chars: usize,
    },
    /// Bytes that are no state of this game.
    #[error("the state is not one of `{game}`: {reason}; hand a state back unchanged, with the game that it came from")]
    StateInvalid {
        /// The game asked for.
        game: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A move that does not fit the move schema.
    #[error("the move does not fit the game's move schema: {0}")]
    MalformedMove(Violation),
    /// The game has ended.
    #[error("the game is over ({reason}); no more moves are taken")]
    GameOver {
        /// Why it ended.
        reason: &'static str,
    },
    /// A seat that is not to act.
    #[error("it is not seat {seat}'s turn; to act: {}", seats(.to_act))]
    NotYourTurn {
        /// The seat that wanted to move.
        seat: Seat,
        /// The seats to act.
        to_act: Vec<Seat>,
    },
    /// A move that the rules forbid in this position.
    #[error("{0}")]
    IllegalMove(Illegal),
    /// A seat that has to act gave no move.
    #[error("seat {0} acts in this round too, and its move is missing")]
    RoundIncomplete(Seat),
    /// A house bot level that the game does not have.
    #[error("there is no house bot level `{level}` here; the levels are {known}")]
    LevelUnknown {
        /// The level asked for.
        level: String,
        /// Every level, for people.
        known: String,
    },
    /// JSON that is no record at all.
    #[error("this is no record: {0}")]
    RecordInvalid(Violation),
    /// A refusal at one ply of a list.
    #[error("ply {ply}: {fault}")]
    AtPly {
        /// The place in the list, from 0.
        ply: usize,
        /// What is wrong there.
        fault: Box<RulesError>,
    },
}

/// Why a move is illegal, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Illegal(pub String);

impl RulesError {
    /// The stable reason, in upper case, as the contract of the service names it.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::GameNotFound { .. } => "GAME_NOT_FOUND",
            Self::OptionsInvalid(_) => "OPTIONS_INVALID",
            Self::StartInvalid(_) => "START_INVALID",
            Self::SeedInvalid(_) => "SEED_INVALID",
            Self::SeedRequired => "SEED_REQUIRED",
            Self::NonceInvalid { .. } => "NONCE_INVALID",
            Self::StateInvalid { .. } => "STATE_INVALID",
            Self::MalformedMove(_) => "MALFORMED_MOVE",
            Self::GameOver { .. } => "GAME_OVER",
            Self::NotYourTurn { .. } => "NOT_YOUR_TURN",
            Self::IllegalMove(_) => "ILLEGAL_MOVE",
            Self::RoundIncomplete(_) => "ROUND_INCOMPLETE",
            Self::LevelUnknown { .. } => "LEVEL_UNKNOWN",
            Self::RecordInvalid(_) => "RECORD_INVALID",
            Self::AtPly { fault, .. } => fault.reason(),
        }
    }

    /// What does not fit and where, as JSON pointers into the value that was sent.
    #[must_use]
    pub fn violations(&self) -> Vec<Violation> {
        match self {
            Self::OptionsInvalid(violations) => violations.clone(),
            Self::StartInvalid(violation) | Self::MalformedMove(violation) | Self::RecordInvalid(violation) => {
                vec![violation.clone()]
            }
            Self::SeedInvalid(_) | Self::SeedRequired => vec![Violation::new("/seed", self.to_string())],
            Self::NonceInvalid { .. } => vec![Violation::new("/nonce", self.to_string())],
            Self::AtPly { ply, fault } => fault.violations_at_ply(*ply),
            _ => Vec::new(),
        }
    }

    fn violations_at_ply(&self, ply: usize) -> Vec<Violation> {
        let at = format!("/moves/{ply}");
        let inner = self.violations();
        if inner.is_empty() {
            return vec![Violation::new(at, self.to_string())];
        }
        inner.into_iter().map(|violation| violation.under(&at)).collect()
    }
}

fn list(violations: &[Violation]) -> String {
    violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn seats(seats: &[Seat]) -> String {
    seats.iter().map(|seat| format!("seat {seat}")).collect::<Vec<_>>().join(" and ")
}
