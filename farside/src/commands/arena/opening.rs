//! Openings: random plies from the two-row start, the same for the same number on every machine. None decides a game.

use farside_rules::domain::pawns::{PawnBoard, Seat, Size};

/// The board after so many random plies, or fewer where the next would end the game, and the seat that moves next.
pub(super) fn opening(size: Size, plies: usize, number: u64) -> (PawnBoard, Seat) {
    let mut dice = Dice(number);
    let (mut board, mut seat) = (PawnBoard::two_rows(size), Seat::One);
    for _ in 0..plies {
        let moves = board.legal_moves(seat);
        let step = moves.get(dice.below(moves.len()));
        let after = step.and_then(|&step| board.apply(step, seat).ok());
        let Some(after) = after.filter(|after| after.finished(seat.other()).is_none()) else { break };
        (board, seat) = (after, seat.other());
    }
    (board, seat)
}

/// `SplitMix64`: enough for openings, which need no secrecy.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound.max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::{Size, opening};

    #[test]
    fn an_opening_is_the_same_again_and_leaves_a_game_to_play() {
        for (n, plies) in [(6, 4), (6, 500), (8, 0), (8, 500), (12, 30)] {
            let size = Size::new(n).unwrap();
            for number in 0..20 {
                let (board, seat) = opening(size, plies, number);
                assert_eq!(opening(size, plies, number), (board, seat));
                assert!(board.finished(seat).is_none());
            }
        }
    }
}
