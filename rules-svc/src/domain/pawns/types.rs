//! The words of the board: seats, sizes, squares and moves. Nothing here knows a rule.

use std::fmt;

use thiserror::Error;

/// One of the two sides. Seat one starts at row 0, moves to higher rows and moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seat {
    /// Red, from row 0 upward.
    One,
    /// Blue, from the highest row downward.
    Two,
}

impl Seat {
    /// Both seats, in order.
    pub const BOTH: [Self; 2] = [Self::One, Self::Two];

    /// The opponent's seat.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// 0 for seat one, 1 for seat two: the place in an array kept per seat.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::One => 0,
            Self::Two => 1,
        }
    }

    /// The seat's public number, 1 or 2.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }

    /// The seat with this public number, if there is one.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            _ => None,
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// A number of rows (and columns) that no board has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a board has 6 to 12 rows, not {0}")]
pub struct SizeFault(pub u64);

/// The number of rows and of columns of a board, 6 to 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size(u8);

impl Size {
    /// The smallest board, 6×6.
    pub const MIN: Self = Self(6);
    /// The classic board, 8×8.
    pub const CLASSIC: Self = Self(8);
    /// The largest board, 12×12.
    pub const MAX: Self = Self(12);

    /// Checks a number of rows.
    ///
    /// # Errors
    /// [`SizeFault`] outside 6 to 12.
    pub const fn new(rows: u8) -> Result<Self, SizeFault> {
        if rows < Self::MIN.0 || rows > Self::MAX.0 {
            return Err(SizeFault(rows as u64));
        }
        Ok(Self(rows))
    }

    /// The number of rows.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The number of squares.
    #[must_use]
    pub const fn squares(self) -> usize {
        self.0 as usize * self.0 as usize
    }

    /// Every size, smallest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::MIN.0..=Self::MAX.0).map(Self)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A square by row and column, both from 0. It may lie outside a given board; the board says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// Row, 0 at seat one's edge.
    pub row: u8,
    /// Column, 0 at the left as seat one sees it.
    pub col: u8,
}

impl Square {
    /// The square at this row and column.
    #[must_use]
    pub const fn new(row: u8, col: u8) -> Self {
        Self { row, col }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.row, self.col)
    }
}

/// A step of one pawn. The order of moves (from-square row by row, then to-column) is the order in which
/// legal moves are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PawnMove {
    /// Where the pawn stands.
    pub from: Square,
    /// Where it steps to.
    pub to: Square,
}

impl PawnMove {
    /// The step between two squares.
    #[must_use]
    pub const fn new(from: Square, to: Square) -> Self {
        Self { from, to }
    }
}

impl fmt::Display for PawnMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.from, self.to)
    }
}
