//! Bitboards of one fixed size: what the move counter and the engine work on.
//!
//! `Position<u64, 8>` is two machine words. It knows squares only by index (`row * N + col`) and takes legal
//! moves on trust; whoever has moves to check uses [`PawnBoard`](super::PawnBoard).

use super::bits::Bits;
use super::side::Side;
use super::types::Seat;

/// The pawns of both seats on an N×N board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<B, const N: usize> {
    pawns: [B; 2],
}

/// Where one side's pawns can step, by direction, as sets of to-squares.
#[derive(Clone, Copy, Debug)]
pub struct Steps<B> {
    /// Diagonally to the lower column.
    pub left: B,
    /// Straight ahead.
    pub straight: B,
    /// Diagonally to the higher column.
    pub right: B,
}

impl<B: Bits> Steps<B> {
    /// How many steps there are.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.left.count() + self.straight.count() + self.right.count()
    }

    /// The steps that do not end on these squares.
    #[inline(always)]
    #[must_use]
    pub fn avoiding(self, squares: B) -> Self {
        Self {
            left: self.left.minus(squares),
            straight: self.straight.minus(squares),
            right: self.right.minus(squares),
        }
    }
}

const fn block_words(n: usize, rows: [usize; 2], cols: [usize; 2]) -> [u64; 3] {
    let mut words = [0; 3];
    let mut row = rows[0];
    while row < rows[1] {
        let mut col = cols[0];
        while col < cols[1] {
            let index = row * n + col;
            words[index / 64] |= 1 << (index % 64);
            col += 1;
        }
        row += 1;
    }
    words
}

/// Rows counted from a side's own edge.
const fn rows_of(n: usize, seat: Seat, rows: [usize; 2]) -> [u64; 3] {
    match seat {
        Seat::One => block_words(n, rows, [0, n]),
        Seat::Two => block_words(n, [n - rows[1], n - rows[0]], [0, n]),
    }
}

impl<B: Bits, const N: usize> Position<B, N> {
    /// The number of columns as a shift.
    pub const WIDTH: u32 = N as u32;
    const BOARD: [u64; 3] = block_words(N, [0, N], [0, N]);
    const FIRST_COL: [u64; 3] = block_words(N, [0, N], [0, 1]);
    const LAST_COL: [u64; 3] = block_words(N, [0, N], [N - 1, N]);

    /// The position with these pawns of seat one and of seat two.
    #[inline(always)]
    pub fn new(one: B, two: B) -> Self {
        Self { pawns: [one, two] }
    }

    /// Every square of the board.
    #[inline(always)]
    pub fn board() -> B {
        B::from_words(Self::BOARD)
    }

    /// Column 0.
    #[inline(always)]
    pub fn first_col() -> B {
        B::from_words(Self::FIRST_COL)
    }

    /// The highest column.
    #[inline(always)]
    pub fn last_col() -> B {
        B::from_words(Self::LAST_COL)
    }

    /// The row that a side has to reach.
    #[inline(always)]
    pub fn far_row<S: Side>() -> B {
        B::from_words(const { rows_of(N, S::SEAT, [N - 1, N]) })
    }

    /// The row one step short of the far row.
    #[inline(always)]
    pub fn brink<S: Side>() -> B {
        B::from_words(const { rows_of(N, S::SEAT, [N - 2, N - 1]) })
    }

    /// The rows past the middle of the board, as a side sees it.
    #[inline(always)]
    pub fn far_half<S: Side>() -> B {
        B::from_words(const { rows_of(N, S::SEAT, [N / 2, N]) })
    }

    /// The row at a side's own edge.
    #[inline(always)]
    pub fn home_row<S: Side>() -> B {
        B::from_words(const { rows_of(N, S::SEAT, [0, 1]) })
    }

    /// A set with the neighbours to both sides of each square, on the same row.
    #[inline(always)]
    pub fn widened(set: B) -> B {
        set | set.minus(Self::last_col()).up(1) | set.minus(Self::first_col()).down(1)
    }

    /// One side's pawns.
    #[inline(always)]
    pub fn own<S: Side>(&self) -> B {
        self.pawns[S::SEAT.index()]
    }

    /// Both seats' pawns, seat one's first.
    #[inline(always)]
    pub fn pawns(&self) -> [B; 2] {
        self.pawns
    }

    /// One seat's pawns.
    #[inline(always)]
    pub fn of_seat(&self, seat: Seat) -> B {
        self.pawns[seat.index()]
    }

    /// Squares diagonally ahead of a set, to the lower column.
    #[inline(always)]
    pub fn left_of<S: Side>(set: B) -> B {
        S::ahead_left(set.minus(Self::first_col()), Self::WIDTH) & Self::board()
    }

    /// Squares diagonally ahead of a set, to the higher column.
    #[inline(always)]
    pub fn right_of<S: Side>(set: B) -> B {
        S::ahead_right(set.minus(Self::last_col()), Self::WIDTH) & Self::board()
    }

    /// Squares straight ahead of a set.
    #[inline(always)]
    pub fn ahead_of<S: Side>(set: B) -> B {
        S::ahead(set, Self::WIDTH) & Self::board()
    }

    /// Every step that one side may make.
    #[inline(always)]
    pub fn steps<S: Side>(&self) -> Steps<B> {
        let own = self.own::<S>();
        let taken = own | self.own::<S::Other>();
        Steps {
            left: Self::left_of::<S>(own).minus(own),
            straight: Self::ahead_of::<S>(own).minus(taken),
            right: Self::right_of::<S>(own).minus(own),
        }
    }

    /// Whether one side may make the step between two squares, each given as a set of one.
    #[inline(always)]
    pub fn has_step<S: Side>(&self, from: B, to: B) -> bool {
        let mut found = false;
        Self::each_step::<S>(self.steps::<S>().avoiding(!to), |origin, _| found |= origin == from);
        found
    }

    /// The position after a side's pawn has stepped between two squares, each given as a set of one.
    #[inline(always)]
    #[must_use]
    pub fn moved<S: Side>(&self, from: B, to: B) -> Self {
        let mut pawns = self.pawns;
        pawns[S::SEAT.index()] = pawns[S::SEAT.index()] ^ (from | to);
        pawns[S::SEAT.other().index()] = pawns[S::SEAT.other().index()].minus(to);
        Self { pawns }
    }

    /// Calls `visit` with from- and to-square, as sets of one, of each of these steps.
    #[inline(always)]
    pub fn each_step<S: Side>(steps: Steps<B>, mut visit: impl FnMut(B, B)) {
        steps.left.each(|to| visit(S::Other::ahead_right(to, Self::WIDTH), to));
        steps.straight.each(|to| visit(S::Other::ahead(to, Self::WIDTH), to));
        steps.right.each(|to| visit(S::Other::ahead_left(to, Self::WIDTH), to));
    }
}
