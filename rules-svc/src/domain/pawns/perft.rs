//! Counting move sequences: the check that moves are right, and the measure of how fast they are made.
//!
//! A sequence counts when it has exactly the depth asked for; a game that ends earlier contributes nothing.

use std::hint::black_box;

use super::bits::Bits;
use super::board::{PawnBoard, Task};
use super::position::{Position, Steps};
use super::side::{Down, Side, Up};
use super::types::Seat;

/// What happens to the last move of each sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// The last two plies are counted in bulk, without being made.
    Counted,
    /// Every last move is made and the position after it computed.
    Made,
}

/// How many sequences of exactly `depth` moves start here with `seat` to move.
#[must_use]
pub fn perft(board: &PawnBoard, seat: Seat, depth: u32, leaves: Leaves) -> u64 {
    if depth == 0 {
        return 1;
    }
    if board.finished(seat).is_some() {
        return 0;
    }
    board.dispatch(Perft { seat, depth, leaves })
}

struct Perft {
    seat: Seat,
    depth: u32,
    leaves: Leaves,
}

impl Task for Perft {
    type Output = u64;

    fn run<B: Bits, const N: usize>(self, position: Position<B, N>) -> u64 {
        match (self.seat, self.leaves) {
            (Seat::One, Leaves::Counted) => counted::<Up, B, N>(position, self.depth),
            (Seat::Two, Leaves::Counted) => counted::<Down, B, N>(position, self.depth),
            (Seat::One, Leaves::Made) => made::<Up, B, N>(position, self.depth),
            (Seat::Two, Leaves::Made) => made::<Down, B, N>(position, self.depth),
        }
    }
}

/// Sequences from a position in which the game goes on; `depth` is at least 1.
fn counted<S: Side, B: Bits, const N: usize>(position: Position<B, N>, depth: u32) -> u64 {
    match depth {
        1 => u64::from(position.steps::<S>().count()),
        2 => replies::<S, B, N>(position),
        _ => going_on::<S, B, N>(position, |child| counted::<S::Other, B, N>(child, depth - 1)),
    }
}

/// As [`counted`], with the leaves made one by one.
fn made<S: Side, B: Bits, const N: usize>(position: Position<B, N>, depth: u32) -> u64 {
    match depth {
        1 => make_leaves::<S, B, N>(position),
        _ => going_on::<S, B, N>(position, |child| made::<S::Other, B, N>(child, depth - 1)),
    }
}

/// Sums over the positions after each move that does not end the game.
#[inline(always)]
fn going_on<S: Side, B: Bits, const N: usize>(position: Position<B, N>, count: impl Fn(Position<B, N>) -> u64) -> u64 {
    let mut total = 0;
    let steps = position.steps::<S>().avoiding(Position::<B, N>::far_row::<S>());
    Position::<B, N>::each_step::<S>(steps, |from, to| {
        let child = position.moved::<S>(from, to);
        if !child.own::<S::Other>().is_empty() {
            total += count(child);
        }
    });
    total
}

fn make_leaves<S: Side, B: Bits, const N: usize>(position: Position<B, N>) -> u64 {
    let (mut total, mut digest) = (0, 0_u64);
    Position::<B, N>::each_step::<S>(position.steps::<S>(), |from, to| {
        let child = position.moved::<S>(from, to);
        digest = digest.wrapping_add(child.own::<S>().digest()).wrapping_add(child.own::<S::Other>().digest());
        total += 1;
    });
    black_box(digest);
    total
}

/// Sequences of two moves, counted without making the first.
///
/// The opponent has so many replies before the move; a move changes that number only around its two squares.
/// Each change is a set of to-squares, so that all moves in one direction are settled by a few population counts.
fn replies<S: Side, B: Bits, const N: usize>(position: Position<B, N>) -> u64 {
    let steps = position.steps::<S>().avoiding(Position::<B, N>::far_row::<S>());
    let around = Around::new::<S, N>(position);
    let captures_win = position.own::<S::Other>().count() == 1;
    let kept = if captures_win { steps.avoiding(around.theirs) } else { steps };
    let unchanged = i64::from(kept.count()) * i64::from(around.replies.count());
    let from_left = S::Other::ahead_right(kept.left, Position::<B, N>::WIDTH);
    let from_right = S::Other::ahead_left(kept.right, Position::<B, N>::WIDTH);
    let changed = around.aside(kept.left, from_left) + around.aside(kept.right, from_right)
        - i64::from((kept.straight & around.faced).count());
    // Every move leaves the opponent some number of replies that is not negative, and so is their sum.
    (unchanged + changed).unsigned_abs()
}

/// What decides how a move changes the number of replies to it.
struct Around<B> {
    theirs: B,
    /// Squares straight ahead of their pawns.
    faced: B,
    /// Squares their pawns guard from the one side and from the other.
    guarded: [B; 2],
    /// Their steps in the position before the move, and the pawns that make each kind of step.
    replies: Steps<B>,
    movers: Steps<B>,
}

impl<B: Bits> Around<B> {
    #[inline(always)]
    fn new<S: Side, const N: usize>(position: Position<B, N>) -> Self {
        let theirs = position.own::<S::Other>();
        let replies = position.steps::<S::Other>();
        Self {
            theirs,
            faced: Position::<B, N>::ahead_of::<S::Other>(theirs),
            guarded: [Position::<B, N>::left_of::<S::Other>(theirs), Position::<B, N>::right_of::<S::Other>(theirs)],
            replies,
            movers: Steps {
                left: S::ahead_right(replies.left, Position::<B, N>::WIDTH),
                straight: S::ahead(replies.straight, Position::<B, N>::WIDTH),
                right: S::ahead_left(replies.right, Position::<B, N>::WIDTH),
            },
        }
    }

    /// The change that all diagonal steps in one direction make, summed.
    #[inline(always)]
    fn aside(&self, to: B, from: B) -> i64 {
        let captures = to & self.theirs;
        let freed = i64::from((from & self.faced).count());
        let blocked = i64::from((to.minus(captures) & self.faced).count());
        let taken = if captures.is_empty() { 0 } else { self.taken(captures) };
        freed - blocked + taken
    }

    /// Replies won by being able to capture back, less those of the pawns that are gone.
    #[inline(always)]
    fn taken(&self, captures: B) -> i64 {
        let among = |set: B| i64::from((captures & set).count());
        let back: i64 = self.guarded.into_iter().map(among).sum();
        let gone = [self.movers.left, self.movers.straight, self.movers.right];
        back - gone.into_iter().map(among).sum::<i64>()
    }
}
