//! One search under way: its bounds, its memory and the order in which it tries steps.

use super::evaluate::Evaluator;
use super::heuristics::{Heuristics, MAX_PLY};
use super::node::Node;
use super::score::FORCED;
use super::step::Step;
use super::table::Table;
use crate::domain::pawns::{Bits, Position, Side};

/// The stop condition is asked once in so many nodes.
const NODES_BETWEEN_LOOKS: u64 = 1024;

const FIRST: i32 = 1 << 30;
const CAPTURE: i32 = 1 << 20;
const KILLER: i32 = 1 << 18;

/// A step and how promising it looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    pub(super) step: Step,
    pub(super) promise: i32,
}

impl Scored {
    pub(super) fn is_quiet(self) -> bool {
        self.promise < CAPTURE
    }
}

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

    /// Pushes every step whose to-square is among `allowed`, with its promise, and returns where they begin.
    #[inline(always)]
    pub(super) fn push_steps<S: Side, B: Bits>(
        &mut self,
        node: &Node<B, N>,
        allowed: B,
        first: Step,
        ply: usize,
    ) -> usize {
        let begin = self.steps.len();
        let theirs = node.position.own::<S::Other>();
        let guarded = Position::<B, N>::left_of::<S::Other>(theirs) | Position::<B, N>::right_of::<S::Other>(theirs);
        let own_steps = node.position.steps::<S>().avoiding(!allowed);
        Position::<B, N>::each_step::<S>(own_steps, |from, to| {
            let step = Step::new(from.lowest(), to.lowest());
            let promise = if step == first {
                FIRST
            } else if to.meets(theirs) {
                self.capture_promise::<S>(step, to.meets(guarded))
            } else {
                self.quiet_promise::<S>(step, ply, to.meets(guarded))
            };
            self.steps.push(Scored { step, promise });
        });
        begin
    }

    /// Unguarded pawns first, then the farther advanced.
    #[inline(always)]
    fn capture_promise<S: Side>(&self, step: Step, guarded: bool) -> i32 {
        let victim = self.evaluator.placement.signed(S::SEAT.other(), step.to()).abs();
        let pawn = self.evaluator.placement.signed(S::SEAT, step.from()).abs();
        CAPTURE + 8 * if guarded { victim - pawn } else { victim }
    }

    #[inline(always)]
    fn quiet_promise<S: Side>(&self, step: Step, ply: usize, guarded: bool) -> i32 {
        let killer = self.heuristics.killer_rank(ply, step);
        if killer > 0 {
            return KILLER + killer;
        }
        let gain = self.evaluator.placement.signed(S::SEAT, step.to()).abs()
            - self.evaluator.placement.signed(S::SEAT, step.from()).abs();
        self.heuristics.history(S::SEAT, step, N) + gain - if guarded { 2000 } else { 0 }
    }

    /// Takes the most promising step from those that begin here.
    #[inline(always)]
    pub(super) fn next_step(&mut self, begin: usize) -> Option<Scored> {
        let rest = &mut self.steps[begin..];
        let best = rest.iter().enumerate().max_by_key(|(_, scored)| scored.promise)?.0;
        let last = rest.len() - 1;
        rest.swap(best, last);
        self.steps.pop()
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
