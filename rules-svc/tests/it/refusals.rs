//! Bad input: each kind is refused with its reason, its place, and a sentence to act on.

use farside_rules::domain::error::RulesError;
use farside_rules::domain::pawns::Seat;
use farside_rules::domain::rules::{self, Position, SeatMove, StartRequest};

use crate::support::{SEED, begin, game, standard};

fn refused(fault: &RulesError, reason: &str, pointer: &str, words: &str) {
    assert_eq!(fault.reason(), reason, "{fault}");
    assert!(fault.to_string().contains(words), "{fault}");
    let first = fault.violations().into_iter().next().map(|violation| violation.pointer);
    assert_eq!(first.unwrap_or_default(), pointer, "{fault}");
}

#[test]
fn options_are_refused_with_the_fields_and_the_range_allowed() {
    for (id, options, pointer, words) in [
        ("breakthrough", "[]", "", "must be a JSON object"),
        ("breakthrough", "{", "", "is not JSON"),
        ("breakthrough", "{} {}", "", "after the end"),
        ("breakthrough", r#"{"size": 5}"#, "/size", "a whole number from 6 to 12"),
        ("breakthrough", r#"{"size": null}"#, "/size", "a whole number from 6 to 12"),
        ("breakthrough", r#"{"size": 8, "size": 8}"#, "", "duplicate field `size`"),
        ("breakthrough", r#"{"start": "odd"}"#, "/start", "`standard` or `random`"),
        ("breakthrough", r#"{"colour": 1}"#, "/colour", "unknown field"),
        ("breakthrough", r#"{"pieces": 25, "start": "standard"}"#, "/pieces", "8 to 24 (3 × size)"),
        ("breakthrough", r#"{"pieces": 24, "random_rows": 2}"#, "/pieces", "8 to 16 (random_rows × size)"),
        ("breakthrough", r#"{"size": 6, "random_rows": 4}"#, "/random_rows", "2 to 3 (half the size)"),
        ("breakthrough", r#"{"size": 7, "random_rows": 4}"#, "/random_rows", "`size` 7"),
        ("landbreaker", r#"{"size": 6, "random_rows": 4, "start": "random"}"#, "/random_rows", "half the size"),
        ("breakthrough-small", r#"{"rows": 3}"#, "/rows", "a whole number from 1 to 2"),
        ("breakthrough-small", r#"{"size": 6}"#, "/size", "unknown field"),
        ("breakthrough-symmetric", r#"{"pieces": 10}"#, "/pieces", "unknown field"),
        ("breakthrough-handicap", r#"{"pieces": 16}"#, "/pieces", "a whole number from 8 to 15"),
        ("breakthrough-handicap", r#"{"stronger": 1}"#, "/stronger", "invalid type"),
        ("maker-breaker", r#"{"size": 6}"#, "/size", "unknown field"),
    ] {
        refused(&game(id).resolve(options).unwrap_err(), "OPTIONS_INVALID", pointer, words);
    }
}

#[test]
fn a_refusal_stays_short_however_much_it_quotes() {
    let long = "x".repeat(100_000);
    for fault in [
        game("breakthrough").resolve(&format!(r#"{{"{long}": 1}}"#)).unwrap_err(),
        game("breakthrough").resolve(&format!(r#"{{"start": "{long}"}}"#)).unwrap_err(),
        check(standard(8).as_ref(), Seat::One, &format!(r#"{{"from": "{long}"}}"#)),
        rules::find(&long).err().unwrap(),
    ] {
        assert!(fault.to_string().len() < 2_000);
        assert!(fault.violations().iter().all(|violation| violation.pointer.len() < 500));
    }
}

#[test]
fn a_standard_start_does_not_look_at_random_rows() {
    game("breakthrough").resolve(r#"{"size": 6, "random_rows": 4, "pieces": 18, "start": "standard"}"#).unwrap();
}

#[test]
fn a_start_is_refused_with_what_it_lacks() {
    let request = StartRequest { options: "", seed: &[], game_number: 1, creator_seat: 0 };
    let start = |request| game("breakthrough").start(request).err().unwrap();
    refused(&start(request), "SEED_REQUIRED", "/seed", "give a seed");
    refused(&start(StartRequest { seed: &[1; 31], ..request }), "SEED_INVALID", "/seed", "not 31");
    refused(&start(StartRequest { game_number: 3, ..request }), "START_INVALID", "/game_number", "1 to 2");
    refused(&start(StartRequest { creator_seat: 3, ..request }), "START_INVALID", "/creator_seat", "0 to 2");
    let symmetric = StartRequest { game_number: 2, ..request };
    refused(&game("maker-breaker").start(symmetric).err().unwrap(), "START_INVALID", "/game_number", "1 to 1");
    refused(&rules::find("chess").err().unwrap(), "GAME_NOT_FOUND", "", "`breakthrough`");
}

fn check(position: &dyn Position, seat: Seat, json: &str) -> RulesError {
    position.check(SeatMove { seat, json }).unwrap_err()
}

#[test]
fn pawn_moves_are_refused_with_the_rule_that_they_break() {
    let start = standard(8);
    for (json, reason, pointer, words) in [
        ("7", "MALFORMED_MOVE", "", "must be a JSON object"),
        ("", "MALFORMED_MOVE", "", "is not JSON"),
        (r#"{"from": [1, 12], "to": [2, 2]}"#, "MALFORMED_MOVE", "/from/1", "0 to 11"),
        (r#"{"from": [1, 2], "to": [2]}"#, "MALFORMED_MOVE", "/to", "length"),
        (r#"{"from": [1, 2]}"#, "MALFORMED_MOVE", "", "missing field `to`"),
        (r#"{"from": [1, 2], "to": [2, 2], "why": 0}"#, "MALFORMED_MOVE", "/why", "unknown field"),
        (r#"{"from": [8, 0], "to": [9, 0]}"#, "ILLEGAL_MOVE", "", "off the board"),
        (r#"{"from": [3, 3], "to": [4, 3]}"#, "ILLEGAL_MOVE", "", "no pawn"),
        (r#"{"from": [6, 0], "to": [5, 0]}"#, "ILLEGAL_MOVE", "", "belongs to seat 2"),
        (r#"{"from": [1, 2], "to": [3, 2]}"#, "ILLEGAL_MOVE", "", "one row forward"),
        (r#"{"from": [1, 2], "to": [0, 2]}"#, "ILLEGAL_MOVE", "", "one row forward"),
        (r#"{"from": [0, 2], "to": [1, 2]}"#, "ILLEGAL_MOVE", "", "blocked"),
        (r#"{"from": [0, 2], "to": [1, 3]}"#, "ILLEGAL_MOVE", "", "same seat"),
    ] {
        refused(&check(start.as_ref(), Seat::One, json), reason, pointer, words);
    }
    let other = check(start.as_ref(), Seat::Two, r#"{"from": [6, 0], "to": [5, 0]}"#);
    refused(&other, "NOT_YOUR_TURN", "", "to act: seat 1");
    refused(&check(start.as_ref(), Seat::Two, "{}"), "MALFORMED_MOVE", "", "missing field");
}

#[test]
fn faults_of_a_move_have_an_order_of_precedence() {
    let over = crate::support::play_out("breakthrough-small", "", SEED, 5).pop().unwrap();
    let illegal = r#"{"from": [3, 3], "to": [9, 9]}"#;
    for seat in Seat::BOTH {
        refused(&check(over.as_ref(), seat, "{}"), "MALFORMED_MOVE", "", "missing field");
        refused(&check(over.as_ref(), seat, illegal), "GAME_OVER", "", "the game is over");
    }
    refused(&over.apply(&[]).err().unwrap(), "GAME_OVER", "", "the game is over");
    let start = standard(6);
    refused(&check(start.as_ref(), Seat::Two, illegal), "NOT_YOUR_TURN", "", "not seat 2's turn");
    refused(&check(start.as_ref(), Seat::One, illegal), "ILLEGAL_MOVE", "", "off the board");
}

#[test]
fn placings_are_refused_with_what_is_wrong_about_them() {
    let start = begin("breakthrough-handicap", r#"{"pieces": 8}"#, SEED);
    assert_eq!(start.to_act(), [Seat::Two]);
    let place = |squares: &str| format!(r#"{{"place": [{squares}]}}"#);
    let edge = "[7,0],[7,1],[7,2],[7,3],[7,4],[7,5],[7,6]";
    for (json, reason, pointer, words) in [
        (place("[7,0]"), "MALFORMED_MOVE", "/place", "8 to 15 squares"),
        (place(&format!("{edge},[7]")), "MALFORMED_MOVE", "/place/7", "length"),
        (place(&format!("{edge},[7,7],[6,0]")), "ILLEGAL_MOVE", "", "exactly 8 pawns"),
        (place(&format!("{edge},[5,0]")), "ILLEGAL_MOVE", "", "home rows 6 and 7"),
        (place(&format!("{edge},[7,6]")), "ILLEGAL_MOVE", "", "named twice"),
        (r#"{"from": [6, 0], "to": [5, 0]}"#.to_owned(), "ILLEGAL_MOVE", "", "first seat 2 places its 8 pawns"),
    ] {
        refused(&check(start.as_ref(), Seat::Two, &json), reason, pointer, words);
    }
    let placed = start.apply_ply(&place(&format!("{edge},[6,7]"))).unwrap();
    assert_eq!((placed.0.ply(), placed.0.to_act()), (1, vec![Seat::One]));
    assert_eq!(placed.1[0].notation, "@h7,a8,b8,c8,d8,e8,f8,g8");
    let again = check(placed.0.as_ref(), Seat::One, &place(&format!("{edge},[6,7]")));
    refused(&again, "ILLEGAL_MOVE", "", "have been placed");
}

#[test]
fn rounds_are_refused_with_the_seat_that_is_at_fault() {
    let start = begin("maker-breaker", "", SEED);
    let apply = |ply: &str| start.apply_ply(ply).err().unwrap();
    refused(&apply(r#"{"1": {"at": [0, 0], "piece": "X"}}"#), "ROUND_INCOMPLETE", "", "seat 2");
    refused(&apply(r#"{"3": {"at": [0, 0], "piece": "X"}}"#), "MALFORMED_MOVE", "/3", "unknown field");
    let bad = r#"{"1": {"at": [0, 0], "piece": "X"}, "2": {"at": [0, 6], "piece": "X"}}"#;
    refused(&apply(bad), "MALFORMED_MOVE", "/2/at/1", "0 to 5");
    let mv = r#"{"at": [0, 0], "piece": "X"}"#;
    let twice = [SeatMove { seat: Seat::One, json: mv }, SeatMove { seat: Seat::One, json: mv }];
    refused(&start.apply(&twice).err().unwrap(), "ROUND_INCOMPLETE", "", "seat 2");
    let thrice = [twice[0], twice[1], SeatMove { seat: Seat::Two, json: mv }];
    refused(&start.apply(&thrice).err().unwrap(), "MALFORMED_MOVE", "", "two moves");
    let next = start.apply_ply(&format!(r#"{{"1": {mv}, "2": {mv}}}"#)).unwrap().0;
    refused(&check(next.as_ref(), Seat::One, mv), "ILLEGAL_MOVE", "", "on board 2 holds X already");
}

#[test]
fn a_list_of_plies_is_refused_at_the_ply_at_fault() {
    let plies = [r#"{"from":[1,0],"to":[2,0]}"#, r#"{"from":[6,0],"to":[5,99]}"#];
    let fault = rules::replay(standard(8), plies.into_iter()).err().unwrap();
    refused(&fault, "MALFORMED_MOVE", "/moves/1/to/1", "ply 1");
    let plies = [r#"{"from":[1,0],"to":[2,0]}"#, r#"{"from":[1,1],"to":[2,1]}"#];
    let fault = rules::replay(standard(8), plies.into_iter()).err().unwrap();
    refused(&fault, "ILLEGAL_MOVE", "/moves/1", "belongs to seat 1");
}

#[test]
fn states_are_refused_with_what_contradicts_what() {
    let state = standard(8).state();
    let load = |id: &str, bytes: &[u8]| game(id).load(bytes).err().unwrap();
    let header = 2 + "breakthrough".len();
    let changed = |at: usize, byte: u8| {
        let mut bytes = state.clone();
        bytes[at] = byte;
        bytes
    };
    for (bytes, words) in [
        (Vec::new(), "it is empty"),
        (changed(0, 9), "its version is 9"),
        (changed(1, 200), "too short"),
        (changed(2, b'B'), "another game"),
        (state[..header].to_vec(), "too short"),
        (state[..header + 4].to_vec(), "the board is empty"),
        (changed(header, 255), "more than 800"),
        (changed(header + 2, 1), "captured more pawns"),
        (changed(header + 4, 13), "6 to 12 rows"),
        (changed(header + 4, 9), "takes"),
        (changed(header + 5 + 8, 255), "both seats"),
        (changed(header + 5 + 7, 128), "both seats"),
        (changed(header + 5 + 5, 255), ""),
    ] {
        if !words.is_empty() {
            refused(&load("breakthrough", &bytes), "STATE_INVALID", "", words);
        }
    }
    refused(&load("landbreaker", &state), "STATE_INVALID", "", "another game");
}
