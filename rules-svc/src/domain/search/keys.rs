//! Random numbers that tell positions apart in the transposition table, made at compile time.

use crate::domain::pawns::Seat;

const SQUARES: usize = 144;

static KEYS: [[u64; SQUARES]; 2] = keys();

/// Mixed into the key when seat two is to move.
pub(super) const SEAT_TWO_TO_MOVE: u64 = 0x9d39_247e_3377_6d41;

/// The number of a seat's pawn on a square.
#[inline(always)]
pub(super) fn key_of(seat: Seat, square: usize) -> u64 {
    KEYS[seat.index()][square]
}

/// The generator is `SplitMix64` (Steele, Lea and Flood, 2014).
const fn keys() -> [[u64; SQUARES]; 2] {
    let mut keys = [[0; SQUARES]; 2];
    let mut state = 0_u64;
    let mut at = 0;
    while at < 2 * SQUARES {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[at / SQUARES][at % SQUARES] = mixed ^ mixed >> 31;
        at += 1;
    }
    keys
}
