//! Boards and moves of the pawn games for people: `c2-c3`, `c2xd3`, and a board in characters.

use super::state::PawnState;
use crate::domain::pawns::{PawnBoard, PawnMove, Square};

/// A square's name: the column as a letter, the row from 1.
#[must_use]
pub fn name(square: Square) -> String {
    format!("{}{}", char::from(b'a' + square.col), square.row + 1)
}

/// A step's notation: `-` for a step, `x` for a capture.
#[must_use]
pub fn notation(state: &PawnState, step: PawnMove) -> String {
    let sign = if state.board.cell(step.to).is_some() { 'x' } else { '-' };
    format!("{}{sign}{}", name(step.from), name(step.to))
}

/// The board from the highest row down, with row numbers at both sides and column letters above and below.
#[must_use]
pub fn board(board: &PawnBoard) -> String {
    let size = board.size().get();
    let letters: Vec<String> = (0..size).map(|col| char::from(b'a' + col).to_string()).collect();
    let header = format!("   {}\n", letters.join(" "));
    let mut text = header.clone();
    for (row, marks) in board.to_rows().iter().enumerate().rev() {
        let marks: Vec<String> = marks.chars().map(String::from).collect();
        text.push_str(&format!("{:>2} {} {}\n", row + 1, marks.join(" "), row + 1));
    }
    text.push_str(header.trim_end());
    text
}
