//! Starts that several pawn games share: rows filled in order, and squares drawn from the seed.

use crate::domain::pawns::{PawnBoard, Seat, Size, Square};
use crate::domain::seed::{Purpose, SetSeed};

/// The square turned by 180°: what seat 2 sees where seat 1 sees `square`.
#[must_use]
pub fn turned(square: Square, size: Size) -> Square {
    Square::new(size.get() - 1 - square.row, size.get() - 1 - square.col)
}

/// A board with seat 1's pawns on these squares and seat 2's on the same squares turned by 180°.
#[must_use]
pub fn mirrored(size: Size, squares: impl IntoIterator<Item = Square>) -> PawnBoard {
    squares.into_iter().fold(PawnBoard::empty(size), |board, square| {
        put(put(board, square, Seat::One), turned(square, size), Seat::Two)
    })
}

/// The first squares of a side in the order in which it sees them: its own edge first, from its left.
pub fn home_squares(size: Size) -> impl Iterator<Item = Square> {
    PawnBoard::empty(size).squares()
}

/// A board with a pawn more; a square off the board changes nothing.
#[must_use]
pub fn put(board: PawnBoard, square: Square, seat: Seat) -> PawnBoard {
    board.with_pawn(square, seat).unwrap_or(board)
}

/// Both sides' rows filled from their own edge; a partial row fills from seat 1's left, and turned for seat 2.
#[must_use]
pub fn rows_filled(size: Size, pieces: u8) -> PawnBoard {
    mirrored(size, home_squares(size).take(usize::from(pieces)))
}

/// Both sides' pawns scattered over their first `rows` rows: seat 1's squares are drawn first.
#[must_use]
pub fn scattered(size: Size, pieces: u8, rows: u8, seed: &SetSeed) -> PawnBoard {
    let mut stream = seed.stream(Purpose::StartPosition);
    let home = || home_squares(size).take(usize::from(rows) * usize::from(size.get())).collect::<Vec<_>>();
    let one = stream.choose(home(), usize::from(pieces));
    let two = stream.choose(home(), usize::from(pieces));
    let board = one.into_iter().fold(PawnBoard::empty(size), |board, square| put(board, square, Seat::One));
    two.into_iter().fold(board, |board, square| put(board, turned(square, size), Seat::Two))
}
