//! A position as bytes: rounds played, then for each board the crosses and the noughts (64 bits each, big-endian) and
//! the round in which it was made (0: not made).

use super::board::{Board, Piece};
use super::state::{MakerBreakerState, Status};
use crate::domain::pawns::Seat;

const BOARD_BYTES: usize = 17;

/// The state's one encoding.
#[must_use]
pub(super) fn encode(state: &MakerBreakerState) -> Vec<u8> {
    let mut bytes = vec![state.rounds_played()];
    for maker in Seat::BOTH {
        for piece in Piece::BOTH {
            bytes.extend(state.board(maker).bits(piece).to_be_bytes());
        }
        bytes.push(match state.status(maker) {
            Status::Made { round } => round,
            Status::Open | Status::Held => 0,
        });
    }
    bytes
}

/// Reads a state back; it is one that can come about.
///
/// # Errors
/// What is wrong with the bytes.
pub(super) fn decode(bytes: &[u8]) -> Result<MakerBreakerState, String> {
    let (&rounds_played, boards) = bytes.split_first().ok_or("it is empty")?;
    let Some((one, two)) = boards.split_first_chunk::<BOARD_BYTES>() else {
        return Err("it is too short".to_owned());
    };
    let two: &[u8; BOARD_BYTES] = two.try_into().map_err(|_| "its length is not that of two boards")?;
    let (one, one_made) = board(one)?;
    let (two, two_made) = board(two)?;
    Ok(MakerBreakerState::from_parts([one, two], [one_made, two_made], rounds_played)?)
}

fn board(bytes: &[u8; BOARD_BYTES]) -> Result<(Board, Option<u8>), &'static str> {
    let word = |from: usize| bytes[from..from + 8].iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
    let board = Board::from_bits(word(0), word(8)).ok_or("a board has two pieces on one square, or one beside it")?;
    let made = bytes[BOARD_BYTES - 1];
    Ok((board, (made != 0).then_some(made)))
}
