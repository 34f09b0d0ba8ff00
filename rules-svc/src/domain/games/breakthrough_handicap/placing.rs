//! Where a house bot of each level puts its pawns, and what analysis recommends.

use super::state::{HandicapState, home};
use super::wire::{HandicapMove, PlaceMove};
use crate::domain::pawn_play::thought;
use crate::domain::pawn_play::wire::{Cell, cell};
use crate::domain::pawns::{Seat, Square};
use crate::domain::seed::Stream;
use crate::domain::thinking::{Analysis, Budget};

/// Columns of the inner row in the order in which they are worth holding: pairs that guard each other from the middle.
const INNER_COLUMNS: [u8; 8] = [1, 6, 3, 4, 2, 5, 0, 7];
/// As it, from the edges.
const FROM_THE_EDGES: [u8; 8] = [0, 7, 1, 6, 2, 5, 3, 4];
/// As it, from the middle.
const FROM_THE_MIDDLE: [u8; 8] = [3, 4, 2, 5, 1, 6, 0, 7];

/// A full edge first, since a pawn there stops whatever comes through, then the inner row.
pub(super) fn recommended(seat: Seat, count: u8) -> HandicapMove {
    placing(edge_first(seat, INNER_COLUMNS).into_iter(), count)
}

/// The best of a few placings, by a search of what follows each of them: there are thousands of placings, and these are
/// the ones whose pawns guard each other. Each gets the same part of the budget's nodes; of equal ones the first is
/// best, which is the one that house bots choose.
pub(super) fn analyse(strong: Seat, count: u8, budget: Budget<'_>) -> Option<Analysis<HandicapMove>> {
    let candidates = candidates(strong, count);
    let share = budget.max_nodes / candidates.len() as u64;
    let mut nodes = 0;
    let mut best: Option<Analysis<HandicapMove>> = None;
    for squares in candidates {
        if best.is_some() && (budget.should_stop)() {
            break;
        }
        let found = follow(strong, count, &squares, Budget { max_nodes: share, ..budget })?;
        nodes += found.nodes;
        if best.as_ref().is_none_or(|best| found.score > best.score) {
            best = Some(found);
        }
    }
    best.map(|best| Analysis { nodes, ..best })
}

/// What comes of one placing, from the view of the side that makes it.
fn follow(strong: Seat, count: u8, squares: &[Square], budget: Budget<'_>) -> Option<Analysis<HandicapMove>> {
    let HandicapState::Playing(pawns) = HandicapState::place(strong, count, squares).ok()? else { return None };
    let best = placing(squares.iter().copied(), count);
    let found = thought::analyse(&pawns, pawns.next(), budget)?.map(|step| HandicapMove::Step(step.into()));
    let score = if pawns.next() == strong { found.score } else { -found.score };
    let pv = std::iter::once(best.clone()).chain(found.pv).collect();
    Some(Analysis { best, score, pv, ..found })
}

fn candidates(seat: Seat, count: u8) -> Vec<Vec<Square>> {
    let orders = [
        edge_first(seat, INNER_COLUMNS),
        edge_first(seat, FROM_THE_EDGES),
        edge_first(seat, FROM_THE_MIDDLE),
        in_pairs(seat),
    ];
    let mut candidates: Vec<Vec<Square>> = Vec::new();
    for mut squares in orders {
        squares.truncate(usize::from(count));
        squares.sort_unstable();
        if !candidates.contains(&squares) {
            candidates.push(squares);
        }
    }
    candidates
}

fn edge_first(seat: Seat, columns: [u8; 8]) -> Vec<Square> {
    let home = home(seat);
    let (edge, inner) = home.split_at(8);
    let inner = columns.iter().filter_map(|&col| inner.iter().find(|square| square.col == col));
    edge.iter().chain(inner).copied().collect()
}

/// Two pawns behind each other, from the outer columns but one to the middle.
fn in_pairs(seat: Seat) -> Vec<Square> {
    let home = home(seat);
    INNER_COLUMNS.iter().flat_map(|&col| home.iter().copied().filter(move |square| square.col == col)).collect()
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

#[cfg(test)]
mod tests {
    use super::{Budget, HandicapMove, HandicapState, Seat, analyse, candidates, recommended};

    #[test]
    fn every_number_of_pawns_can_be_placed_and_the_first_candidate_is_the_recommended_one() {
        for count in 8..=15 {
            for seat in Seat::BOTH {
                let candidates = candidates(seat, count);
                assert!(candidates.iter().all(|squares| HandicapState::place(seat, count, squares).is_ok()));
                assert_eq!(super::placing(candidates[0].iter().copied(), count), recommended(seat, count));
            }
        }
    }

    #[test]
    fn analysis_of_a_placing_says_what_follows_and_how_far_it_looked() {
        for seat in Seat::BOTH {
            let found = analyse(seat, 8, Budget { max_nodes: 4_000, should_stop: &|| false }).unwrap();
            assert!(matches!(found.best, HandicapMove::Place(_)) && found.pv[0] == found.best);
            assert!(found.pv.len() > 1 && found.depth > 0);
            assert!(found.nodes > 0 && found.nodes <= 4_000, "{found:?}");
            assert!(found.score < 0, "eight pawns are worth less than sixteen: {found:?}");
        }
    }
}
