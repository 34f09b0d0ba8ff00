//! One board as its two players see it: who is what on it, which placements there are, what it is worth as it stands
//! and after so many placements. Budgets, tables and lines expected are `search`'s.

use crate::domain::games::maker_breaker::board::{Board, Piece, SIDE, SQUARES, Spot};
use crate::domain::games::maker_breaker::state::Placement;

/// What a line of five is worth to the maker by how many equal pieces it holds and no other.
const LINE_WORTH: [i32; 5] = [1, 4, 16, 80, 400];
/// What a made board is worth, less what each piece on it costs: sooner is better.
const MADE: i32 = 100_000;
const PIECE_COST: i32 = 1_000;
/// Beyond every value.
pub(super) const UNBOUNDED: i32 = i32::MAX;

/// With how many pieces a board of this worth to its maker is full or made; `None` when it is neither.
pub(super) fn pieces_at_end(worth: i32) -> Option<u32> {
    if worth == -MADE {
        return Some(u32::from(SQUARES));
    }
    let made_with = (MADE - worth).div_euclid(PIECE_COST);
    u32::try_from(made_with).ok().filter(|&pieces| pieces <= u32::from(SQUARES))
}

/// A square and a piece as a placement.
pub(super) fn placement(square: u8, piece: Piece) -> Option<Placement> {
    Some(Placement { spot: Spot::new(square / SIDE, square % SIDE)?, piece })
}

/// What a seat is on the board that it places on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Maker,
    Breaker,
}

impl Role {
    pub(super) const fn other(self) -> Self {
        match self {
            Self::Maker => Self::Breaker,
            Self::Breaker => Self::Maker,
        }
    }

    /// A value to the maker as this role sees it.
    pub(super) const fn sees(self, value: i32) -> i32 {
        match self {
            Self::Maker => value,
            Self::Breaker => -value,
        }
    }
}

/// A board as two sets of squares.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Grid {
    crosses: u64,
    noughts: u64,
}

impl Grid {
    pub(super) fn of(board: &Board) -> Self {
        Self { crosses: board.bits(Piece::X), noughts: board.bits(Piece::O) }
    }

    pub(super) fn with(self, square: u8, piece: Piece) -> Self {
        let bit = 1 << square;
        match piece {
            Piece::X => Self { crosses: self.crosses | bit, ..self },
            Piece::O => Self { noughts: self.noughts | bit, ..self },
        }
    }

    pub(super) fn taken(self) -> u64 {
        self.crosses | self.noughts
    }

    pub(super) fn empty_squares(self) -> u32 {
        u32::from(SQUARES) - self.taken().count_ones()
    }

    /// Where a table of so many entries, a power of two, keeps what it knows about the board.
    pub(super) fn slot(self, entries: usize) -> usize {
        let mixed = (self.crosses ^ self.noughts.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize % entries
    }

    /// Every placement: row by row, X before O.
    pub(super) fn placements(self) -> impl Iterator<Item = (u8, Piece)> {
        let empty = (0..SQUARES).filter(move |square| self.taken() >> square & 1 == 0);
        empty.flat_map(|square| Piece::BOTH.map(|piece| (square, piece)))
    }

    /// The value to the role that places next, looking so many placements ahead; exact between `alpha` and `beta`.
    pub(super) fn value(self, role: Role, placements: u32, alpha: i32, beta: i32) -> i32 {
        let pieces = self.taken().count_ones();
        if pieces == u32::from(SQUARES) || placements == 0 || self.is_made() {
            return role.sees(self.worth(pieces));
        }
        let mut best = alpha;
        for (square, piece) in self.placements() {
            let value = -self.with(square, piece).value(role.other(), placements - 1, -beta, -best);
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        best
    }

    pub(super) fn is_made(self) -> bool {
        Board::lines().iter().any(|&line| self.crosses & line == line || self.noughts & line == line)
    }

    /// What the board is worth to its maker as it stands.
    pub(super) fn worth(self, pieces: u32) -> i32 {
        if self.is_made() {
            // At most 36 pieces.
            return MADE - PIECE_COST * pieces as i32;
        }
        if pieces == u32::from(SQUARES) {
            return -MADE;
        }
        Board::lines().iter().map(|&line| self.line_worth(line)).sum()
    }

    /// What the board is worth to its maker, and whether that is final: a line is made, or none can be made any more.
    pub(super) fn outlook(self) -> (i32, bool) {
        let pieces = self.taken().count_ones();
        if self.is_made() {
            return (self.worth(pieces), true);
        }
        // A line without a piece that spoils it is worth something.
        let worth = Board::lines().iter().map(|&line| self.line_worth(line)).sum();
        if worth == 0 { (-MADE, true) } else { (worth, false) }
    }

    fn line_worth(self, line: u64) -> i32 {
        let [crosses, noughts] = [self.crosses, self.noughts].map(|set| (set & line).count_ones() as usize);
        if crosses > 0 && noughts > 0 { 0 } else { LINE_WORTH[(crosses + noughts).min(4)] }
    }
}
