//! Games and positions by independent implementations; `tests/cases/README.md` names them.

use std::io::Read as _;

use farside_rules::domain::games::maker_breaker::board::{Board, Piece, Spot};
use farside_rules::domain::pawns::Seat;
use farside_rules::domain::rules::{Position, SeatMove};
use serde::Deserialize;

use crate::support::{parsed, standard};

fn lines<T: for<'de> Deserialize<'de>>(gz: &[u8]) -> Vec<T> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(gz).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[derive(Deserialize)]
struct Playout {
    id: String,
    size: u8,
    winner: u8,
    reason: String,
    captured_by_seat: [u64; 2],
    moves: Vec<serde_json::Value>,
    legal_counts: Vec<usize>,
    legal_fnv32: Vec<u32>,
    final_board: Vec<String>,
}

fn fnv32(legal: &[String]) -> u32 {
    let mut squares: Vec<[u8; 4]> = legal
        .iter()
        .map(|mv| {
            let mv = parsed(mv);
            let at = |member: &str, index: usize| mv[member][index].as_u64().unwrap() as u8;
            [at("from", 0), at("from", 1), at("to", 0), at("to", 1)]
        })
        .collect();
    assert!(squares.is_sorted(), "legal moves are listed by from-square, then to-square");
    squares.sort_unstable();
    squares.concat().iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn rows(body: &serde_json::Value) -> Vec<String> {
    let mark = |cell: &serde_json::Value| [".", "1", "2"][cell.as_u64().unwrap() as usize];
    let row = |row: &serde_json::Value| row.as_array().unwrap().iter().map(mark).collect::<String>();
    body["cells"].as_array().unwrap().iter().map(row).collect()
}

fn replay(case: &Playout) -> Box<dyn Position> {
    let mut position = standard(case.size);
    for (ply, mv) in case.moves.iter().enumerate() {
        let seat = if ply % 2 == 0 { Seat::One } else { Seat::Two };
        assert_eq!(position.to_act(), [seat], "{} ply {ply}", case.id);
        let legal = position.legal_moves(seat);
        assert_eq!(legal.len(), case.legal_counts[ply], "{} ply {ply}", case.id);
        assert_eq!(fnv32(&legal), case.legal_fnv32[ply], "{} ply {ply}", case.id);
        position = position.apply(&[SeatMove { seat, json: &mv.to_string() }]).unwrap().0;
    }
    position
}

#[test]
fn every_reference_game_is_replayed_with_the_same_legal_moves_and_the_same_end() {
    let cases: Vec<Playout> = lines(include_bytes!("../cases/breakthrough_playouts.jsonl.gz"));
    assert!(cases.len() >= 300);
    for case in cases {
        let position = replay(&case);
        let outcome = position.outcome().unwrap();
        let reason = if case.reason == "reach" { "far_row" } else { "no_pawns" };
        assert_eq!((outcome.winner.map(Seat::number), outcome.reason), (Some(case.winner), reason), "{}", case.id);
        let body = parsed(&position.body());
        let captured = [&body["captured"]["1"], &body["captured"]["2"]].map(|count| count.as_u64().unwrap());
        assert_eq!(captured, case.captured_by_seat, "{}", case.id);
        assert_eq!(rows(&body), case.final_board, "{}", case.id);
    }
}

#[derive(Deserialize)]
struct Five {
    moves: Vec<(u8, u8, char)>,
    first_five_ply: Option<usize>,
    symbol: Option<char>,
}

#[test]
fn five_in_a_row_is_seen_at_the_ply_at_which_it_first_stands() {
    let cases: Vec<Five> = lines(include_bytes!("../cases/five_in_a_row.jsonl.gz"));
    assert!(cases.len() >= 500);
    for (number, case) in cases.iter().enumerate() {
        let mut board = Board::default();
        let mut first = None;
        for (ply, &(row, col, symbol)) in (1..).zip(&case.moves) {
            let piece = if symbol == 'X' { Piece::X } else { Piece::O };
            board = board.with(Spot::new(row, col).unwrap(), piece);
            first = first.or_else(|| board.five().map(|piece| (ply, piece.letter())));
        }
        assert_eq!(first, case.first_five_ply.zip(case.symbol), "case {number}");
    }
}
