//! What can be said of a position at sight, before anything is searched.

use super::proof::{Turn, runs_through};
use super::score::{lost_in, won_in};
use crate::domain::pawns::{Bits, Position, Side};

/// What can be said of a node without searching it.
pub(super) enum Sight<B> {
    /// The result is certain.
    Settled(i32),
    /// An enemy pawn is one step from the far row: nothing but taking it matters.
    Forced(B),
    /// Anything may happen.
    Open,
}

/// Looks at a node `ply` plies from the root: wins in one, threats that must be met, pawns that run through.
#[inline(always)]
pub(super) fn look<S: Side, B: Bits, const N: usize>(position: &Position<B, N>, ply: usize) -> Sight<B> {
    let (own, theirs) = (position.own::<S>(), position.own::<S::Other>());
    if own.is_empty() {
        return Sight::Settled(lost_in(ply));
    }
    let strikes = Position::<B, N>::left_of::<S>(own) | Position::<B, N>::right_of::<S>(own);
    let takes_the_last = theirs.without_lowest().is_empty() && theirs.meets(strikes);
    if own.meets(Position::<B, N>::brink::<S>()) || takes_the_last {
        return Sight::Settled(won_in(ply + 1));
    }
    let threats = theirs & Position::<B, N>::brink::<S::Other>();
    if !threats.is_empty() {
        let one = threats.without_lowest().is_empty();
        return if one && strikes.meets(threats) { Sight::Forced(threats) } else { Sight::Settled(lost_in(ply + 2)) };
    }
    if let Some(moves) = runs_through::<S, B, N>(position, Turn::Own) {
        return Sight::Settled(won_in(ply + 2 * moves - 1));
    }
    match runs_through::<S::Other, B, N>(position, Turn::Theirs) {
        Some(moves) => Sight::Settled(lost_in(ply + 2 * moves)),
        None => Sight::Open,
    }
}
