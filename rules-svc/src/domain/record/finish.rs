//! Results in a record: why a game ended, and who won the set.

use super::entry::{BySide, DecidedBy, GameFinished, SetFinished, SetResult, SetStatus, SideName};
use super::history::Running;
use crate::domain::json::Violation;
use crate::domain::pawns::Seat;

/// A game that has ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    winner: Option<SideName>,
    moves: BySide<u32>,
}

/// Checks a game's result against the board and the clocks.
///
/// # Errors
/// What does not hold.
pub(super) fn check_game(entry: &GameFinished, running: &Running, max_moves: u32) -> Result<Done, Violation> {
    if entry.game != running.number {
        return Err(Violation::new("/game", format!("game {} is being played", running.number)));
    }
    let winner = match entry.winner {
        None => None,
        Some(number) => {
            let seat = Seat::from_number(number);
            Some(seat.ok_or_else(|| Violation::new("/winner", "the winner is seat 1, seat 2 or null"))?)
        }
    };
    match running.position.outcome() {
        Some(outcome) if outcome.winner != winner => {
            let found = outcome.winner.map_or("nobody".to_owned(), |seat| format!("seat {seat}"));
            return Err(Violation::new("/winner", format!("on the board {found} has won ({})", outcome.reason)));
        }
        Some(outcome) if outcome.reason != entry.reason => {
            return Err(Violation::new("/reason", format!("on the board it is {}", outcome.reason)));
        }
        Some(_) => {}
        None => check_off_board(entry, winner, running, max_moves)?,
    }
    Ok(done(winner, running))
}

fn check_off_board(
    entry: &GameFinished,
    winner: Option<Seat>,
    running: &Running,
    max_moves: u32,
) -> Result<(), Violation> {
    let clocks = &running.clocks;
    let flagged = |seat: Seat| running.position.to_act().contains(&seat) && clocks.is_out_of_time(seat, entry.at_ms);
    let holds = match (entry.reason.as_str(), winner.map(Seat::other)) {
        ("resignation", Some(_)) => true,
        ("timeout", Some(loser)) => flagged(loser) && !clocks.is_first_move(loser),
        ("first_move_timeout", Some(loser)) => flagged(loser) && clocks.is_first_move(loser),
        ("both_timeout", None) => Seat::BOTH.into_iter().all(flagged) && !clocks.is_first_move(Seat::One),
        ("max_moves", None) => running.position.ply() >= max_moves,
        (reason, _) => {
            let detail = format!("the board is not decided, and `{reason}` with this winner does not end a game");
            return Err(Violation::new("/reason", detail));
        }
    };
    if holds {
        return Ok(());
    }
    Err(Violation::new("/reason", format!("`{}` does not hold: neither turn nor clock allows it", entry.reason)))
}

fn done(winner: Option<Seat>, running: &Running) -> Done {
    let creator = running.creator_seat;
    let side = |seat: Seat| if seat == creator { SideName::Creator } else { SideName::Acceptor };
    let moves = BySide { creator: running.clocks.moves(creator), acceptor: running.clocks.moves(creator.other()) };
    Done { winner: winner.map(side), moves }
}

/// Checks the end of a set.
///
/// # Errors
/// What does not hold.
pub(super) fn check_set(entry: &SetFinished, done: &[Done], games: usize, is_running: bool) -> Result<(), Violation> {
    if half_points(done) != entry.half_points {
        let BySide { creator, acceptor } = half_points(done);
        let detail = format!("the games give the creator {creator} and the acceptor {acceptor}");
        return Err(Violation::new("/half_points", detail));
    }
    match (entry.status, entry.result) {
        (SetStatus::Aborted, None) => Ok(()),
        (SetStatus::Aborted, Some(_)) => Err(Violation::new("/result", "an aborted set has no result")),
        (SetStatus::Finished, _) if is_running || done.len() != games => {
            let detail = format!("a finished set has {games} finished games, this one {}", done.len());
            Err(Violation::new("/status", detail))
        }
        (SetStatus::Finished, found) if found != Some(result(done)) => {
            let expected = serde_json::to_string(&result(done)).unwrap_or_default();
            Err(Violation::new("/result", format!("the games give {expected}")))
        }
        (SetStatus::Finished, _) => Ok(()),
    }
}

fn half_points(done: &[Done]) -> BySide<u32> {
    let points = |side| {
        let of_game = |game: &Done| match game.winner {
            Some(winner) if winner == side => 2,
            Some(_) => 0,
            None => 1,
        };
        done.iter().map(of_game).sum()
    };
    BySide { creator: points(SideName::Creator), acceptor: points(SideName::Acceptor) }
}

/// More points win; level points go to the side with fewer moves of its own in the games that it did not lose.
fn result(done: &[Done]) -> SetResult {
    let points = half_points(done);
    if let Some(winner) = greater(points.creator, points.acceptor) {
        return SetResult { winner: Some(winner), by: DecidedBy::Points };
    }
    let moves = |side: SideName| -> u32 {
        let kept = done.iter().filter(|game| game.winner.is_none_or(|winner| winner == side));
        kept.map(|game| if side == SideName::Creator { game.moves.creator } else { game.moves.acceptor }).sum()
    };
    match greater(moves(SideName::Acceptor), moves(SideName::Creator)) {
        Some(winner) => SetResult { winner: Some(winner), by: DecidedBy::Tiebreak },
        None => SetResult { winner: None, by: DecidedBy::Draw },
    }
}

/// The creator when the first number is greater, the acceptor when the second one is.
fn greater(creator: u32, acceptor: u32) -> Option<SideName> {
    match creator.cmp(&acceptor) {
        std::cmp::Ordering::Greater => Some(SideName::Creator),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Less => Some(SideName::Acceptor),
    }
}
