//! A position of the handicap game: the strong side still to be placed, or a position of pawns.

use crate::domain::error::Illegal;
use crate::domain::pawn_play::codec;
use crate::domain::pawn_play::setup::{put, turned};
use crate::domain::pawn_play::state::PawnState;
use crate::domain::pawns::{PawnBoard, Seat, Size, Square};

/// Pawns of the side that receives the odds.
const FULL: u32 = 16;

/// A position of the handicap game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandicapState {
    /// One side has its pawns on the board, the other places so many.
    Placing {
        /// The seat that places.
        strong: Seat,
        /// How many pawns it places.
        count: u8,
    },
    /// Both sides stand.
    Playing(PawnState),
}

impl HandicapState {
    /// The board as it stands.
    #[must_use]
    pub fn board(&self) -> PawnBoard {
        match self {
            Self::Placing { strong, .. } => weak_side(strong.other()),
            Self::Playing(state) => state.board,
        }
    }

    /// The position as pawns see it: before the placing it is the weak side alone.
    #[must_use]
    pub fn pawns(&self) -> PawnState {
        match self {
            Self::Placing { .. } => PawnState::start(self.board()),
            Self::Playing(state) => *state,
        }
    }

    /// The position after the strong side has placed its pawns.
    ///
    /// # Errors
    /// What is wrong with the squares.
    pub fn place(strong: Seat, count: u8, squares: &[Square]) -> Result<Self, Illegal> {
        if squares.len() != usize::from(count) {
            let given = squares.len();
            return Err(Illegal(format!("exactly {count} pawns are placed in this game, not {given}")));
        }
        let mut board = weak_side(strong.other());
        for &square in squares {
            if !is_home(square, strong) {
                let rows = if strong == Seat::One { "0 and 1" } else { "6 and 7" };
                return Err(Illegal(format!(
                    "pawns are placed on seat {strong}'s home rows {rows}, columns 0 to 7; {square} is elsewhere"
                )));
            }
            if board.cell(square).is_some() {
                return Err(Illegal(format!("{square} is named twice; each pawn takes a square of its own")));
            }
            board = put(board, square, strong);
        }
        Ok(Self::Playing(PawnState::start(board)))
    }

    /// The state's one encoding: a phase byte, then seat and count, or the position.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Placing { strong, count } => vec![0, strong.number(), *count],
            Self::Playing(state) => {
                let mut bytes = vec![1];
                bytes.extend(codec::encode(state));
                bytes
            }
        }
    }

    /// Reads a state back; it is one that can come about.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        match bytes {
            [0, seat, count @ 8..=15] => match Seat::from_number(*seat) {
                Some(strong) => Ok(Self::Placing { strong, count: *count }),
                None => Err("the placing seat is neither 1 nor 2".to_owned()),
            },
            [1, position @ ..] => playing(position),
            _ => Err("it is neither a placing nor a position".to_owned()),
        }
    }
}

fn playing(bytes: &[u8]) -> Result<HandicapState, String> {
    let state = codec::decode(bytes)?;
    if state.board.size() != Size::CLASSIC {
        return Err("the handicap game has a board of 8 rows".to_owned());
    }
    let began = |seat: Seat| state.board.count(seat) + u32::from(state.captured[seat.other().index()]);
    let (one, two) = (began(Seat::One), began(Seat::Two));
    if one.max(two) == FULL && (8..FULL).contains(&one.min(two)) {
        return Ok(HandicapState::Playing(state));
    }
    Err(format!("one side begins with {FULL} pawns and the other with 8 to 15, not {one} and {two}"))
}

fn weak_side(seat: Seat) -> PawnBoard {
    home(seat).into_iter().fold(PawnBoard::empty(Size::CLASSIC), |board, square| put(board, square, seat))
}

/// A seat's two home rows in the order in which it sees them.
#[must_use]
pub(super) fn home(seat: Seat) -> Vec<Square> {
    let own = |row: u8| (0..8).map(move |col| Square::new(row, col));
    let squares = own(0).chain(own(1));
    match seat {
        Seat::One => squares.collect(),
        Seat::Two => squares.map(|square| turned(square, Size::CLASSIC)).collect(),
    }
}

fn is_home(square: Square, seat: Seat) -> bool {
    home(seat).contains(&square)
}
