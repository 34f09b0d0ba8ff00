//! The games that the weights are learnt from.

use crate::domain::pawns::{Bits, Down, PawnBoard, Position, Seat, Size, Task, Up};
use crate::domain::search::{COL_CLASSES, Limits, ROW_CLASSES, Searcher, TERMS, TableSize, Weights, terms_of};
use crate::domain::seed::{Purpose, SEED_BYTES, SetSeed};

/// How the games are played.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The board.
    pub size: Size,
    /// Random plies at the start of each game.
    pub random_plies: u32,
    /// Nodes searched for each move after that.
    pub nodes: u64,
}

/// A position of a game, as far as the evaluation sees it, and how the game ended.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Pawns of the side that moves less the opponent's, by class of row and column.
    pub placement: [[i8; COL_CLASSES]; ROW_CLASSES],
    /// The evaluation's terms.
    pub terms: [i8; TERMS],
    /// Whether the side that moves has won.
    pub won: bool,
}

/// Plays one game, which follows from the plan, the weights and its number, and gives its quiet positions.
#[must_use]
pub fn play(plan: &Plan, weights: &Weights, number: u64) -> Vec<Sample> {
    let mut seed = [0; SEED_BYTES];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    let mut stream = SetSeed(seed).stream(Purpose::StartPosition);
    let mut searcher = Searcher::with_weights(TableSize::from_exponent(14), *weights);
    let (mut board, mut seat, mut ply) = (PawnBoard::two_rows(plan.size), Seat::One, 0);
    let mut seen = Vec::new();
    let winner = loop {
        if let Some((winner, _)) = board.finished(seat) {
            break winner;
        }
        let moves = board.legal_moves(seat);
        let step = if ply < plan.random_plies {
            moves[stream.below(moves.len() as u32) as usize]
        } else {
            match searcher.search(&board, seat, Limits::nodes(plan.nodes), &|| false) {
                Some(report) if report.score.plies_to_end().is_none() => {
                    seen.push((board, seat));
                    report.best
                }
                // The rest of the game is known.
                Some(report) if report.score.is_won() => break seat,
                _ => break seat.other(),
            }
        };
        let Ok(after) = board.apply(step, seat) else { break seat };
        (board, seat, ply) = (after, seat.other(), ply + 1);
    };
    seen.into_iter().map(|(board, seat)| sample(&board, seat, winner == seat)).collect()
}

fn sample(board: &PawnBoard, to_move: Seat, won: bool) -> Sample {
    let n = usize::from(board.size().get());
    let mut placement = [[0; COL_CLASSES]; ROW_CLASSES];
    for seat in Seat::BOTH {
        for square in board.pawns_of(seat) {
            let (row, col) = Weights::classes(n, seat, usize::from(square.row) * n + usize::from(square.col));
            placement[row][col] += if seat == to_move { 1 } else { -1 };
        }
    }
    // No term counts more than the pawns or the squares of a board of ordinary games.
    let terms = board.dispatch(Terms(to_move)).map(|term| term as i8);
    Sample { placement, terms, won }
}

struct Terms(Seat);

impl Task for Terms {
    type Output = [i32; TERMS];

    fn run<B: Bits, const N: usize>(self, position: Position<B, N>) -> [i32; TERMS] {
        match self.0 {
            Seat::One => terms_of::<Up, B, N>(&position),
            Seat::Two => terms_of::<Down, B, N>(&position),
        }
    }
}
