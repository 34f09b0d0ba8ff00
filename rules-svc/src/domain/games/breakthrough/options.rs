//! Options of Breakthrough: what may be given, what is filled in, and what must fit together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::error::RulesError;
use crate::domain::game::Start;
use crate::domain::json::{Violation, Whole};
use crate::domain::pawn_play::setup;
use crate::domain::pawns::{PawnBoard, Size};

/// How the pawns stand at the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum StartKind {
    /// The home rows are filled from the side's own edge.
    Standard,
    /// The pawns are scattered over the home rows from the set's seed.
    Random,
}

/// Options as a challenge gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Given {
    /// Pawns of each side: twice the size when left out, at most three times the size.
    #[schemars(title = "Pawns per side", with = "Whole<8, 36>")]
    #[serde(deserialize_with = "present")]
    pub pieces: Option<Whole<8, 36>>,
    /// How many rows of each side a random start scatters its pawns over; a standard start does not look at it.
    #[schemars(title = "Random rows", with = "Whole<2, 4>")]
    #[serde(deserialize_with = "present")]
    pub random_rows: Option<Whole<2, 4>>,
    /// Rows and columns of the board.
    #[schemars(title = "Board size", with = "Whole<6, 12>")]
    #[serde(deserialize_with = "present")]
    pub size: Option<Whole<6, 12>>,
    /// Whether the pawns fill their home rows or are scattered over them from the set's seed.
    #[schemars(title = "Start", with = "StartKind")]
    #[serde(deserialize_with = "present")]
    pub start: Option<StartKind>,
}

/// A member that may be left out but not be null, as its schema says.
///
/// # Errors
/// Those of the value.
pub fn present<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

/// Options complete with defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Options {
    /// Pawns of each side.
    pub pieces: u8,
    /// Rows of a random start.
    pub random_rows: u8,
    /// Rows and columns of the board.
    pub size: u8,
    /// How the pawns stand.
    pub start: StartKind,
}

impl Given {
    /// Fills in the defaults and checks what must fit together.
    ///
    /// # Errors
    /// Every fault, naming the fields and the range allowed.
    pub fn resolve(self, default_start: StartKind) -> Result<Options, Vec<Violation>> {
        let size = self.size.map_or(Size::CLASSIC.get(), Whole::get);
        let options = Options {
            pieces: self.pieces.map_or(2 * size, Whole::get),
            random_rows: self.random_rows.map_or(3, Whole::get),
            size,
            start: self.start.unwrap_or(default_start),
        };
        let faults = options.faults();
        if faults.is_empty() { Ok(options) } else { Err(faults) }
    }
}

impl Options {
    fn faults(&self) -> Vec<Violation> {
        let Self { pieces, random_rows, size, start } = *self;
        let mut faults = Vec::new();
        if pieces > 3 * size {
            faults.push(Violation::new(
                "/pieces",
                format!("`pieces` is {pieces}; with `size` {size} it may be 8 to {} (3 × size)", 3 * size),
            ));
        }
        if start == StartKind::Random && 2 * random_rows > size {
            faults.push(Violation::new(
                "/random_rows",
                format!(
                    "`random_rows` is {random_rows}; with `start` random and `size` {size} it may be 2 to {} (half the size)",
                    (size / 2).min(4)
                ),
            ));
        }
        if start == StartKind::Random && pieces > random_rows * size {
            let most = random_rows * size;
            faults.push(Violation::new(
                "/pieces",
                format!("`pieces` is {pieces}; with `start` random, `random_rows` {random_rows} and `size` {size} it may be 8 to {most} (random_rows × size)"),
            ));
        }
        faults
    }

    /// The board before the first move.
    ///
    /// # Errors
    /// [`RulesError::SeedRequired`] for a random start without a seed.
    ///
    /// # Panics
    /// Never: a resolved size is 6 to 12.
    pub fn board(&self, start: &Start) -> Result<PawnBoard, RulesError> {
        let size = Size::new(self.size).expect("a resolved size is 6 to 12");
        match self.start {
            StartKind::Standard => Ok(setup::rows_filled(size, self.pieces)),
            StartKind::Random => {
                let seed = start.seed.as_ref().ok_or(RulesError::SeedRequired)?;
                Ok(setup::scattered(size, self.pieces, self.random_rows, seed))
            }
        }
    }
}
