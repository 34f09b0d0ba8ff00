//! Boards as bytes (what a stored state holds) and as text (what people and test files write).
//!
//! Bytes: the size, then seat one's and seat two's squares, each ⌈size² / 8⌉ bytes, square `row * size + col` at
//! bit `index % 8` of byte `index / 8`. Each board has exactly one encoding.

use thiserror::Error;

use super::board::PawnBoard;
use super::types::{Seat, Size, SizeFault, Square};

/// Why bytes are no board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DecodeFault {
    /// There is not even a size.
    #[error("the board is empty")]
    Empty,
    /// The first byte is no size.
    #[error(transparent)]
    Size(#[from] SizeFault),
    /// The length does not fit the size.
    #[error("a board of size {size} takes {expected} bytes, not {found}")]
    Length {
        /// The size that the first byte tells.
        size: Size,
        /// The length it asks for, in bytes.
        expected: usize,
        /// The length found, in bytes.
        found: usize,
    },
    /// A bit past the last square is set.
    #[error("a pawn stands past the last square")]
    PastTheEnd,
    /// Both seats claim one square.
    #[error("both seats have a pawn on {0}")]
    Twice(Square),
}

/// Why lines of text are no board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BoardTextFault {
    /// The number of rows is no size.
    #[error(transparent)]
    Size(#[from] SizeFault),
    /// A row is too short or too long.
    #[error("row {row} has {found} squares instead of {size}")]
    RowLength {
        /// The row at fault.
        row: usize,
        /// How many squares it has.
        found: usize,
        /// How many it should have.
        size: Size,
    },
    /// A character that stands for nothing.
    #[error("`{found}` at {square} is none of `1`, `2` and `.`")]
    Character {
        /// Where it stands.
        square: Square,
        /// The character.
        found: char,
    },
}

impl PawnBoard {
    /// How many bytes a board of this size takes.
    #[must_use]
    pub const fn encoded_len(size: Size) -> usize {
        1 + 2 * size.squares().div_ceil(8)
    }

    /// The board's one encoding.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let per_seat = self.size().squares().div_ceil(8);
        let mut bytes = Vec::with_capacity(Self::encoded_len(self.size()));
        bytes.push(self.size().get());
        for words in self.words() {
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()).take(per_seat));
        }
        bytes
    }

    /// Reads an encoding back. Nothing but what [`PawnBoard::to_bytes`] writes is accepted.
    ///
    /// # Errors
    /// The first [`DecodeFault`] found.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeFault> {
        let (&rows, squares) = bytes.split_first().ok_or(DecodeFault::Empty)?;
        let size = Size::new(rows)?;
        let expected = Self::encoded_len(size);
        if bytes.len() != expected {
            return Err(DecodeFault::Length { size, expected, found: bytes.len() });
        }
        let (one, two) = squares.split_at(squares.len() / 2);
        if bit_count(one) + bit_count(two) != squares_set(one, size) + squares_set(two, size) {
            return Err(DecodeFault::PastTheEnd);
        }
        fill(size, one, two)
    }

    /// Reads rows of `1`, `2` and `.`, row 0 first.
    ///
    /// # Errors
    /// The first [`BoardTextFault`] found, row by row.
    pub fn from_rows<R: AsRef<str>>(rows: &[R]) -> Result<Self, BoardTextFault> {
        let size = u8::try_from(rows.len()).map_or(Err(SizeFault(rows.len() as u64)), Size::new)?;
        let mut board = Self::empty(size);
        for (row, text) in rows.iter().enumerate() {
            let found = text.as_ref().chars().count();
            if found != usize::from(size.get()) {
                return Err(BoardTextFault::RowLength { row, found, size });
            }
            for (col, found) in text.as_ref().chars().enumerate() {
                // Row and column are below the size, which is at most 12.
                board = place(board, Square::new(row as u8, col as u8), found)?;
            }
        }
        Ok(board)
    }

    /// The rows as `1`, `2` and `.`, row 0 first.
    #[must_use]
    pub fn to_rows(&self) -> Vec<String> {
        let n = self.size().get();
        let mark = |square| match self.cell(square) {
            None => '.',
            Some(Seat::One) => '1',
            Some(Seat::Two) => '2',
        };
        (0..n).map(|row| (0..n).map(|col| mark(Square { row, col })).collect()).collect()
    }
}

fn place(board: PawnBoard, square: Square, found: char) -> Result<PawnBoard, BoardTextFault> {
    let seat = match found {
        '.' => return Ok(board),
        '1' => Seat::One,
        '2' => Seat::Two,
        _ => return Err(BoardTextFault::Character { square, found }),
    };
    board.with_pawn(square, seat).map_err(|_| BoardTextFault::Character { square, found })
}

fn fill(size: Size, one: &[u8], two: &[u8]) -> Result<PawnBoard, DecodeFault> {
    let mut board = PawnBoard::empty(size);
    for (index, square) in board.squares().enumerate() {
        let seat = match (is_set(one, index), is_set(two, index)) {
            (true, true) => return Err(DecodeFault::Twice(square)),
            (true, false) => Seat::One,
            (false, true) => Seat::Two,
            (false, false) => continue,
        };
        board = board.with_pawn(square, seat).map_err(|_| DecodeFault::PastTheEnd)?;
    }
    Ok(board)
}

fn is_set(bytes: &[u8], index: usize) -> bool {
    bytes[index / 8] >> (index % 8) & 1 == 1
}

fn bit_count(bytes: &[u8]) -> usize {
    bytes.iter().map(|byte| byte.count_ones() as usize).sum()
}

fn squares_set(bytes: &[u8], size: Size) -> usize {
    (0..size.squares()).filter(|&index| is_set(bytes, index)).count()
}
