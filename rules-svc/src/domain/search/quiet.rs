//! The leaves: captures are played out until the position is quiet.

use super::heuristics::MAX_PLY;
use super::node::Node;
use super::score::INFINITE;
use super::sight::{Sight, look};
use super::step::Step;
use super::tree::Window;
use super::worker::Worker;
use crate::domain::pawns::{Bits, Side};

impl<const N: usize> Worker<'_, N> {
    /// The value of a leaf of which nothing has been said yet.
    fn quiesce<S: Side, B: Bits>(&mut self, node: &Node<B, N>, window: Window, ply: usize) -> i32 {
        if self.enter() {
            return 0;
        }
        self.lines[ply].clear();
        match look::<S, B, N>(&node.position, ply) {
            Sight::Settled(value) => value,
            Sight::Forced(threat) if ply < MAX_PLY => self.play_captures::<S, B>(node, threat, window, -INFINITE, ply),
            _ => self.quiesce_open::<S, B>(node, window, ply),
        }
    }

    /// The value of a leaf in which nothing is forced: the estimate, or better by a capture.
    pub(super) fn quiesce_open<S: Side, B: Bits>(&mut self, node: &Node<B, N>, window: Window, ply: usize) -> i32 {
        let estimate = self.estimate::<S, B>(node);
        if estimate >= window.beta || ply >= MAX_PLY {
            return estimate;
        }
        let theirs = node.position.own::<S::Other>();
        self.play_captures::<S, B>(node, theirs, window, estimate, ply)
    }

    fn play_captures<S: Side, B: Bits>(
        &mut self,
        node: &Node<B, N>,
        targets: B,
        window: Window,
        at_least: i32,
        ply: usize,
    ) -> i32 {
        let mut choice = self.choose::<S, B>(node, targets, Step::NONE);
        let mut best = at_least;
        while let Some(step) = self.next_step::<S, B>(node, &mut choice, ply, true) {
            let inner = Window { alpha: -window.beta, beta: -window.alpha.max(best) };
            let child = node.after::<S>(step, self.evaluator);
            let value = -self.quiesce::<S::Other, B>(&child, inner, ply + 1);
            if self.stopped {
                break;
            }
            best = best.max(value);
            if best >= window.beta {
                break;
            }
        }
        self.end(&choice);
        best
    }
}
