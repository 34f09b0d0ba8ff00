//! The move counter against counts made by engines that nobody here wrote; `tests/cases/README.md` names them.

use std::collections::BTreeMap;
use std::io::Read as _;

use flate2::read::GzDecoder;
use serde::Deserialize;

use super::{Leaves, PawnBoard, Seat, Size, perft};

const STARTS: &str = include_str!("../../../tests/cases/breakthrough_perft.json");
const POSITIONS: &[u8] = include_bytes!("../../../tests/cases/breakthrough_perft_positions.jsonl.gz");

/// The most sequences that a test counts in bulk, and by making every move.
const COUNTED_MAX: u64 = 2_000_000_000;
const MADE_MAX: u64 = 20_000_000;

#[derive(Deserialize)]
struct Starts {
    table: BTreeMap<u8, BTreeMap<u32, u64>>,
}

#[derive(Deserialize)]
struct Case {
    board: String,
    side: u8,
    perft: Vec<u64>,
}

fn positions() -> Vec<Case> {
    let mut text = String::new();
    GzDecoder::new(POSITIONS).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn agrees(board: &PawnBoard, seat: Seat, depth: u32, expected: u64) {
    let rows = board.to_rows().join("/");
    if expected <= COUNTED_MAX {
        assert_eq!(perft(board, seat, depth, Leaves::Counted), expected, "{rows} {seat} depth {depth} counted");
    }
    if expected <= MADE_MAX {
        assert_eq!(perft(board, seat, depth, Leaves::Made), expected, "{rows} {seat} depth {depth} made");
    }
}

#[test]
fn starts_of_every_size_count_as_the_reference_does() {
    let starts: Starts = serde_json::from_str(STARTS).unwrap();
    assert_eq!(starts.table.len(), 7);
    for (n, depths) in starts.table {
        let board = PawnBoard::two_rows(Size::new(n).unwrap());
        for (depth, expected) in depths {
            agrees(&board, Seat::One, depth, expected);
        }
    }
}

#[test]
fn arbitrary_positions_count_as_the_reference_does() {
    let cases = positions();
    assert!(!cases.is_empty());
    for case in cases {
        let rows: Vec<&str> = case.board.split('/').collect();
        let board = PawnBoard::from_rows(&rows).unwrap();
        let seat = Seat::from_number(case.side).unwrap();
        for (depth, expected) in (1..).zip(case.perft) {
            agrees(&board, seat, depth, expected);
        }
    }
}

#[test]
fn a_game_that_has_ended_contributes_nothing_deeper() {
    let won = ["......", "......", "......", "2.....", "......", "...1.."];
    let board = PawnBoard::from_rows(&won).unwrap();
    assert_eq!(perft(&board, Seat::Two, 0, Leaves::Counted), 1);
    assert_eq!(perft(&board, Seat::Two, 2, Leaves::Counted), 0);
    let last_pawn = ["......", "......", "1.....", ".2....", "......", "......"];
    let board = PawnBoard::from_rows(&last_pawn).unwrap();
    assert_eq!(perft(&board, Seat::One, 1, Leaves::Made), 2);
    assert_eq!(perft(&board, Seat::One, 2, Leaves::Counted), perft(&board, Seat::One, 2, Leaves::Made));
}
