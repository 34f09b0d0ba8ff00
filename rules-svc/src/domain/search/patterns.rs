//! Local patterns: every window of two rows and three columns has a worth of its own.
//!
//! The squares of two windows side by side are the digits of a number in base three (empty, seat one, seat two), so
//! that the worth of both is one look-up. Windows alike by mirroring, or by changing seats and ends, share their worth.

use super::weights::Weights;
use crate::domain::pawns::{Bits, Position};

/// Columns of a window; it has two rows.
const COLS: usize = 3;
/// Ways to fill one row of a window.
const ROW_CODES: usize = 27;
/// Ways to fill a window.
const CODES: usize = ROW_CODES * ROW_CODES;
/// Classes of windows by the rows they lie on; class `r` and class `6 - r` are the same from the other end.
const ROW_CLASSES: usize = 7;
const MIDDLE: usize = ROW_CLASSES / 2;
/// Classes of windows by their distance from the nearer side edge.
const COL_CLASSES: usize = 3;

/// How many different windows there are.
pub const PATTERNS: usize = (MIDDLE + 1) * COL_CLASSES * CODES;

/// Ways to fill one row of two windows.
const PAIR_ROW_CODES: usize = 3 * ROW_CODES;
/// Ways to fill two windows.
const PAIR_CODES: usize = PAIR_ROW_CODES * PAIR_ROW_CODES;

/// Four binary digits read in base three.
const TERNARY: [u16; 16] = [0, 1, 3, 4, 9, 10, 12, 13, 27, 28, 30, 31, 36, 37, 39, 40];

/// The worth of each way to fill each two windows of one board, from seat one's view: band by band (a band is two
/// neighbouring rows), in a band from column 0. Of an odd number of windows the last stands alone.
#[derive(Clone, Debug)]
pub(super) struct Patterns(Vec<[i16; PAIR_CODES]>);

impl Patterns {
    pub(super) fn new(n: usize, weights: &Weights) -> Self {
        let band = |row| {
            let windows: Vec<_> = (0..=n - COLS).map(|col| window_worths(n, (row, col), weights)).collect();
            windows.chunks(2).map(pair_worths).collect::<Vec<_>>()
        };
        Self((0..n - 1).flat_map(band).collect())
    }

    /// The sum over the windows on a row and the next.
    #[inline(always)]
    pub(super) fn band<B: Bits, const N: usize>(&self, position: &Position<B, N>, row: usize) -> i32 {
        let pairs = (N - COLS) / 2 + 1;
        let [below, above] =
            [row, row + 1].map(|row| position.pawns().map(|set| set.slice((row * N) as u32, N as u32)));
        let tables = self.0[row * pairs..].iter().take(pairs);
        let worth = |(at, table): (usize, &[i16; PAIR_CODES])| {
            let code = usize::from(row_code(below, 2 * at)) * PAIR_ROW_CODES + usize::from(row_code(above, 2 * at));
            i32::from(table[code])
        };
        tables.enumerate().map(worth).sum()
    }
}

/// The digits of a row from column `col` on, where both seats' pawns of the row are given.
#[inline(always)]
fn row_code([one, two]: [u32; 2], col: usize) -> u16 {
    let digits = |set: u32| TERNARY[(set >> col & 15) as usize];
    digits(one) + 2 * digits(two)
}

/// Where the weight of one window of a position is kept, and whether it counts for seat one or against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternUse {
    /// The place among the weights, below [`PATTERNS`].
    pub place: usize,
    /// 1 or −1.
    pub sign: i32,
}

/// The patterns of a position, from seat one's view.
#[must_use]
pub fn patterns_of<B: Bits, const N: usize>(position: &Position<B, N>) -> Vec<PatternUse> {
    let rows: Vec<_> = (0..N).map(|row| position.pawns().map(|set| set.slice((row * N) as u32, N as u32))).collect();
    let windows = (0..N - 1).flat_map(|row| (0..=N - COLS).map(move |col| (row, col)));
    let row_code = |row: usize, col: usize| usize::from(row_code(rows[row], col)) % ROW_CODES;
    let code = |(row, col): (usize, usize)| row_code(row, col) * ROW_CODES + row_code(row + 1, col);
    windows.map(|window| uses(N, window, code(window))[0]).collect()
}

/// The worth of each way to fill two windows side by side, or one that stands alone.
fn pair_worths(windows: &[Vec<i16>]) -> [i16; PAIR_CODES] {
    std::array::from_fn(|code| {
        let [below, above] = [code / PAIR_ROW_CODES, code % PAIR_ROW_CODES];
        let shifted = [[below % ROW_CODES, above % ROW_CODES], [below / 3, above / 3]];
        let worths = windows.iter().zip(shifted).map(|(worths, [below, above])| worths[below * ROW_CODES + above]);
        worths.fold(0, i16::saturating_add)
    })
}

/// The worth of each way to fill one window.
fn window_worths(n: usize, window: (usize, usize), weights: &Weights) -> Vec<i16> {
    (0..CODES).map(|code| worth(n, window, code, weights)).collect()
}

/// The worth of a window. One in the very middle counts half as it is and half mirrored.
fn worth(n: usize, window: (usize, usize), code: usize, weights: &Weights) -> i16 {
    let [as_is, mirrored] = uses(n, window, code).map(|at| at.sign * weights.patterns[at.place]);
    // Each is a sixteen-bit number, and so is their mean.
    ((as_is + mirrored) / 2) as i16
}

/// Where the weights of a window are: twice the same but for a window in the very middle.
fn uses(n: usize, (row, col): (usize, usize), code: usize) -> [PatternUse; 2] {
    let class = (row_class(n, row), col.min(n - COLS - col).min(COL_CLASSES - 1));
    match (2 * col).cmp(&(n - COLS)) {
        std::cmp::Ordering::Less => [kept(class, code); 2],
        std::cmp::Ordering::Equal => [kept(class, code), kept(class, mirrored(code))],
        std::cmp::Ordering::Greater => [kept(class, mirrored(code)); 2],
    }
}

/// An 8×8 board has one pair of rows in each class; larger boards have more in the middle, smaller ones fewer.
fn row_class(n: usize, row: usize) -> usize {
    let from_end = n - 2 - row;
    match row.cmp(&from_end) {
        std::cmp::Ordering::Less => row.min(MIDDLE),
        std::cmp::Ordering::Equal => MIDDLE,
        std::cmp::Ordering::Greater => ROW_CLASSES - 1 - from_end.min(MIDDLE),
    }
}

/// Of a window and the same from the other end only one has a weight; it counts against the other.
fn kept((row_class, col_class): (usize, usize), code: usize) -> PatternUse {
    let reversed = reversed(code);
    let place = |row_class, code| (row_class * COL_CLASSES + col_class) * CODES + code;
    if row_class < MIDDLE || row_class == MIDDLE && code < reversed {
        PatternUse { place: place(row_class, code), sign: 1 }
    } else {
        let sign = if row_class == MIDDLE && code == reversed { 0 } else { -1 };
        PatternUse { place: place(ROW_CLASSES - 1 - row_class, reversed), sign }
    }
}

/// The code of the same window with its columns the other way round.
fn mirrored(code: usize) -> usize {
    row_mirrored(code / ROW_CODES) * ROW_CODES + row_mirrored(code % ROW_CODES)
}

fn row_mirrored(row: usize) -> usize {
    row % 3 * 9 + row / 3 % 3 * 3 + row / 9
}

/// The code of the same window with its rows the other way round and the seats exchanged.
fn reversed(code: usize) -> usize {
    row_exchanged(code % ROW_CODES) * ROW_CODES + row_exchanged(code / ROW_CODES)
}

fn row_exchanged(row: usize) -> usize {
    let digit = |power: usize| [0, 2, 1][row / power % 3] * power;
    digit(1) + digit(3) + digit(9)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{CODES, mirrored, reversed, uses};

    proptest! {
        #[test]
        fn a_window_seen_from_the_other_end_counts_the_other_way(n in 6usize..=12, row in 0usize..11, col in 0usize..10, code in 0..CODES) {
            let (row, col) = (row % (n - 1), col % (n - 2));
            let turned = mirrored(reversed(code));
            let [a, b] = uses(n, (row, col), code);
            let [c, d] = uses(n, (n - 2 - row, n - 3 - col), turned);
            let (here, mut there) = ([(a.place, a.sign), (b.place, b.sign)], [(c.place, -c.sign), (d.place, -d.sign)]);
            if here != there {
                there.reverse();
            }
            prop_assert!(here == there || a.sign == 0);
        }
    }

    #[test]
    fn turning_twice_changes_nothing() {
        assert!((0..CODES).all(|code| reversed(reversed(code)) == code && mirrored(mirrored(code)) == code));
    }
}
