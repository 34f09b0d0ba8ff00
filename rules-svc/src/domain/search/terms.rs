//! The terms of the evaluation that depend on pawns far apart or on whose move it is: counts of pawns and squares.

use crate::domain::pawns::{Bits, Position, Side};

/// How many terms there are.
pub const TERMS: usize = 14;

/// The terms of a position from the view of the side that moves, in the order of the weights: supported pawns,
/// pawns supported twice, neighbours in a row, neighbours in a column, safe steps, safe steps past the middle,
/// own and their attacked pawns, own and their hanging pawns, free pawns, free pawns past the middle, the move,
/// gaps in the home rows.
#[inline(always)]
#[must_use]
pub fn terms_of<S: Side, B: Bits, const N: usize>(position: &Position<B, N>) -> [i32; TERMS] {
    let own_reach = Reach::new::<S, N>(position);
    let their_reach = Reach::new::<S::Other, N>(position);
    let mine = Counts::new::<S, B, N>(position, own_reach, their_reach);
    let theirs = Counts::new::<S::Other, B, N>(position, their_reach, own_reach);
    [
        mine.supported - theirs.supported,
        mine.supported_twice - theirs.supported_twice,
        mine.beside - theirs.beside,
        mine.behind - theirs.behind,
        mine.safe - theirs.safe,
        mine.safe_far - theirs.safe_far,
        mine.attacked,
        theirs.attacked,
        mine.hanging,
        theirs.hanging,
        mine.free - theirs.free,
        mine.free_far - theirs.free_far,
        1,
        mine.gaps - theirs.gaps,
    ]
}

/// Squares that a side's pawns strike, diagonally to either side.
#[derive(Clone, Copy)]
struct Reach<B> {
    left: B,
    right: B,
}

impl<B: Bits> Reach<B> {
    #[inline(always)]
    fn new<S: Side, const N: usize>(position: &Position<B, N>) -> Self {
        let own = position.own::<S>();
        Self { left: Position::<B, N>::left_of::<S>(own), right: Position::<B, N>::right_of::<S>(own) }
    }

    #[inline(always)]
    fn all(self) -> B {
        self.left | self.right
    }
}

/// What is counted for one side.
struct Counts {
    supported: i32,
    supported_twice: i32,
    beside: i32,
    behind: i32,
    safe: i32,
    safe_far: i32,
    attacked: i32,
    hanging: i32,
    free: i32,
    free_far: i32,
    gaps: i32,
}

impl Counts {
    #[inline(always)]
    fn new<S: Side, B: Bits, const N: usize>(position: &Position<B, N>, reach: Reach<B>, against: Reach<B>) -> Self {
        let own = position.own::<S>();
        let ahead = Position::<B, N>::ahead_of::<S>(own);
        let open = ahead.minus(own | position.own::<S::Other>());
        let safe = (open | reach.all().minus(own)).minus(against.all());
        let attacked = own & against.all();
        let free = own.minus(watched::<S::Other, B, N>(position));
        let far = Position::<B, N>::far_half::<S>();
        Self {
            supported: size(own & reach.all()),
            supported_twice: size(own & reach.left & reach.right),
            beside: size(own & own.minus(Position::<B, N>::last_col()).up(1)),
            behind: size(own & ahead),
            safe: size(safe),
            safe_far: size(safe & far),
            attacked: size(attacked),
            hanging: size(attacked.minus(reach.all())),
            free: size(free),
            free_far: size(free & far),
            gaps: size(gaps::<S, B, N>(own)),
        }
    }
}

#[inline(always)]
fn size(set: impl Bits) -> i32 {
    // At most 144.
    set.count() as i32
}

/// Squares ahead of a side's pawns, on their own column and the two beside it: an enemy pawn anywhere else is free.
#[inline(always)]
fn watched<S: Side, B: Bits, const N: usize>(position: &Position<B, N>) -> B {
    let width = Position::<B, N>::WIDTH;
    let mut span = Position::<B, N>::widened(position.own::<S>());
    span = span | S::ahead(span, width);
    span = span | S::ahead(span, 2 * width);
    span = span | S::ahead(span, 4 * width);
    if N > 8 { span | S::ahead(span, 4 * width) } else { span }
}

/// Columns that no pawn on the side's two home rows stands on or next to, as squares of the home row.
#[inline(always)]
fn gaps<S: Side, B: Bits, const N: usize>(own: B) -> B {
    let row = Position::<B, N>::home_row::<S>();
    let folded = (own | S::Other::ahead(own, Position::<B, N>::WIDTH)) & row;
    row.minus(Position::<B, N>::widened(folded))
}
