//! One search under way: its bounds and its memory.

use super::choice::Scored;
use super::evaluate::Evaluator;
use super::heuristics::{Heuristics, MAX_PLY};
use super::node::Node;
use super::score::FORCED;
use super::step::Step;
use super::table::Table;
use crate::domain::pawns::{Bits, Side};

/// The stop condition is asked once in so many nodes.
const NODES_BETWEEN_LOOKS: u64 = 1024;

/// The state of one search on an N×N board.
pub(super) struct Worker<'a, const N: usize> {
    pub(super) evaluator: &'a Evaluator,
    pub(super) table: &'a mut Table,
    pub(super) heuristics: Heuristics,
    /// Steps still to be tried, of all nodes on the current line, one after the other.
    pub(super) steps: Vec<Scored>,
    /// The best line found from each ply.
    pub(super) lines: Vec<Vec<Step>>,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    max_nodes: u64,
    should_stop: &'a dyn Fn() -> bool,
}

impl<'a, const N: usize> Worker<'a, N> {
    pub(super) fn new(
        table: &'a mut Table,
        evaluator: &'a Evaluator,
        max_nodes: u64,
        should_stop: &'a dyn Fn() -> bool,
    ) -> Self {
        Self {
            evaluator,
            table,
            heuristics: Heuristics::new(),
            steps: Vec::with_capacity(1024),
            lines: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            stopped: false,
            max_nodes,
            should_stop,
        }
    }

    /// Counts a node and says whether the search is over.
    #[inline(always)]
    pub(super) fn enter(&mut self) -> bool {
        if self.nodes >= self.max_nodes {
            self.stopped = true;
        } else {
            self.nodes += 1;
            if self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) && (self.should_stop)() {
                self.stopped = true;
            }
        }
        self.stopped
    }

    /// An estimate, kept apart from forced results.
    #[inline(always)]
    pub(super) fn estimate<S: Side, B: Bits>(&self, node: &Node<B, N>) -> i32 {
        self.evaluator.value::<S, B, N>(node).clamp(-FORCED, FORCED)
    }

    /// Makes `step` and the line after it the best line from `ply`.
    pub(super) fn record_line(&mut self, ply: usize, step: Step) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(step);
        line.extend_from_slice(&after[0]);
    }
}
