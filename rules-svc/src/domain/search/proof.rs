//! Wins that need no search: a pawn that gets through whatever the opponent does.
//!
//! Both sides move as waves. The runner's wave holds every square where some pawn may safely be; the opponent's
//! holds every square that any of its pawns could have reached, as if all of them moved at once and none were ever
//! in the way. The second is too generous, so a runner that survives it is through in truth; a pawn that is not
//! proved may still get through.

use crate::domain::pawns::{Bits, Position, Side};

/// Who moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// The side whose runner is looked for.
    Own,
    /// Its opponent.
    Theirs,
}

/// The number of moves of side `S` after which one of its pawns is on the far row by force, if that is proved.
#[inline(always)]
pub(super) fn runs_through<S: Side, B: Bits, const N: usize>(position: &Position<B, N>, turn: Turn) -> Option<usize> {
    let own = position.own::<S>();
    let mut theirs = position.own::<S::Other>();
    let mut runners = own;
    if turn == Turn::Theirs {
        let struck = strikes::<S::Other, B, N>(theirs);
        runners = runners.minus(struck);
        theirs = theirs | struck | Position::<B, N>::ahead_of::<S::Other>(theirs);
        if theirs.meets(Position::<B, N>::far_row::<S::Other>()) {
            return None;
        }
    }
    for moves in 1..N {
        let straight = Position::<B, N>::ahead_of::<S>(runners).minus(theirs);
        let landed = (straight | strikes::<S, B, N>(runners)).minus(own);
        if landed.meets(Position::<B, N>::far_row::<S>()) {
            return Some(moves);
        }
        let struck = strikes::<S::Other, B, N>(theirs);
        runners = landed.minus(struck);
        theirs = theirs | struck | Position::<B, N>::ahead_of::<S::Other>(theirs);
        if runners.is_empty() || theirs.meets(Position::<B, N>::far_row::<S::Other>()) {
            return None;
        }
    }
    None
}

#[inline(always)]
fn strikes<S: Side, B: Bits, const N: usize>(set: B) -> B {
    Position::<B, N>::left_of::<S>(set) | Position::<B, N>::right_of::<S>(set)
}
