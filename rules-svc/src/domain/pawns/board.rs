//! The board of any size: placing pawns, listing and making moves, telling who has won.
//!
//! This is the interface for everything that plays by the rules. It is deliberately no game: it knows neither
//! whose turn it is nor how a game started.

use super::bits::{Bits, Wide};
use super::fault::PawnFault;
use super::position::Position;
use super::side::{Down, Side, Up};
use super::types::{PawnMove, Seat, Size, Square};

/// How a game of pawns is decided on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// A pawn stands on the row farthest from its own side.
    FarRow,
    /// The loser has no pawn left.
    NoPawns,
    /// The loser is to move and cannot. Unreachable while a pawn remains: the foremost one can always step aside.
    NoMoves,
}

/// Work to be done on the bitboards of whichever size a board has; see [`PawnBoard::dispatch`].
pub trait Task {
    /// What comes out.
    type Output;

    /// Does the work on a position whose size is known at compile time.
    fn run<B: Bits, const N: usize>(self, position: Position<B, N>) -> Self::Output;
}

/// The pawns of both seats on a board of 6×6 to 12×12 squares. Small and `Copy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PawnBoard {
    size: Size,
    pawns: [Wide; 2],
}

impl PawnBoard {
    /// A board without pawns.
    #[must_use]
    pub const fn empty(size: Size) -> Self {
        Self { size, pawns: [Wide::EMPTY; 2] }
    }

    /// The two-row start that the printed rules show: each seat's two rows nearest to itself are full.
    #[must_use]
    pub fn two_rows(size: Size) -> Self {
        let mut board = Self::empty(size);
        for square in board.squares() {
            if square.row < 2 {
                board.put(square, Seat::One);
            } else if square.row + 2 >= size.get() {
                board.put(square, Seat::Two);
            }
        }
        board
    }

    /// The board's size.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Every square, row by row.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let n = self.size.get();
        (0..n).flat_map(move |row| (0..n).map(move |col| Square { row, col }))
    }

    /// Whose pawn stands on the square; `None` when it is empty or off the board.
    #[must_use]
    pub fn cell(&self, square: Square) -> Option<Seat> {
        let bit = self.bit(square)?;
        Seat::BOTH.into_iter().find(|seat| self.pawns[seat.index()].meets(bit))
    }

    /// The same board with a pawn of this seat on the square, whatever stood there before.
    ///
    /// # Errors
    /// [`PawnFault::OffBoard`].
    pub fn with_pawn(mut self, square: Square, seat: Seat) -> Result<Self, PawnFault> {
        self.on_board(square)?;
        self.put(square, seat);
        Ok(self)
    }

    /// How many pawns the seat has.
    #[must_use]
    pub fn count(&self, seat: Seat) -> u32 {
        self.pawns[seat.index()].count()
    }

    /// The squares of a seat's pawns, row by row.
    pub fn pawns_of(&self, seat: Seat) -> impl Iterator<Item = Square> + use<> {
        let n = u32::from(self.size.get());
        self.pawns[seat.index()].squares().map(move |index| square_at(index, n))
    }

    /// Every step the seat's pawns could make, by from-square row by row, then by to-column.
    /// Whether the game still goes on is not asked; see [`PawnBoard::finished`].
    #[must_use]
    pub fn legal_moves(&self, seat: Seat) -> Vec<PawnMove> {
        self.dispatch(ListMoves(seat))
    }

    /// The board after the seat has made a step.
    ///
    /// # Errors
    /// The first rule that the step breaks, in the order of [`PawnFault`]'s variants.
    pub fn apply(&self, step: PawnMove, seat: Seat) -> Result<Self, PawnFault> {
        let PawnMove { from, to } = step;
        let from_bit = self.on_board(from)?;
        let to_bit = self.on_board(to)?;
        match self.cell(from) {
            None => return Err(PawnFault::NoPawn { square: from }),
            Some(owner) if owner != seat => {
                return Err(PawnFault::NotYourPawn { square: from, owner });
            }
            Some(_) => {}
        }
        if !one_step_forward(step, seat) {
            return Err(PawnFault::NotOneStepForward { from, to });
        }
        match self.cell(to) {
            Some(_) if to.col == from.col => return Err(PawnFault::Blocked { square: to }),
            Some(owner) if owner == seat => return Err(PawnFault::OwnPawn { square: to }),
            _ => {}
        }
        let mut board = *self;
        board.pawns[seat.index()] = board.pawns[seat.index()] ^ from_bit ^ to_bit;
        board.pawns[seat.other().index()] = board.pawns[seat.other().index()].minus(to_bit);
        Ok(board)
    }

    /// Who has won and how, when `next` is to move; `None` while the game goes on.
    /// On a board that no game leads to (both seats have won) the seat that has just moved comes first.
    #[must_use]
    pub fn finished(&self, next: Seat) -> Option<(Seat, EndReason)> {
        let seats = [next.other(), next];
        if let Some(winner) = seats.into_iter().find(|&seat| self.on_far_row(seat)) {
            return Some((winner, EndReason::FarRow));
        }
        if let Some(winner) = seats.into_iter().find(|&seat| self.count(seat.other()) == 0) {
            return Some((winner, EndReason::NoPawns));
        }
        let stuck = self.dispatch(CountMoves(next)) == 0;
        stuck.then_some((next.other(), EndReason::NoMoves))
    }

    /// Does a piece of work on bitboards of exactly this board's size.
    pub fn dispatch<T: Task>(&self, task: T) -> T::Output {
        match self.size.get() {
            6 => task.run(self.position::<u64, 6>()),
            7 => task.run(self.position::<u64, 7>()),
            8 => task.run(self.position::<u64, 8>()),
            9 => task.run(self.position::<u128, 9>()),
            10 => task.run(self.position::<u128, 10>()),
            11 => task.run(self.position::<u128, 11>()),
            _ => task.run(self.position::<Wide, 12>()),
        }
    }

    /// The sets of squares as words, seat one's and seat two's.
    pub(super) fn words(&self) -> [[u64; 3]; 2] {
        self.pawns.map(Bits::to_words)
    }

    fn position<B: Bits, const N: usize>(&self) -> Position<B, N> {
        let [one, two] = self.words();
        Position::new(B::from_words(one), B::from_words(two))
    }

    fn on_far_row(&self, seat: Seat) -> bool {
        let far = match seat {
            Seat::One => self.size.get() - 1,
            Seat::Two => 0,
        };
        self.pawns_of(seat).any(|square| square.row == far)
    }

    fn bit(&self, square: Square) -> Option<Wide> {
        let n = self.size.get();
        let inside = square.row < n && square.col < n;
        inside.then(|| Wide::of(u32::from(square.row) * u32::from(n) + u32::from(square.col)))
    }

    fn on_board(&self, square: Square) -> Result<Wide, PawnFault> {
        self.bit(square).ok_or(PawnFault::OffBoard { square, size: self.size })
    }

    fn put(&mut self, square: Square, seat: Seat) {
        if let Some(bit) = self.bit(square) {
            self.pawns[seat.index()] = self.pawns[seat.index()] | bit;
            self.pawns[seat.other().index()] = self.pawns[seat.other().index()].minus(bit);
        }
    }
}

fn one_step_forward(step: PawnMove, seat: Seat) -> bool {
    let ahead = match seat {
        Seat::One => step.from.row.checked_add(1),
        Seat::Two => step.from.row.checked_sub(1),
    };
    Some(step.to.row) == ahead && step.from.col.abs_diff(step.to.col) <= 1
}

fn square_at(index: u32, n: u32) -> Square {
    // Both are below 12: the index is below n * n.
    Square { row: (index / n) as u8, col: (index % n) as u8 }
}

struct CountMoves(Seat);

impl Task for CountMoves {
    type Output = u32;

    fn run<B: Bits, const N: usize>(self, position: Position<B, N>) -> u32 {
        match self.0 {
            Seat::One => position.steps::<Up>().count(),
            Seat::Two => position.steps::<Down>().count(),
        }
    }
}

struct ListMoves(Seat);

impl Task for ListMoves {
    type Output = Vec<PawnMove>;

    fn run<B: Bits, const N: usize>(self, position: Position<B, N>) -> Vec<PawnMove> {
        match self.0 {
            Seat::One => list_moves::<Up, B, N>(position),
            Seat::Two => list_moves::<Down, B, N>(position),
        }
    }
}

fn list_moves<S: Side, B: Bits, const N: usize>(position: Position<B, N>) -> Vec<PawnMove> {
    let steps = position.steps::<S>();
    let mut moves = Vec::with_capacity(steps.count() as usize);
    for index in position.own::<S>().squares() {
        let pawn = B::of(index);
        let ways = [
            Position::<B, N>::left_of::<S>(pawn) & steps.left,
            Position::<B, N>::ahead_of::<S>(pawn) & steps.straight,
            Position::<B, N>::right_of::<S>(pawn) & steps.right,
        ];
        let from = square_at(index, N as u32);
        for to in ways.into_iter().filter(|to| !to.is_empty()) {
            moves.push(PawnMove { from, to: square_at(to.lowest(), N as u32) });
        }
    }
    moves
}
