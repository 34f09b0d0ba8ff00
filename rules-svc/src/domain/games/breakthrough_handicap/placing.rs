//! Where a house bot of each level puts its pawns, and what analysis recommends.

use super::state::home;
use super::wire::{HandicapMove, PlaceMove};
use crate::domain::pawn_play::wire::{Cell, cell};
use crate::domain::pawns::{Seat, Square};
use crate::domain::seed::Stream;

/// Columns of the inner row in the order in which they are worth holding: pairs that guard each other from the middle.
const INNER_COLUMNS: [u8; 8] = [1, 6, 3, 4, 2, 5, 0, 7];

/// A full edge first, since a pawn there stops whatever comes through, then the inner row.
pub(super) fn recommended(seat: Seat, count: u8) -> HandicapMove {
    let home = home(seat);
    let (edge, inner) = home.split_at(8);
    let inner = INNER_COLUMNS.iter().filter_map(|&col| inner.iter().find(|square| square.col == col));
    placing(edge.iter().chain(inner).copied(), count)
}

/// Squares drawn from the stream, each choice with the same chance.
pub(super) fn drawn(seat: Seat, count: u8, stream: &mut Stream) -> HandicapMove {
    placing(stream.choose(home(seat), usize::from(count)).into_iter(), count)
}

/// The placing of the first `count` of these squares, in canonical order.
fn placing(squares: impl Iterator<Item = Square>, count: u8) -> HandicapMove {
    let mut place: Vec<Cell> = squares.take(usize::from(count)).map(cell).collect();
    place.sort_unstable();
    HandicapMove::Place(PlaceMove { place })
}
