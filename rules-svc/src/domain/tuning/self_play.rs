//! The games that the weights are learnt from.

use super::sample::Sample;
use crate::domain::pawns::{PawnBoard, PawnMove, Seat, Size};
use crate::domain::search::{Limits, Searcher, TableSize, Weights};
use crate::domain::seed::{Purpose, SEED_BYTES, SetSeed, Stream};

/// One move in so many is random, so that the games show positions that good play avoids.
const RANDOM_ONE_IN: u32 = 20;

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

/// Plays one game, which follows from the plan, the weights and its number, and gives the positions searched in it.
/// It ends as soon as its result is forced.
#[must_use]
pub fn play(plan: &Plan, weights: &Weights, number: u64) -> Vec<Sample> {
    let mut seed = [0; SEED_BYTES];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    let mut stream = SetSeed(seed).stream(Purpose::StartPosition);
    let mut searcher = Searcher::with_weights(TableSize::from_exponent(14), weights.clone());
    let (mut board, mut seat, mut ply) = (PawnBoard::two_rows(plan.size), Seat::One, 0);
    let mut seen = Vec::new();
    let winner = loop {
        if let Some((winner, _)) = board.finished(seat) {
            break winner;
        }
        let step = if ply < plan.random_plies || stream.below(RANDOM_ONE_IN) == 0 {
            any_step(&mut stream, &board, seat)
        } else {
            let Some(report) = searcher.search(&board, seat, Limits::nodes(plan.nodes), &|| false) else { break seat };
            if report.score.plies_to_end().is_some() {
                break if report.score.is_won() { seat } else { seat.other() };
            }
            seen.push((board, seat, report.score));
            report.best
        };
        let Ok(after) = board.apply(step, seat) else { break seat };
        (board, seat, ply) = (after, seat.other(), ply + 1);
    };
    seen.into_iter().map(|(board, seat, score)| Sample::new(&board, seat, winner == seat, score)).collect()
}

fn any_step(stream: &mut Stream, board: &PawnBoard, seat: Seat) -> PawnMove {
    let moves = board.legal_moves(seat);
    // On a board on which the game goes on there is a legal step, and never more than a few hundred.
    moves[stream.below(moves.len() as u32) as usize]
}
