//! The two directions of play as types, so that the hot paths are compiled once for each.

use super::bits::Bits;
use super::types::Seat;

/// A direction of play, fixed at compile time. `n` is the board's number of columns throughout.
pub trait Side: Copy + 'static {
    /// The opponent.
    type Other: Side<Other = Self>;
    /// The seat that moves this way.
    const SEAT: Seat;

    /// The squares one row ahead.
    fn ahead<B: Bits>(set: B, n: u32) -> B;

    /// The squares one row ahead and one column lower. Squares in column 0 must not be in the set.
    fn ahead_left<B: Bits>(set: B, n: u32) -> B;

    /// The squares one row ahead and one column higher. Squares in the last column must not be in the set.
    fn ahead_right<B: Bits>(set: B, n: u32) -> B;
}

/// Seat one's direction, to higher rows.
#[derive(Clone, Copy, Debug)]
pub struct Up;

/// Seat two's direction, to lower rows.
#[derive(Clone, Copy, Debug)]
pub struct Down;

impl Side for Up {
    type Other = Down;
    const SEAT: Seat = Seat::One;

    #[inline(always)]
    fn ahead<B: Bits>(set: B, n: u32) -> B {
        set.up(n)
    }

    #[inline(always)]
    fn ahead_left<B: Bits>(set: B, n: u32) -> B {
        set.up(n - 1)
    }

    #[inline(always)]
    fn ahead_right<B: Bits>(set: B, n: u32) -> B {
        set.up(n + 1)
    }
}

impl Side for Down {
    type Other = Up;
    const SEAT: Seat = Seat::Two;

    #[inline(always)]
    fn ahead<B: Bits>(set: B, n: u32) -> B {
        set.down(n)
    }

    #[inline(always)]
    fn ahead_left<B: Bits>(set: B, n: u32) -> B {
        set.down(n + 1)
    }

    #[inline(always)]
    fn ahead_right<B: Bits>(set: B, n: u32) -> B {
        set.down(n - 1)
    }
}
