//! Sets of squares as machine words: one, two or three of them, chosen at compile time.
//!
//! Bit `row * N + col` is the square. Nothing here knows how wide a board is or what stands on it.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A set of up to 192 squares.
pub trait Bits:
    Copy
    + Eq
    + Send
    + Sync
    + std::fmt::Debug
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + 'static
{
    /// The empty set.
    const EMPTY: Self;

    /// The set held in these words, lowest squares first. Words beyond the capacity are dropped.
    fn from_words(words: [u64; 3]) -> Self;

    /// The words of the set, lowest squares first.
    fn to_words(self) -> [u64; 3];

    /// The set of one square. `index` is below the capacity.
    fn of(index: u32) -> Self;

    /// Every square moved up by `by` places, which is below 64.
    fn up(self, by: u32) -> Self;

    /// Every square moved down by `by` places, which is below 64.
    fn down(self, by: u32) -> Self;

    /// How many squares are in the set.
    fn count(self) -> u32;

    /// The lowest square of a set that is not empty.
    fn lowest(self) -> u32;

    /// The set without its lowest square.
    fn without_lowest(self) -> Self;

    /// Whether no square is in the set.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether some square is in both sets.
    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// The squares of this set that are not in the other.
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self & !other
    }

    /// The `count` squares from `from` upward as the lowest bits of a number; `count` is at most 32.
    fn slice(self, from: u32, count: u32) -> u32;

    /// Calls `visit` with each square as a set of one, lowest first: the fastest way through a set.
    fn each(self, visit: impl FnMut(Self));

    /// Some number that depends on every square, for checks that a set has really been computed.
    fn digest(self) -> u64;

    /// The squares in ascending order.
    #[inline(always)]
    fn squares(self) -> Squares<Self> {
        Squares(self)
    }
}

/// Iterator over the squares of a set, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Squares<B>(B);

impl<B: Bits> Iterator for Squares<B> {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.0.is_empty() {
            return None;
        }
        let index = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(index)
    }
}

macro_rules! integer_bits {
    ($integer:ty, $from:expr, $to:expr) => {
        impl Bits for $integer {
            const EMPTY: Self = 0;

            #[inline(always)]
            fn from_words(words: [u64; 3]) -> Self {
                $from(words)
            }

            #[inline(always)]
            fn to_words(self) -> [u64; 3] {
                $to(self)
            }

            #[inline(always)]
            fn of(index: u32) -> Self {
                1 << index
            }

            #[inline(always)]
            fn up(self, by: u32) -> Self {
                self << by
            }

            #[inline(always)]
            fn down(self, by: u32) -> Self {
                self >> by
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn slice(self, from: u32, count: u32) -> u32 {
                (self >> from) as u32 & ((1 << count) - 1)
            }

            #[inline(always)]
            fn each(self, mut visit: impl FnMut(Self)) {
                let mut rest = self;
                while rest != 0 {
                    visit(rest & rest.wrapping_neg());
                    rest &= rest.wrapping_sub(1);
                }
            }

            #[inline(always)]
            fn digest(self) -> u64 {
                let [low, high, _] = self.to_words();
                low ^ high.rotate_left(17)
            }
        }
    };
}

integer_bits!(u64, |words: [u64; 3]| words[0], |bits: u64| [bits, 0, 0]);
integer_bits!(u128, |words: [u64; 3]| u128::from(words[0]) | u128::from(words[1]) << 64, |bits: u128| [
    bits as u64,
    (bits >> 64) as u64,
    0
]);

/// 192 squares in three words, lowest squares first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wide([u64; 3]);

impl Wide {
    #[inline(always)]
    fn zip(self, other: Self, op: impl Fn(u64, u64) -> u64) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([op(a, x), op(b, y), op(c, z)])
    }
}

impl BitAnd for Wide {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Wide {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl BitXor for Wide {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl Not for Wide {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        let [a, b, c] = self.0;
        Self([!a, !b, !c])
    }
}

impl Bits for Wide {
    const EMPTY: Self = Self([0; 3]);

    #[inline(always)]
    fn from_words(words: [u64; 3]) -> Self {
        Self(words)
    }

    #[inline(always)]
    fn to_words(self) -> [u64; 3] {
        self.0
    }

    #[inline(always)]
    fn of(index: u32) -> Self {
        let mut words = [0; 3];
        words[(index / 64) as usize] = 1 << (index % 64);
        Self(words)
    }

    #[inline(always)]
    fn up(self, by: u32) -> Self {
        let [a, b, c] = self.0;
        let carry = |low: u64| low >> 1 >> (63 - by);
        Self([a << by, b << by | carry(a), c << by | carry(b)])
    }

    #[inline(always)]
    fn down(self, by: u32) -> Self {
        let [a, b, c] = self.0;
        let carry = |high: u64| high << 1 << (63 - by);
        Self([a >> by | carry(b), b >> by | carry(c), c >> by])
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline(always)]
    fn lowest(self) -> u32 {
        match self.0 {
            [0, 0, high] => 128 + high.trailing_zeros(),
            [0, middle, _] => 64 + middle.trailing_zeros(),
            [low, _, _] => low.trailing_zeros(),
        }
    }

    #[inline(always)]
    fn without_lowest(self) -> Self {
        match self.0 {
            [0, 0, high] => Self([0, 0, high & high.wrapping_sub(1)]),
            [0, middle, high] => Self([0, middle & middle.wrapping_sub(1), high]),
            [low, middle, high] => Self([low & low.wrapping_sub(1), middle, high]),
        }
    }

    #[inline(always)]
    fn slice(self, from: u32, count: u32) -> u32 {
        let (word, shift) = ((from / 64) as usize, from % 64);
        let above = self.0.get(word + 1).map_or(0, |next| next << 1 << (63 - shift));
        (self.0[word] >> shift | above) as u32 & ((1 << count) - 1)
    }

    #[inline(always)]
    fn each(self, mut visit: impl FnMut(Self)) {
        let [a, b, c] = self.0;
        a.each(|bit| visit(Self([bit, 0, 0])));
        b.each(|bit| visit(Self([0, bit, 0])));
        c.each(|bit| visit(Self([0, 0, bit])));
    }

    #[inline(always)]
    fn digest(self) -> u64 {
        let [a, b, c] = self.0;
        a ^ b.rotate_left(17) ^ c.rotate_left(34)
    }
}
