//! A position of Maker and Breaker: two boards and the round. Placements that wait for the other seat's are not part
//! of it: the caller keeps them, so a position never holds a secret.

use super::board::{Board, Piece, SQUARES, Spot};
use crate::domain::pawns::Seat;

/// One seat's placement of a round; the round says on which board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The square.
    pub spot: Spot,
    /// The symbol.
    pub piece: Piece,
}

/// How far a board is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Pieces are still placed on it.
    Open,
    /// Five in a row stood on it at the end of this round: its maker has it.
    Made {
        /// The round, from 1.
        round: u8,
    },
    /// It is full without a line: its breaker has held it.
    Held,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Both boards were made, this seat's in fewer rounds.
    FewerRounds(Seat),
    /// Only this seat's board was made.
    OnlyMade(Seat),
    /// Both boards were made in the same round.
    EqualRounds,
    /// Nobody made a board.
    BothHeld,
}

/// A position at the beginning of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MakerBreakerState {
    boards: [Board; 2],
    made_in: [Option<u8>; 2],
    rounds_played: u8,
}

impl Default for MakerBreakerState {
    fn default() -> Self {
        Self::start()
    }
}

impl MakerBreakerState {
    /// Two empty boards before round 1.
    #[must_use]
    pub fn start() -> Self {
        Self { boards: [Board::default(); 2], made_in: [None; 2], rounds_played: 0 }
    }

    /// A position from its parts; the reason when it cannot come about.
    ///
    /// # Errors
    /// A sentence that names what contradicts what.
    pub fn from_parts(boards: [Board; 2], made_in: [Option<u8>; 2], rounds_played: u8) -> Result<Self, &'static str> {
        let state = Self { boards, made_in, rounds_played };
        for maker in [Seat::One, Seat::Two] {
            state.check_board(maker)?;
        }
        let last_done = [Seat::One, Seat::Two].map(|maker| state.rounds_on(maker)).into_iter().max();
        if last_done != Some(rounds_played) {
            return Err("more rounds were played than either board shows");
        }
        Ok(state)
    }

    fn check_board(&self, maker: Seat) -> Result<(), &'static str> {
        let board = self.board(maker);
        match (board.five(), self.made_in[maker.index()]) {
            (Some(_), None) => return Err("a board with five in a row is not marked as made"),
            (None, Some(_)) => return Err("a board without five in a row is marked as made"),
            (Some(_), Some(round)) if round != board.count() => {
                return Err("a made board does not hold one piece for each of its rounds");
            }
            _ => {}
        }
        if board.five().is_some() && !one_piece_made_it(board) {
            return Err("a made board went on after its five in a row");
        }
        if board.count() > self.rounds_played {
            return Err("a board holds more pieces than rounds were played");
        }
        if self.status(maker) == Status::Open && board.count() != self.rounds_played {
            return Err("an open board does not hold one piece for each round");
        }
        Ok(())
    }

    fn rounds_on(&self, maker: Seat) -> u8 {
        self.board(maker).count()
    }

    /// The board that a seat is the maker of.
    #[must_use]
    pub fn board(&self, maker: Seat) -> &Board {
        &self.boards[maker.index()]
    }

    /// How far a seat's board is.
    #[must_use]
    pub fn status(&self, maker: Seat) -> Status {
        match self.made_in[maker.index()] {
            Some(round) => Status::Made { round },
            None if self.board(maker).is_full() => Status::Held,
            None => Status::Open,
        }
    }

    /// Rounds that have been played.
    #[must_use]
    pub fn rounds_played(&self) -> u8 {
        self.rounds_played
    }

    /// The round being played, from 1; after the end the last one played.
    #[must_use]
    pub fn round(&self) -> u8 {
        if self.end().is_some() { self.rounds_played } else { self.rounds_played + 1 }
    }

    /// The maker of the board that a seat places on in the coming round: its own in odd rounds, the other's in even ones.
    #[must_use]
    pub fn target(&self, seat: Seat) -> Seat {
        if self.rounds_played.is_multiple_of(2) { seat } else { seat.other() }
    }

    /// Whether a seat places a piece in the coming round: its board for the round is open.
    #[must_use]
    pub fn acts(&self, seat: Seat) -> bool {
        self.status(self.target(seat)) == Status::Open
    }

    /// Whether a seat may make this placement in the coming round.
    #[must_use]
    pub fn is_legal(&self, seat: Seat, placement: Placement) -> bool {
        self.acts(seat) && self.board(self.target(seat)).at(placement.spot).is_none()
    }

    /// A seat's legal placements: row by row, X before O.
    #[must_use]
    pub fn legal(&self, seat: Seat) -> Vec<Placement> {
        if !self.acts(seat) {
            return Vec::new();
        }
        let board = self.board(self.target(seat));
        let empty = Spot::all().filter(|&spot| board.at(spot).is_none());
        empty.flat_map(|spot| Piece::BOTH.map(|piece| Placement { spot, piece })).collect()
    }

    /// The position after a round, with seat 1's and seat 2's placement.
    ///
    /// An open board takes exactly one piece each round, so no round passes without a piece before the end. Each
    /// placement must be legal, and exactly the seats that act give one; otherwise `None`.
    #[must_use]
    pub fn play(&self, placements: [Option<Placement>; 2]) -> Option<Self> {
        let mut next = *self;
        next.rounds_played += u8::from(self.end().is_none());
        for seat in [Seat::One, Seat::Two] {
            let Some(placement) = placements[seat.index()] else {
                if self.acts(seat) {
                    return None;
                }
                continue;
            };
            if !self.is_legal(seat, placement) {
                return None;
            }
            next.place(self.target(seat), placement);
        }
        Some(next)
    }

    fn place(&mut self, maker: Seat, placement: Placement) {
        let board = self.boards[maker.index()].with(placement.spot, placement.piece);
        self.boards[maker.index()] = board;
        if board.five().is_some() {
            self.made_in[maker.index()] = Some(self.rounds_played);
        }
    }

    /// How the game ended; `None` while a board is open.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        match (self.status(Seat::One), self.status(Seat::Two)) {
            (Status::Open, _) | (_, Status::Open) => None,
            (Status::Made { round: one }, Status::Made { round: two }) => Some(match one.cmp(&two) {
                std::cmp::Ordering::Less => End::FewerRounds(Seat::One),
                std::cmp::Ordering::Equal => End::EqualRounds,
                std::cmp::Ordering::Greater => End::FewerRounds(Seat::Two),
            }),
            (Status::Made { .. }, Status::Held) => Some(End::OnlyMade(Seat::One)),
            (Status::Held, Status::Made { .. }) => Some(End::OnlyMade(Seat::Two)),
            (Status::Held, Status::Held) => Some(End::BothHeld),
        }
    }
}

/// The most rounds that a game can take: one piece a round on every open board.
pub const MAX_ROUNDS: u8 = SQUARES;

/// Whether some piece could have been the last one: without it there is no line.
fn one_piece_made_it(board: &Board) -> bool {
    let [crosses, noughts] = Piece::BOTH.map(|piece| board.bits(piece));
    let without = |square: u8| Board::from_bits(crosses & !(1 << square), noughts & !(1 << square));
    let mut taken = (0..SQUARES).filter(|square| (crosses | noughts) >> square & 1 == 1);
    taken.any(|square| without(square).is_some_and(|board| board.five().is_none()))
}
