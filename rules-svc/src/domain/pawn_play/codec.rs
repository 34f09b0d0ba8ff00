//! A pawn position as bytes: moves made (16 bits, big-endian), captures of seat 1 and of seat 2, then the board.

use super::state::PawnState;
use crate::domain::pawns::PawnBoard;

/// The position's one encoding.
#[must_use]
pub fn encode(state: &PawnState) -> Vec<u8> {
    let mut bytes = state.steps.to_be_bytes().to_vec();
    bytes.extend(state.captured);
    bytes.extend(state.board.to_bytes());
    bytes
}

/// Reads a position back; it is one that can come about.
///
/// # Errors
/// What is wrong with the bytes.
pub fn decode(bytes: &[u8]) -> Result<PawnState, String> {
    let Some(([high, low, one, two], board)) = bytes.split_first_chunk::<4>() else {
        return Err("it is too short".to_owned());
    };
    let board = PawnBoard::from_bytes(board).map_err(|fault| fault.to_string())?;
    let state = PawnState { board, steps: u16::from_be_bytes([*high, *low]), captured: [*one, *two] };
    state.validate()?;
    Ok(state)
}
