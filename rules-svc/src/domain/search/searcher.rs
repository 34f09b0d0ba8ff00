//! Searching from a root: deeper and deeper until a bound is met.

use std::sync::Arc;

use super::evaluate::Evaluator;
use super::heuristics::MAX_PLY;
use super::node::Node;
use super::score::{FORCED, INFINITE, Score, won_in};
use super::step::Step;
use super::table::{Table, TableSize};
use super::tree::{Query, Window};
use super::weights::Weights;
use super::worker::Worker;
use crate::domain::pawns::{Bits, Down, PawnBoard, PawnMove, Position, Seat, Side, Size, Task, Up};

/// Half the width of the first window around the last value, in hundredths of a pawn.
const ASPIRATION: i32 = 30;

/// Where a search ends at the latest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Nodes visited.
    pub max_nodes: u64,
    /// Plies of the last iteration.
    pub max_depth: u32,
}

impl Limits {
    /// No bound but the stop condition.
    pub const NONE: Self = Self { max_nodes: u64::MAX, max_depth: MAX_PLY as u32 - 1 };

    /// A bound on nodes alone.
    #[must_use]
    pub const fn nodes(max_nodes: u64) -> Self {
        Self { max_nodes, ..Self::NONE }
    }
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The best step.
    pub best: PawnMove,
    /// Its value to the side that moves.
    pub score: Score,
    /// The line that both sides are expected to play, beginning with `best`.
    pub pv: Vec<PawnMove>,
    /// Iterations completed, in plies.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
}

/// A searcher and what it remembers from one search to the next.
#[derive(Clone, Debug)]
pub struct Searcher {
    table: Table,
    /// Weights of the searcher's own, if not the tuned ones.
    weights: Option<Weights>,
    evaluator: Arc<Evaluator>,
}

impl Searcher {
    /// A searcher with an empty table and the tuned weights.
    #[must_use]
    pub fn new(size: TableSize) -> Self {
        Self { table: Table::new(size), weights: None, evaluator: Evaluator::tuned(Size::CLASSIC) }
    }

    /// A searcher with weights of one's own.
    #[must_use]
    pub fn with_weights(size: TableSize, weights: Weights) -> Self {
        let evaluator = Arc::new(Evaluator::new(Size::CLASSIC, &weights));
        Self { table: Table::new(size), weights: Some(weights), evaluator }
    }

    /// Searches for the best step of `seat`. `should_stop` is asked about once in a thousand nodes.
    /// `None` when the game is over.
    pub fn search(
        &mut self,
        board: &PawnBoard,
        seat: Seat,
        limits: Limits,
        should_stop: &dyn Fn() -> bool,
    ) -> Option<Report> {
        if board.finished(seat).is_some() {
            return None;
        }
        self.table.grow_older();
        self.prepare(board.size());
        Some(board.dispatch(Root { searcher: self, seat, limits, should_stop }))
    }

    /// Sees to an evaluation of boards of this size.
    fn prepare(&mut self, size: Size) {
        if self.evaluator.size != size {
            self.evaluator = match &self.weights {
                None => Evaluator::tuned(size),
                Some(weights) => Arc::new(Evaluator::new(size, weights)),
            };
        }
    }
}

struct Root<'a> {
    searcher: &'a mut Searcher,
    seat: Seat,
    limits: Limits,
    should_stop: &'a dyn Fn() -> bool,
}

impl Task for Root<'_> {
    type Output = Report;

    fn run<B: Bits, const N: usize>(self, position: Position<B, N>) -> Report {
        let Searcher { table, evaluator, .. } = self.searcher;
        let node = Node::new(position, self.seat, evaluator);
        let mut worker = Worker::<N>::new(table, evaluator, self.limits.max_nodes, self.should_stop);
        match self.seat {
            Seat::One => worker.deepen::<Up, B>(&node, self.limits.max_depth),
            Seat::Two => worker.deepen::<Down, B>(&node, self.limits.max_depth),
        }
    }
}

impl<const N: usize> Worker<'_, N> {
    /// One iteration after the other; `node` has a legal step.
    fn deepen<S: Side, B: Bits>(&mut self, node: &Node<B, N>, max_depth: u32) -> Report {
        if let Some(report) = self.win_in_one::<S, B>(node) {
            return report;
        }
        let mut found = self.first_guess::<S, B>(node);
        for depth in 1..=max_depth.clamp(1, MAX_PLY as u32 - 1) {
            let value = self.iterate::<S, B>(node, depth as i32, found.score.0);
            if let Some(&step) = self.lines[0].first() {
                found.best = step.to_move(N);
                found.pv = self.lines[0].iter().map(|step| step.to_move(N)).collect();
            }
            if self.stopped {
                break;
            }
            (found.score, found.depth) = (Score(value), depth);
            let decided = value.abs() > FORCED && Score(value).plies_to_end() <= Some(depth);
            if decided || self.nothing_to_choose::<S, B>(node) {
                break;
            }
        }
        found.nodes = self.nodes;
        found
    }

    /// A step onto the far row. (A capture of the last pawn is for the tree to find.)
    fn win_in_one<S: Side, B: Bits>(&self, node: &Node<B, N>) -> Option<Report> {
        let outside = !Position::<B, N>::far_row::<S>();
        let mut best = None;
        Position::<B, N>::each_step::<S>(node.position.steps::<S>().avoiding(outside), |from, to| {
            best = best.or(Some(Step::new(from.lowest(), to.lowest()).to_move(N)));
        });
        best.map(|best| Report { best, score: Score(won_in(1)), pv: vec![best], depth: 1, nodes: 1 })
    }

    /// The step that looks best without searching.
    fn first_guess<S: Side, B: Bits>(&mut self, node: &Node<B, N>) -> Report {
        let mut choice = self.choose::<S, B>(node, Position::<B, N>::board(), Step::NONE);
        let best = self.next_step::<S, B>(node, &mut choice, 0, false).unwrap_or(Step::NONE).to_move(N);
        self.end(&choice);
        Report { best, score: Score(self.estimate::<S, B>(node)), pv: vec![best], depth: 0, nodes: 0 }
    }

    /// Searches to one depth, in a narrow window first.
    fn iterate<S: Side, B: Bits>(&mut self, node: &Node<B, N>, depth: i32, last: i32) -> i32 {
        let mut margin = if depth < 4 { INFINITE } else { ASPIRATION };
        loop {
            let window = Window { alpha: (last - margin).max(-INFINITE), beta: (last + margin).min(INFINITE) };
            let first = self.lines[0].first().copied().or_else(|| Some(self.table.get(node.key)?.step));
            let board = Position::<B, N>::board();
            let query = Query { window, depth, ply: 0, may_pass: false, standing: None };
            let value = self.try_steps::<S, B>(node, board, first.unwrap_or(Step::NONE), query);
            let inside = value > window.alpha && value < window.beta;
            if inside || self.stopped || margin >= INFINITE {
                return value;
            }
            margin = if margin > 200 { INFINITE } else { margin * 4 };
        }
    }

    fn nothing_to_choose<S: Side, B: Bits>(&self, node: &Node<B, N>) -> bool {
        node.position.steps::<S>().count() == 1
    }
}
