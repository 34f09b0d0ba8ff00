//! House bots of Maker and Breaker: three strengths that look one, two or three placements ahead.
//!
//! A choice follows from the position alone. The boards do not touch each other, and on each of them maker and
//! breaker take turns, so a bot looks only at the board that it places on this round.

use thiserror::Error;

use crate::domain::games::maker_breaker::board::{Board, Piece, SIDE, SQUARES, Spot};
use crate::domain::games::maker_breaker::state::{MakerBreakerState, Placement};
use crate::domain::pawns::Seat;
use crate::domain::seed::{Purpose, SetSeed};

/// What a line of five is worth to the maker by how many equal pieces it holds and no other.
const LINE_WORTH: [i32; 5] = [1, 4, 16, 80, 400];
/// What a made board is worth, less what each piece on it costs: sooner is better.
const MADE: i32 = 100_000;
const PIECE_COST: i32 = 1_000;
const UNBOUNDED: i32 = i32::MAX;

/// A name that no strength has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no strength `{0}`; the strengths are 1, 2, 3 and seeded")]
pub struct UnknownStrength(pub String);

/// How many placements a house bot looks ahead, its own included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// Its own.
    One,
    /// Its own and the reply.
    Two,
    /// Its own, the reply and its next.
    Three,
}

impl Strength {
    /// Every strength, weakest first.
    pub const ALL: [Self; 3] = [Self::One, Self::Two, Self::Three];

    /// The strength of a level's name; `seeded` draws it from the set's seed.
    ///
    /// # Errors
    /// [`UnknownStrength`].
    pub fn of_level(name: &str, seed: &SetSeed) -> Result<Self, UnknownStrength> {
        match name {
            "1" => Ok(Self::One),
            "2" => Ok(Self::Two),
            "3" => Ok(Self::Three),
            "seeded" => Ok(Self::drawn(seed)),
            _ => Err(UnknownStrength(name.to_owned())),
        }
    }

    /// The strength of `house:seeded` in a set: the first draw below three of the seed's stream for it.
    #[must_use]
    pub fn drawn(seed: &SetSeed) -> Self {
        Self::ALL[seed.stream(Purpose::HouseStrength).below(3) as usize % 3]
    }

    const fn placements(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Three => 3,
        }
    }
}

/// A house bot's placement: of the best ones the first in the order of legal moves. `None` when the seat does not act.
#[must_use]
pub fn choose(strength: Strength, state: &MakerBreakerState, seat: Seat) -> Option<Placement> {
    if !state.acts(seat) {
        return None;
    }
    let maker = state.target(seat);
    let role = if maker == seat { Role::Maker } else { Role::Breaker };
    let grid = Grid::of(state.board(maker));
    let mut best = None;
    let mut worth = -UNBOUNDED;
    for (square, piece) in grid.placements() {
        let value = -grid.with(square, piece).value(role.other(), strength.placements() - 1, -UNBOUNDED, -worth);
        if value > worth {
            (best, worth) = (Some((square, piece)), value);
        }
    }
    let (square, piece) = best?;
    Some(Placement { spot: Spot::new(square / SIDE, square % SIDE)?, piece })
}

/// What a seat is on the board that it places on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Maker,
    Breaker,
}

impl Role {
    const fn other(self) -> Self {
        match self {
            Self::Maker => Self::Breaker,
            Self::Breaker => Self::Maker,
        }
    }

    /// A value to the maker as this role sees it.
    const fn sees(self, value: i32) -> i32 {
        match self {
            Self::Maker => value,
            Self::Breaker => -value,
        }
    }
}

/// A board as two sets of squares.
#[derive(Clone, Copy)]
struct Grid {
    crosses: u64,
    noughts: u64,
}

impl Grid {
    fn of(board: &Board) -> Self {
        Self { crosses: board.bits(Piece::X), noughts: board.bits(Piece::O) }
    }

    fn with(self, square: u8, piece: Piece) -> Self {
        let bit = 1 << square;
        match piece {
            Piece::X => Self { crosses: self.crosses | bit, ..self },
            Piece::O => Self { noughts: self.noughts | bit, ..self },
        }
    }

    fn taken(self) -> u64 {
        self.crosses | self.noughts
    }

    /// Every placement: row by row, X before O.
    fn placements(self) -> impl Iterator<Item = (u8, Piece)> {
        let empty = (0..SQUARES).filter(move |square| self.taken() >> square & 1 == 0);
        empty.flat_map(|square| Piece::BOTH.map(|piece| (square, piece)))
    }

    /// The value to the role that places next, looking so many placements ahead; exact between `alpha` and `beta`.
    fn value(self, role: Role, placements: u32, alpha: i32, beta: i32) -> i32 {
        let pieces = self.taken().count_ones();
        if pieces == u32::from(SQUARES) || placements == 0 || self.is_made() {
            return role.sees(self.worth(pieces));
        }
        let mut best = alpha;
        for (square, piece) in self.placements() {
            let value = -self.with(square, piece).value(role.other(), placements - 1, -beta, -best);
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        best
    }

    fn is_made(self) -> bool {
        Board::lines().iter().any(|&line| self.crosses & line == line || self.noughts & line == line)
    }

    /// What the board is worth to its maker as it stands.
    fn worth(self, pieces: u32) -> i32 {
        if self.is_made() {
            // At most 36 pieces.
            return MADE - PIECE_COST * pieces as i32;
        }
        if pieces == u32::from(SQUARES) {
            return -MADE;
        }
        Board::lines().iter().map(|&line| self.line_worth(line)).sum()
    }

    fn line_worth(self, line: u64) -> i32 {
        let [crosses, noughts] = [self.crosses, self.noughts].map(|set| (set & line).count_ones() as usize);
        if crosses > 0 && noughts > 0 { 0 } else { LINE_WORTH[(crosses + noughts).min(4)] }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Strength, choose};
    use crate::domain::games::maker_breaker::state::{End, MakerBreakerState};
    use crate::domain::pawns::Seat;
    use crate::domain::seed::{Purpose, SEED_BYTES, SetSeed};

    /// A position after so many random rounds.
    fn random_state(number: u8, rounds: usize) -> MakerBreakerState {
        let mut stream = SetSeed([number; SEED_BYTES]).stream(Purpose::StartPosition);
        (0..rounds).fold(MakerBreakerState::start(), |state, _| {
            let placements = Seat::BOTH.map(|seat| stream.choose(state.legal(seat), 1).first().copied());
            state.play(placements).unwrap()
        })
    }

    fn play_out(mut state: MakerBreakerState, strengths: [Strength; 2]) -> End {
        loop {
            if let Some(end) = state.end() {
                return end;
            }
            state = state.play(Seat::BOTH.map(|seat| choose(strengths[seat.index()], &state, seat))).unwrap();
        }
    }

    fn winner(end: End) -> Option<Seat> {
        match end {
            End::FewerRounds(seat) | End::OnlyMade(seat) => Some(seat),
            End::EqualRounds | End::BothHeld => None,
        }
    }

    /// Games that `strong` wins and loses against `weak` from random positions, seats swapped.
    fn wins_and_losses(strong: Strength, weak: Strength) -> (u32, u32) {
        let mut counts = (0, 0);
        for number in 0..20 {
            let state = random_state(number, 4);
            for (seat, strengths) in [(Seat::One, [strong, weak]), (Seat::Two, [weak, strong])] {
                match winner(play_out(state, strengths)) {
                    Some(winner) if winner == seat => counts.0 += 1,
                    Some(_) => counts.1 += 1,
                    None => {}
                }
            }
        }
        counts
    }

    #[test]
    fn a_greater_strength_wins_more_than_it_loses() {
        for pair in Strength::ALL.windows(2) {
            let (won, lost) = wins_and_losses(pair[1], pair[0]);
            assert!(won > 2 * lost, "{:?} against {:?}: won {won}, lost {lost}", pair[1], pair[0]);
        }
    }

    #[test]
    fn the_drawn_strength_follows_from_the_seed() {
        let drawn: Vec<Strength> = (0..30).map(|byte| Strength::drawn(&SetSeed([byte; SEED_BYTES]))).collect();
        assert!(Strength::ALL.iter().all(|strength| drawn.contains(strength)));
        let seed = SetSeed([7; SEED_BYTES]);
        assert_eq!(Strength::of_level("seeded", &seed), Ok(Strength::drawn(&seed)));
        assert!(Strength::of_level("4", &seed).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn every_strength_completes_its_own_line_when_it_can(number in any::<u8>(), rounds in 0usize..20) {
            let state = random_state(number, rounds);
            prop_assume!(state.end().is_none());
            for seat in Seat::BOTH.into_iter().filter(|&seat| state.acts(seat) && state.target(seat) == seat) {
                let board = state.board(seat);
                let completes = |at: &super::Placement| board.with(at.spot, at.piece).five().is_some();
                let can = state.legal(seat).iter().any(completes);
                for strength in Strength::ALL {
                    let chosen = choose(strength, &state, seat).unwrap();
                    prop_assert!(state.is_legal(seat, chosen));
                    prop_assert_eq!(completes(&chosen), can);
                }
            }
        }
    }
}
