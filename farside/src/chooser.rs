//! Picks a move from the list of legal ones that a platform sends, with nothing but the public API's data.
//!
//! It is the least player that finishes games quickly: it wins when it can, takes when it can, and otherwise runs.
//! The house bots and the engine live in rules-svc.

use serde_json::Value;

/// Chooses among `state["legal_moves"]` of a pawn game; `salt` spreads the choice among equals.
///
/// Returns nothing when no move is listed.
#[must_use]
pub fn choose(state: &Value, seat: u64, salt: u64) -> Option<&Value> {
    let moves = state["legal_moves"].as_array()?;
    let best = moves.iter().map(|candidate| merit(state, seat, candidate)).max()?;
    let equals: Vec<&Value> = moves.iter().filter(|candidate| merit(state, seat, candidate) == best).collect();
    let index = spread(salt) % equals.len() as u64;
    equals.get(usize::try_from(index).ok()?).copied()
}

/// How much a move is worth: reaching the far row, then capturing, then how far ahead the pawn gets.
fn merit(state: &Value, seat: u64, candidate: &Value) -> (bool, bool, u64) {
    let size = state["body"]["size"].as_u64().unwrap_or(8);
    let (row, column) = (candidate["to"][0].as_u64().unwrap_or(0), candidate["to"][1].as_u64().unwrap_or(0));
    let advance = if seat == 1 { row } else { size.saturating_sub(1 + row) };
    let cell = state["body"]["cells"].get(index(row)).and_then(|line| line.get(index(column)));
    let captures = cell.and_then(Value::as_u64).is_some_and(|pawn| pawn != 0);
    (advance + 1 == size, captures, advance)
}

fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// A fixed mixing of bits (the finaliser of SplitMix64, Steele, Lea and Flood 2014), so that a salt spreads evenly.
pub(crate) fn spread(salt: u64) -> u64 {
    let mut z = salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::choose;

    fn state(moves: &Value, cells: &Value) -> Value {
        json!({ "legal_moves": moves, "body": { "size": 6, "cells": cells } })
    }

    #[test]
    fn a_winning_step_comes_before_a_capture() {
        let mut cells = vec![vec![0; 6]; 6];
        cells[3][1] = 2;
        let moves = json!([{ "from": [2, 0], "to": [3, 1] }, { "from": [4, 4], "to": [5, 4] }]);
        let state = state(&moves, &json!(cells));
        assert_eq!(choose(&state, 1, 7), Some(&moves[1]));
    }

    #[test]
    fn a_capture_comes_before_a_longer_run() {
        let mut cells = vec![vec![0; 6]; 6];
        cells[2][1] = 2;
        let moves = json!([{ "from": [1, 0], "to": [2, 1] }, { "from": [3, 4], "to": [4, 4] }]);
        assert_eq!(choose(&state(&moves, &json!(cells)), 1, 7), Some(&moves[0]));
    }

    #[test]
    fn no_moves_give_no_choice() {
        assert_eq!(choose(&state(&json!([]), &json!([])), 1, 7), None);
    }
}
