//! What a quiet position is worth: where the pawns stand, how they stand together, and a few counts.
//!
//! How the pawns stand is summed up by the tree as it moves ([`Node::standing`]). Nothing is looked ahead.

use std::sync::{Arc, OnceLock};

use super::node::Node;
use super::patterns::Patterns;
use super::terms::{TERMS, terms_of};
use super::weights::{Placement, Weights};
use crate::domain::pawns::{Bits, Down, PawnBoard, Position, Seat, Side, Size, Task, Up};

/// The evaluation of boards of one size.
#[derive(Clone, Debug)]
pub(super) struct Evaluator {
    pub(super) size: Size,
    pub(super) placement: Placement,
    terms: [i32; TERMS],
    pub(super) patterns: Patterns,
}

impl Evaluator {
    pub(super) fn new(size: Size, weights: &Weights) -> Self {
        let placement = Placement::new(size, weights);
        Self { size, placement, terms: weights.terms, patterns: Patterns::new(usize::from(size.get()), weights) }
    }

    /// The evaluation with the tuned weights, made once for each size.
    pub(super) fn tuned(size: Size) -> Arc<Self> {
        static TUNED: [OnceLock<Arc<Evaluator>>; 7] = [const { OnceLock::new() }; 7];
        let place = &TUNED[usize::from(size.get() - Size::MIN.get())];
        Arc::clone(place.get_or_init(|| Arc::new(Self::new(size, Weights::tuned()))))
    }

    /// The value of a position to the side that moves, in hundredths of a pawn.
    #[inline(always)]
    pub(super) fn value<S: Side, B: Bits, const N: usize>(&self, node: &Node<B, N>) -> i32 {
        let terms = terms_of::<S, B, N>(&node.position);
        let counted: i32 = terms.iter().zip(self.terms).map(|(term, weight)| term * weight).sum();
        match S::SEAT {
            Seat::One => counted + node.standing,
            Seat::Two => counted - node.standing,
        }
    }
}

/// The value of a board to the seat that moves, without looking ahead, in hundredths of a pawn.
#[must_use]
pub fn estimate(board: &PawnBoard, to_move: Seat) -> i32 {
    board.dispatch(Estimate { to_move, evaluator: &Evaluator::tuned(board.size()) })
}

struct Estimate<'a> {
    to_move: Seat,
    evaluator: &'a Evaluator,
}

impl Task for Estimate<'_> {
    type Output = i32;

    fn run<B: Bits, const N: usize>(self, position: Position<B, N>) -> i32 {
        let node = Node::new(position, self.to_move, self.evaluator);
        match self.to_move {
            Seat::One => self.evaluator.value::<Up, B, N>(&node),
            Seat::Two => self.evaluator.value::<Down, B, N>(&node),
        }
    }
}
