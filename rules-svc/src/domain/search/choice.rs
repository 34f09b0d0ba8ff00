//! The order in which the steps of a node are tried: what worked here before, then captures, then quiet steps, each
//! listed only when its turn comes, because most nodes end before.

use super::node::Node;
use super::step::Step;
use super::worker::Worker;
use crate::domain::pawns::{Bits, Position, Side};

/// More than any gain in placement and any history.
const KILLER: i32 = 1 << 18;
/// What is said against a quiet step to a square that is struck.
const STRUCK: i32 = 2000;

/// A step and how promising it looks among those of its kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    pub(super) step: Step,
    promise: i32,
}

/// What is tried next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    First,
    ListCaptures,
    Captures,
    Quiet,
}

/// The steps of one node.
pub(super) struct Choice<B> {
    /// Squares that may be stepped to.
    allowed: B,
    /// A step that is tried before the others are even listed.
    first: Step,
    stage: Stage,
    /// Where the node's steps begin among those of the current line.
    begin: usize,
}

impl<const N: usize> Worker<'_, N> {
    /// Begins with the steps whose to-square is among `allowed`, `first` before the others if it is one of them.
    #[inline(always)]
    pub(super) fn choose<S: Side, B: Bits>(&self, node: &Node<B, N>, allowed: B, first: Step) -> Choice<B> {
        let (from, to) = (B::of(first.from() as u32), B::of(first.to() as u32));
        let has_first = first != Step::NONE && to.meets(allowed) && node.position.has_step::<S>(from, to);
        let stage = if has_first { Stage::First } else { Stage::ListCaptures };
        Choice { allowed, first, stage, begin: self.steps.len() }
    }

    /// Takes the next step to try. With `spare_quiet` there are no more when the quiet ones come.
    #[inline(always)]
    pub(super) fn next_step<S: Side, B: Bits>(
        &mut self,
        node: &Node<B, N>,
        choice: &mut Choice<B>,
        ply: usize,
        spare_quiet: bool,
    ) -> Option<Step> {
        if choice.stage == Stage::First {
            choice.stage = Stage::ListCaptures;
            return Some(choice.first);
        }
        if choice.stage == Stage::ListCaptures {
            choice.stage = Stage::Captures;
            self.list_captures::<S, B>(node, choice);
        }
        if choice.stage == Stage::Captures {
            if self.steps.len() > choice.begin {
                return self.most_promising(choice.begin);
            }
            choice.stage = Stage::Quiet;
            if !spare_quiet {
                self.list_quiet::<S, B>(node, choice, ply);
            }
        }
        if spare_quiet { None } else { self.most_promising(choice.begin) }
    }

    /// Forgets the steps that were not tried.
    #[inline(always)]
    pub(super) fn end<B>(&mut self, choice: &Choice<B>) {
        self.steps.truncate(choice.begin);
    }

    #[inline(always)]
    fn list_captures<S: Side, B: Bits>(&mut self, node: &Node<B, N>, choice: &Choice<B>) {
        let theirs = node.position.own::<S::Other>();
        let guarded = struck::<S, B, N>(theirs);
        self.list::<S, B>(node, theirs & choice.allowed, choice.first, |worker, step, to| {
            worker.capture_promise::<S>(step, to.meets(guarded))
        });
    }

    #[inline(always)]
    fn list_quiet<S: Side, B: Bits>(&mut self, node: &Node<B, N>, choice: &Choice<B>, ply: usize) {
        let theirs = node.position.own::<S::Other>();
        let struck = struck::<S, B, N>(theirs);
        self.list::<S, B>(node, choice.allowed.minus(theirs), choice.first, |worker, step, to| {
            worker.quiet_promise::<S>(step, ply, to.meets(struck))
        });
    }

    /// Lists every step to `targets` but the first.
    #[inline(always)]
    fn list<S: Side, B: Bits>(
        &mut self,
        node: &Node<B, N>,
        targets: B,
        first: Step,
        promise: impl Fn(&Self, Step, B) -> i32,
    ) {
        Position::<B, N>::each_step::<S>(node.position.steps::<S>().avoiding(!targets), |from, to| {
            let step = Step::new(from.lowest(), to.lowest());
            if step != first {
                let promise = promise(self, step, to);
                self.steps.push(Scored { step, promise });
            }
        });
    }

    /// Unguarded pawns first, then the farther advanced.
    #[inline(always)]
    fn capture_promise<S: Side>(&self, step: Step, guarded: bool) -> i32 {
        let victim = self.evaluator.placement.signed(S::SEAT.other(), step.to()).abs();
        let pawn = self.evaluator.placement.signed(S::SEAT, step.from()).abs();
        if guarded { victim - pawn } else { victim }
    }

    #[inline(always)]
    fn quiet_promise<S: Side>(&self, step: Step, ply: usize, struck: bool) -> i32 {
        let killer = self.heuristics.killer_rank(ply, step);
        if killer > 0 {
            return KILLER + killer;
        }
        let gain = self.evaluator.placement.signed(S::SEAT, step.to()).abs()
            - self.evaluator.placement.signed(S::SEAT, step.from()).abs();
        self.heuristics.history(S::SEAT, step, N) + gain - if struck { STRUCK } else { 0 }
    }

    /// Takes the most promising step from those that begin here.
    #[inline(always)]
    fn most_promising(&mut self, begin: usize) -> Option<Step> {
        let rest = &self.steps[begin..];
        let best = rest.iter().enumerate().max_by_key(|(_, scored)| scored.promise)?.0;
        Some(self.steps.swap_remove(begin + best).step)
    }
}

/// Squares that the opponent's pawns strike.
#[inline(always)]
fn struck<S: Side, B: Bits, const N: usize>(theirs: B) -> B {
    Position::<B, N>::left_of::<S::Other>(theirs) | Position::<B, N>::right_of::<S::Other>(theirs)
}
