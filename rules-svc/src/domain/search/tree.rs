//! The inner nodes: principal variation search with the cuts that pay in this game.

use super::heuristics::MAX_PLY;
use super::node::Node;
use super::score::{FORCED, INFINITE};
use super::sight::{Sight, look};
use super::step::Step;
use super::table::{Bound, Finding};
use super::worker::Worker;
use crate::domain::pawns::{Bits, Position, Side};

/// Depths up to which an estimate far above the window is believed.
const TRUST_DEPTH: i32 = 4;
/// What a ply may change, in hundredths of a pawn.
const TRUST_MARGIN: i32 = 70;
/// The least depth at which passing is tried.
const PASS_DEPTH: i32 = 3;

/// Depths up to which late quiet steps are left out.
const LATE_DEPTH: i32 = 4;
/// What a quiet step may lift an estimate by, and more for each ply after it.
const LIFT: i32 = 20;
const LIFT_PER_PLY: i32 = 35;
/// Plies of reduction by depth and by steps tried before: they grow with the logarithms of both.
static REDUCTIONS: [[i32; 32]; 32] = reductions();

const fn reductions() -> [[i32; 32]; 32] {
    let mut table = [[0; 32]; 32];
    let mut depth = 1;
    while depth < 32 {
        let mut tried = 1;
        while tried < 32 {
            // At depth 8 the ninth step is searched three plies less.
            table[depth][tried] = (log2_sixteenths(depth) * log2_sixteenths(tried) / 3 + 128) / 256;
            tried += 1;
        }
        depth += 1;
    }
    table
}

/// The logarithm to base two in sixteenths, linear between powers of two.
const fn log2_sixteenths(number: usize) -> i32 {
    let whole = number.ilog2();
    (whole * 16) as i32 + ((number << 4 >> whole) & 15) as i32
}

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
    /// The estimate of the node, if quiet steps that cannot lift it into the window are to be left out.
    pub(super) standing: Option<i32>,
}

impl Query {
    /// What is asked of a child, from the child's view.
    #[inline(always)]
    fn of_child(self, window: Window, depth: i32) -> Self {
        Self { window: window.reversed(), depth, ply: self.ply + 1, may_pass: true, standing: None }
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
    fn search_open<S: Side, B: Bits>(&mut self, node: &Node<B, N>, mut query: Query) -> i32 {
        let known = self.table.get(node.key).is_some_and(|entry| entry.settles(&query));
        if query.window.is_null() && !known {
            let estimate = self.estimate::<S, B>(node);
            query.standing = Some(estimate);
            if let Some(value) = self.cut_early::<S, B>(node, estimate, query) {
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
    fn cut_early<S: Side, B: Bits>(&mut self, node: &Node<B, N>, estimate: i32, query: Query) -> Option<i32> {
        let (beta, depth) = (query.window.beta, query.depth);
        if beta.abs() > FORCED {
            return None;
        }
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
        let mut choice = self.choose::<S, B>(node, allowed, first);
        let mut best = Best { value: -INFINITE, step: Step::NONE };
        let mut tried = 0;
        loop {
            let spare_quiet = best.value > -FORCED && are_quiet_hopeless(&query, tried);
            let Some(step) = self.next_step::<S, B>(node, &mut choice, ply, spare_quiet) else { break };
            let is_quiet = !node.position.own::<S::Other>().meets(B::of(step.to() as u32));
            let child = node.after::<S>(step, self.evaluator);
            let alpha = window.alpha.max(best.value);
            let inner = Query { window: Window { alpha, ..window }, ..query };
            let value = self.child_value::<S, B>(&child, inner, is_quiet, tried);
            if self.stopped {
                break;
            }
            tried += 1;
            if value > alpha {
                self.record_line(ply, step);
            }
            if value > best.value {
                best = Best { value, step };
            }
            let refuted = best.value >= window.beta;
            if is_quiet {
                self.heuristics.learn(S::SEAT, ply, N, step, if refuted { depth } else { -depth });
            }
            if refuted {
                break;
            }
        }
        self.end(&choice);
        if !self.stopped {
            self.remember(node.key, &query, &best);
        }
        best.value
    }

    /// Searches a child: the first in full, the others only far enough to see that they are no better.
    #[inline(always)]
    fn child_value<S: Side, B: Bits>(&mut self, child: &Node<B, N>, query: Query, is_quiet: bool, tried: i32) -> i32 {
        let Query { window, depth, .. } = query;
        if tried == 0 {
            return -self.search::<S::Other, B>(child, query.of_child(window, depth - 1));
        }
        let probe = Window::probe(window.alpha);
        let reduction = if is_quiet { reduction(&query, tried) } else { 0 };
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
fn reduction(query: &Query, tried: i32) -> i32 {
    let depth = query.depth;
    if depth < 3 || tried < 2 {
        return 0;
    }
    let less = REDUCTIONS[depth.min(31) as usize][tried.min(31) as usize] - i32::from(!query.window.is_null());
    less.clamp(0, depth - 2)
}

/// Whether quiet steps at a shallow depth are left out, because they come late or cannot lift the estimate enough.
#[inline(always)]
fn are_quiet_hopeless(query: &Query, tried: i32) -> bool {
    let Query { window, depth, .. } = *query;
    if !window.is_null() || depth > LATE_DEPTH {
        return false;
    }
    let too_low = |standing| standing + LIFT + LIFT_PER_PLY * depth <= window.alpha;
    tried >= 2 + depth * depth || depth <= 3 && query.standing.is_some_and(too_low)
}
