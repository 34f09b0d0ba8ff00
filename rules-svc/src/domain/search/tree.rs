//! The inner nodes: principal variation search with the cuts that pay in this game.

use super::heuristics::MAX_PLY;
use super::node::Node;
use super::score::{FORCED, INFINITE};
use super::sight::{Sight, look};
use super::step::Step;
use super::table::{Bound, Finding};
use super::worker::{Scored, Worker};
use crate::domain::pawns::{Bits, Position, Side};

/// Depths up to which an estimate far above the window is believed.
const TRUST_DEPTH: i32 = 4;
/// What a ply may change, in hundredths of a pawn.
const TRUST_MARGIN: i32 = 70;
/// The least depth at which passing is tried.
const PASS_DEPTH: i32 = 3;

/// The values between which the answer matters.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    #[inline(always)]
    pub(super) fn is_null(self) -> bool {
        self.beta - self.alpha <= 1
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// The window that only asks whether a value is above `alpha`.
    #[inline(always)]
    fn probe(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }
}

/// What is asked of a node.
#[derive(Clone, Copy)]
pub(super) struct Query {
    pub(super) window: Window,
    /// Plies still to be searched.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
    /// Whether the side that moves may try to pass.
    pub(super) may_pass: bool,
}

impl Query {
    /// What is asked of a child, from the child's view.
    #[inline(always)]
    fn of_child(self, window: Window, depth: i32) -> Self {
        Self { window: window.reversed(), depth, ply: self.ply + 1, may_pass: true }
    }
}

/// The best of the steps tried so far.
struct Best {
    value: i32,
    step: Step,
}

impl<const N: usize> Worker<'_, N> {
    /// The value of a node to the side that moves, exact within the window.
    pub(super) fn search<S: Side, B: Bits>(&mut self, node: &Node<B, N>, mut query: Query) -> i32 {
        if self.enter() {
            return 0;
        }
        self.lines[query.ply].clear();
        match look::<S, B, N>(&node.position, query.ply) {
            Sight::Settled(value) => value,
            Sight::Open if query.depth <= 0 => self.quiesce_open::<S, B>(node, query.window, query.ply),
            Sight::Open => self.search_open::<S, B>(node, query),
            Sight::Forced(threat) => {
                query.depth = query.depth.max(0) + 1;
                self.search_within::<S, B>(node, threat, query)
            }
        }
    }

    /// A node in which anything may happen: first what may spare trying its steps.
    fn search_open<S: Side, B: Bits>(&mut self, node: &Node<B, N>, query: Query) -> i32 {
        if query.window.is_null() {
            let known = self.table.get(node.key).is_some_and(|entry| entry.settles(&query));
            if !known && let Some(value) = self.cut_early::<S, B>(node, query) {
                return value;
            }
        }
        self.search_within::<S, B>(node, Position::<B, N>::board(), query)
    }

    /// A node in which only steps to `allowed` matter.
    fn search_within<S: Side, B: Bits>(&mut self, node: &Node<B, N>, allowed: B, query: Query) -> i32 {
        if query.ply >= MAX_PLY {
            return self.estimate::<S, B>(node);
        }
        match self.table.get(node.key) {
            Some(entry) if query.window.is_null() && entry.settles(&query) => entry.value_at(query.ply),
            entry => {
                let first = entry.map_or(Step::NONE, |entry| entry.step);
                self.try_steps::<S, B>(node, allowed, first, query)
            }
        }
    }

    /// Believes an estimate far above the window, or a shallow search in which the opponent moves twice.
    #[inline(always)]
    fn cut_early<S: Side, B: Bits>(&mut self, node: &Node<B, N>, query: Query) -> Option<i32> {
        let (beta, depth) = (query.window.beta, query.depth);
        if beta.abs() > FORCED {
            return None;
        }
        let estimate = self.estimate::<S, B>(node);
        if depth <= TRUST_DEPTH && estimate - TRUST_MARGIN * depth >= beta {
            return Some(estimate);
        }
        if !query.may_pass || depth < PASS_DEPTH || estimate < beta {
            return None;
        }
        let probe = query.of_child(Window::probe(beta - 1), depth - 3 - depth / 4);
        let value = -self.search::<S::Other, B>(&node.passed(), Query { may_pass: false, ..probe });
        (value >= beta && !self.stopped).then_some(value.min(FORCED))
    }

    /// Tries steps in order of promise until one refutes the line or all are tried.
    pub(super) fn try_steps<S: Side, B: Bits>(
        &mut self,
        node: &Node<B, N>,
        allowed: B,
        first: Step,
        query: Query,
    ) -> i32 {
        let Query { window, depth, ply, .. } = query;
        let begin = self.push_steps::<S, B>(node, allowed, first, ply);
        let mut best = Best { value: -INFINITE, step: Step::NONE };
        let mut tried = 0;
        while let Some(scored) = self.next_step(begin) {
            if best.value > -FORCED && is_hopeless(scored, &query, tried) {
                continue;
            }
            let child = node.after::<S>(scored.step, &self.placement);
            let alpha = window.alpha.max(best.value);
            let inner = Query { window: Window { alpha, ..window }, ..query };
            let value = self.child_value::<S, B>(&child, inner, scored, tried);
            if self.stopped {
                break;
            }
            tried += 1;
            if value > alpha {
                self.record_line(ply, scored.step);
            }
            if value > best.value {
                best = Best { value, step: scored.step };
            }
            let refuted = best.value >= window.beta;
            if scored.is_quiet() {
                self.heuristics.learn(S::SEAT, ply, N, scored.step, if refuted { depth } else { -depth });
            }
            if refuted {
                break;
            }
        }
        self.steps.truncate(begin);
        if !self.stopped {
            self.remember(node.key, &query, &best);
        }
        best.value
    }

    /// Searches a child: the first in full, the others only far enough to see that they are no better.
    #[inline(always)]
    fn child_value<S: Side, B: Bits>(&mut self, child: &Node<B, N>, query: Query, scored: Scored, tried: i32) -> i32 {
        let Query { window, depth, .. } = query;
        if tried == 0 {
            return -self.search::<S::Other, B>(child, query.of_child(window, depth - 1));
        }
        let probe = Window::probe(window.alpha);
        let reduction = reduction(scored, &query, tried);
        let mut value = -self.search::<S::Other, B>(child, query.of_child(probe, depth - 1 - reduction));
        if value > window.alpha && reduction > 0 {
            value = -self.search::<S::Other, B>(child, query.of_child(probe, depth - 1));
        }
        if value > window.alpha && value < window.beta {
            value = -self.search::<S::Other, B>(child, query.of_child(window, depth - 1));
        }
        value
    }

    fn remember(&mut self, key: u64, query: &Query, best: &Best) {
        let bound = match best.value {
            value if value >= query.window.beta => Bound::AtLeast,
            value if value > query.window.alpha => Bound::Exact,
            _ => Bound::AtMost,
        };
        let step = if bound == Bound::AtMost { Step::NONE } else { best.step };
        self.table.put(key, query.ply, &Finding { step, value: best.value, depth: query.depth, bound });
    }
}

/// How many plies less a late quiet step is searched at first.
#[inline(always)]
fn reduction(scored: Scored, query: &Query, tried: i32) -> i32 {
    let depth = query.depth;
    if depth < 3 || tried < 3 || !scored.is_quiet() {
        return 0;
    }
    let late = 1 + i32::from(tried >= 8) + i32::from(depth >= 7) + i32::from(tried >= 16 && depth >= 5);
    (late - i32::from(!query.window.is_null())).clamp(0, depth - 2)
}

/// Whether a step comes so late at a shallow depth that it is left out.
#[inline(always)]
fn is_hopeless(scored: Scored, query: &Query, tried: i32) -> bool {
    let late = 4 + 3 * query.depth * query.depth;
    query.window.is_null() && query.depth <= 3 && scored.is_quiet() && tried >= late
}
