//! The inner nodes: principal variation search with the cuts that pay in this game.

use super::heuristics::MAX_PLY;
use super::node::Node;
use super::proof::{Turn, runs_through};
use super::score::{FORCED, INFINITE, lost_in, won_in};
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
    fn is_null(self) -> bool {
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
    let own = position.own::<S>();
    if own.is_empty() {
        return Sight::Settled(lost_in(ply));
    }
    if own.meets(Position::<B, N>::brink::<S>()) {
        return Sight::Settled(won_in(ply + 1));
    }
    let threats = position.own::<S::Other>() & Position::<B, N>::brink::<S::Other>();
    if !threats.is_empty() {
        let strikes = Position::<B, N>::left_of::<S>(own) | Position::<B, N>::right_of::<S>(own);
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

impl<const N: usize> Worker<'_, N> {
    /// The value of a node to the side that moves, exact within the window.
    pub(super) fn search<S: Side, B: Bits>(
        &mut self,
        node: &Node<B, N>,
        window: Window,
        depth: i32,
        ply: usize,
        may_pass: bool,
    ) -> i32 {
        if self.enter() {
            return 0;
        }
        self.lines[ply].clear();
        let (allowed, depth) = match look::<S, B, N>(&node.position, ply) {
            Sight::Settled(value) => return value,
            Sight::Forced(threat) => (threat, depth.max(0) + 1),
            Sight::Open if depth <= 0 => return self.quiesce_open::<S, B>(node, window, ply),
            Sight::Open => (Position::<B, N>::board(), depth),
        };
        if ply >= MAX_PLY {
            return self.estimate::<S, B>(node);
        }
        let mut first = Step::NONE;
        if let Some(entry) = self.table.get(node.key) {
            let value = entry.value_at(ply);
            if window.is_null() && entry.settles(depth, value, window.alpha, window.beta) {
                return value;
            }
            first = entry.step;
        }
        let forced = allowed != Position::<B, N>::board();
        if !forced
            && window.is_null()
            && let Some(value) = self.cut_early::<S, B>(node, window, depth, ply, may_pass)
        {
            return value;
        }
        self.try_steps::<S, B>(node, allowed, first, window, depth, ply)
    }

    /// Believes an estimate far above the window, or a shallow search in which the opponent moves twice.
    #[inline(always)]
    fn cut_early<S: Side, B: Bits>(
        &mut self,
        node: &Node<B, N>,
        window: Window,
        depth: i32,
        ply: usize,
        may_pass: bool,
    ) -> Option<i32> {
        let beta = window.beta;
        if beta.abs() > FORCED {
            return None;
        }
        let estimate = self.estimate::<S, B>(node);
        if depth <= TRUST_DEPTH && estimate - TRUST_MARGIN * depth >= beta {
            return Some(estimate);
        }
        if may_pass && depth >= PASS_DEPTH && estimate >= beta {
            let reduced = depth - 3 - depth / 4;
            let reply = self.search::<S::Other, B>(&node.passed(), Window::probe(-beta), reduced, ply + 1, false);
            if -reply >= beta && !self.stopped {
                return Some((-reply).min(FORCED));
            }
        }
        None
    }

    /// Tries steps in order of promise until one refutes the line or all are tried.
    pub(super) fn try_steps<S: Side, B: Bits>(
        &mut self,
        node: &Node<B, N>,
        allowed: B,
        first: Step,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> i32 {
        let begin = self.push_steps::<S, B>(node, allowed, first, ply);
        let mut alpha = window.alpha;
        let (mut best, mut best_step) = (-INFINITE, Step::NONE);
        let mut tried = 0;
        while let Some(scored) = self.next_step(begin) {
            if best > -FORCED && is_hopeless(scored, depth, tried, window.is_null()) {
                continue;
            }
            let child = node.after::<S>(scored.step, &self.placement);
            let reduction = reduction(scored, depth, tried, window.is_null());
            let inner = Window { alpha, beta: window.beta };
            let value = self.child_value::<S, B>(&child, inner, depth, ply, tried, reduction);
            if self.stopped {
                break;
            }
            tried += 1;
            if value > best {
                (best, best_step) = (value, scored.step);
            }
            if value > alpha {
                alpha = value;
                self.record_line(ply, scored.step);
            }
            if alpha >= window.beta {
                if scored.is_quiet() {
                    self.heuristics.reward(S::SEAT, ply, N, scored.step, depth);
                }
                break;
            } else if scored.is_quiet() {
                self.heuristics.punish(S::SEAT, N, scored.step, depth.min(8) / 2);
            }
        }
        self.steps.truncate(begin);
        if !self.stopped {
            self.remember(node.key, ply, window, depth, best, best_step);
        }
        best
    }

    /// Searches a child: the first in full, the others only far enough to see that they are no better.
    #[inline(always)]
    fn child_value<S: Side, B: Bits>(
        &mut self,
        child: &Node<B, N>,
        window: Window,
        depth: i32,
        ply: usize,
        tried: usize,
        reduction: i32,
    ) -> i32 {
        if tried == 0 {
            return -self.search::<S::Other, B>(child, window.reversed(), depth - 1, ply + 1, true);
        }
        let probe = Window::probe(window.alpha).reversed();
        let mut value = -self.search::<S::Other, B>(child, probe, depth - 1 - reduction, ply + 1, true);
        if value > window.alpha && reduction > 0 {
            value = -self.search::<S::Other, B>(child, probe, depth - 1, ply + 1, true);
        }
        if value > window.alpha && value < window.beta {
            value = -self.search::<S::Other, B>(child, window.reversed(), depth - 1, ply + 1, true);
        }
        value
    }

    fn remember(&mut self, key: u64, ply: usize, window: Window, depth: i32, value: i32, step: Step) {
        let bound = match value {
            _ if value >= window.beta => Bound::AtLeast,
            _ if value > window.alpha => Bound::Exact,
            _ => Bound::AtMost,
        };
        let step = if bound == Bound::AtMost { Step::NONE } else { step };
        self.table.put(key, ply, &Finding { step, value, depth, bound });
    }
}

/// How many plies less a late quiet step is searched at first.
#[inline(always)]
fn reduction(scored: Scored, depth: i32, tried: usize, null_window: bool) -> i32 {
    if depth < 3 || tried < 3 || !scored.is_quiet() {
        return 0;
    }
    let late = 1 + i32::from(tried >= 8) + i32::from(depth >= 7) + i32::from(tried >= 16 && depth >= 5);
    (late - i32::from(!null_window)).clamp(0, depth - 2)
}

/// Whether a step comes so late at a shallow depth that it is left out.
#[inline(always)]
fn is_hopeless(scored: Scored, depth: i32, tried: usize, null_window: bool) -> bool {
    let late = 4 + 3 * depth * depth;
    null_window && depth <= 3 && scored.is_quiet() && tried as i32 >= late
}
