//! House bots of Maker and Breaker: three strengths that look one, two or three placements ahead. Analysis, which looks
//! as far as its budget goes, is in `search`.
//!
//! A choice follows from the position alone. The boards do not touch each other, and on each of them maker and
//! breaker take turns, so a bot looks only at the board that it places on this round.

mod grid;
mod search;

use thiserror::Error;

use crate::domain::games::maker_breaker::state::{MakerBreakerState, Placement};
use crate::domain::pawns::Seat;
use crate::domain::seed::{Purpose, SetSeed};

pub use search::analyse;

use grid::{Grid, Role, UNBOUNDED};

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
    let (grid, role) = coming_board(state, seat);
    let mut best = None;
    let mut worth = -UNBOUNDED;
    for (square, piece) in grid.placements() {
        let value = -grid.with(square, piece).value(role.other(), strength.placements() - 1, -UNBOUNDED, -worth);
        if value > worth {
            (best, worth) = (Some((square, piece)), value);
        }
    }
    best.and_then(|(square, piece)| grid::placement(square, piece))
}

/// The board that a seat places on in the coming round, and what the seat is on it.
fn coming_board(state: &MakerBreakerState, seat: Seat) -> (Grid, Role) {
    let maker = state.target(seat);
    (Grid::of(state.board(maker)), if maker == seat { Role::Maker } else { Role::Breaker })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Placement, Strength, choose};
    use crate::domain::games::maker_breaker::state::{End, MakerBreakerState};
    use crate::domain::pawns::Seat;
    use crate::domain::seed::{Purpose, SEED_BYTES, SetSeed};

    /// A position after so many random rounds.
    pub(super) fn random_state(number: u8, rounds: usize) -> MakerBreakerState {
        let mut stream = SetSeed([number; SEED_BYTES]).stream(Purpose::StartPosition);
        (0..rounds).fold(MakerBreakerState::start(), |state, _| {
            let placements = Seat::BOTH.map(|seat| stream.choose(state.legal(seat), 1).first().copied());
            state.play(placements).unwrap()
        })
    }

    pub(super) fn play_out(
        mut state: MakerBreakerState,
        chooses: impl Fn(&MakerBreakerState, Seat) -> Option<Placement>,
    ) -> End {
        loop {
            if let Some(end) = state.end() {
                return end;
            }
            state = state.play(Seat::BOTH.map(|seat| chooses(&state, seat))).unwrap();
        }
    }

    pub(super) fn winner(end: End) -> Option<Seat> {
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
                let end = play_out(state, |state, seat| choose(strengths[seat.index()], state, seat));
                match winner(end) {
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
                let completes = |at: &Placement| board.with(at.spot, at.piece).five().is_some();
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
