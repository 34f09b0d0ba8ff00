//! One 6×6 board of Maker and Breaker: pieces and lines of five. It knows neither seats nor rounds.

/// Squares along each side.
pub const SIDE: u8 = 6;

/// Squares of a board.
pub const SQUARES: u8 = SIDE * SIDE;

/// Every square as a bit.
const ALL: u64 = (1 << SQUARES) - 1;

/// The 32 ways to have five in a row; a longer row contains one of them.
const FIVES: [u64; 32] = fives();

/// A piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Piece {
    /// A cross.
    X,
    /// A nought.
    O,
}

impl Piece {
    /// Both, in the order in which moves are listed.
    pub const BOTH: [Self; 2] = [Self::X, Self::O];

    /// The piece as a character.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::X => 'X',
            Self::O => 'O',
        }
    }
}

/// A square of a board: always on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot(u8);

impl Spot {
    /// The square at a row and a column; `None` off the board.
    #[must_use]
    pub fn new(row: u8, col: u8) -> Option<Self> {
        (row < SIDE && col < SIDE).then(|| Self(row * SIDE + col))
    }

    /// Every square, row by row.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SQUARES).map(Self)
    }

    /// The row, 0 to 5.
    #[must_use]
    pub fn row(self) -> u8 {
        self.0 / SIDE
    }

    /// The column, 0 to 5.
    #[must_use]
    pub fn col(self) -> u8 {
        self.0 % SIDE
    }

    fn bit(self) -> u64 {
        1 << self.0
    }
}

/// The pieces on a board, as one bit set for each symbol: bit `row × 6 + col`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    crosses: u64,
    noughts: u64,
}

impl Board {
    /// A board from its two bit sets; `None` when they overlap or leave the board.
    #[must_use]
    pub fn from_bits(crosses: u64, noughts: u64) -> Option<Self> {
        (crosses & noughts == 0 && (crosses | noughts) & !ALL == 0).then_some(Self { crosses, noughts })
    }

    /// The squares that hold a symbol, as bits.
    #[must_use]
    pub fn bits(&self, piece: Piece) -> u64 {
        match piece {
            Piece::X => self.crosses,
            Piece::O => self.noughts,
        }
    }

    /// The empty squares, as bits.
    #[must_use]
    pub fn empty_bits(&self) -> u64 {
        ALL & !(self.crosses | self.noughts)
    }

    /// What stands on a square.
    #[must_use]
    pub fn at(&self, spot: Spot) -> Option<Piece> {
        Piece::BOTH.into_iter().find(|&piece| self.bits(piece) & spot.bit() != 0)
    }

    /// The board with one more piece. The square must be empty.
    #[must_use]
    pub fn with(mut self, spot: Spot, piece: Piece) -> Self {
        debug_assert!(self.at(spot).is_none(), "the square is empty");
        match piece {
            Piece::X => self.crosses |= spot.bit(),
            Piece::O => self.noughts |= spot.bit(),
        }
        self
    }

    /// Pieces on the board.
    #[must_use]
    pub fn count(&self) -> u8 {
        SQUARES - u8::try_from(self.empty_bits().count_ones()).unwrap_or(SQUARES)
    }

    /// Whether no square is empty.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.empty_bits() == 0
    }

    /// The symbol that has five or more in a row.
    #[must_use]
    pub fn five(&self) -> Option<Piece> {
        Piece::BOTH.into_iter().find(|&piece| FIVES.iter().any(|&line| self.bits(piece) & line == line))
    }

    /// The 32 lines of five, as bits.
    #[must_use]
    pub fn lines() -> &'static [u64; 32] {
        &FIVES
    }
}

const fn fives() -> [u64; 32] {
    let mut lines = [0; 32];
    let mut count = 0;
    let steps = [(0, 1), (1, 0), (1, 1), (1, -1)];
    let mut step = 0;
    while step < steps.len() {
        let mut square = 0;
        while square < SQUARES as i32 {
            if let Some(line) = line_from(square / 6, square % 6, steps[step]) {
                lines[count] = line;
                count += 1;
            }
            square += 1;
        }
        step += 1;
    }
    lines
}

const fn line_from(row: i32, col: i32, step: (i32, i32)) -> Option<u64> {
    let (end_row, end_col) = (row + 4 * step.0, col + 4 * step.1);
    if end_row > 5 || end_col > 5 || end_col < 0 {
        return None;
    }
    let mut line = 0;
    let mut at = 0;
    while at < 5 {
        line |= 1 << ((row + at * step.0) * 6 + col + at * step.1);
        at += 1;
    }
    Some(line)
}
