//! Options of the handicap game: who gives the odds, and with how many pawns.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::games::breakthrough::options::present;
use crate::domain::json::Whole;

/// The participant that gives the odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Stronger {
    /// Who makes the challenge.
    Creator,
    /// Who accepts it.
    Acceptor,
}

/// Options as a challenge gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Given {
    /// Pawns of the stronger participant; the other has 16.
    #[schemars(title = "Pawns of the stronger side", with = "Whole<8, 15>")]
    #[serde(deserialize_with = "present")]
    pub pieces: Option<Whole<8, 15>>,
    /// Which participant gives the odds, in every game of the set.
    #[schemars(title = "Stronger side", with = "Stronger")]
    #[serde(deserialize_with = "present")]
    pub stronger: Option<Stronger>,
}

/// Options complete with defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Options {
    /// Pawns of the stronger participant.
    pub pieces: u8,
    /// Which participant gives the odds.
    pub stronger: Stronger,
}

impl Given {
    /// Fills in the defaults: the creator gives the odds, with 12 pawns.
    #[must_use]
    pub fn resolve(self) -> Options {
        Options { pieces: self.pieces.map_or(12, Whole::get), stronger: self.stronger.unwrap_or(Stronger::Creator) }
    }
}
