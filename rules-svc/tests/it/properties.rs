//! What holds in every game, whatever is played.

use farside_rules::domain::pawns::{PawnBoard, PawnMove, Seat, Square};
use farside_rules::domain::rules::{Position, SeatMove, catalogue};
use proptest::prelude::*;
use serde_json::Value;

use crate::support::{VARIETIES, apply, begin, game, parsed, pick, play_out};

fn variety() -> impl Strategy<Value = (&'static str, &'static str)> {
    prop::sample::select(VARIETIES.to_vec())
}

fn pawn_variety() -> impl Strategy<Value = (&'static str, &'static str)> {
    prop::sample::select(VARIETIES[..12].to_vec())
}

/// The rows of a seat's pawns, as a list of row and column.
fn pawns(body: &Value, seat: u64) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (row, cells) in body["cells"].as_array().unwrap().iter().enumerate() {
        for (col, cell) in cells.as_array().unwrap().iter().enumerate() {
            if cell == seat {
                found.push((row, col));
            }
        }
    }
    found
}

fn advance(body: &Value, seat: u64) -> usize {
    let size = body["size"].as_u64().unwrap() as usize;
    let steps = |(row, _): (usize, usize)| if seat == 1 { row } else { size - 1 - row };
    pawns(body, seat).into_iter().map(steps).sum()
}

fn is_placing(position: &dyn Position) -> bool {
    position.to_act().first().is_some_and(|&seat| position.legal_moves(seat)[0].starts_with("{\"place\""))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_game_ends_within_its_bound_and_its_plies_count_up(
        (id, options) in variety(), seed in any::<[u8; 32]>(), number in any::<u32>(),
    ) {
        let positions = play_out(id, options, seed, number);
        prop_assert!(positions.len() as u32 - 1 <= game(id).contract().facts.max_moves);
        for (ply, position) in positions.iter().enumerate() {
            prop_assert_eq!(position.ply() as usize, ply);
            prop_assert_eq!(position.outcome().is_some(), ply + 1 == positions.len());
            prop_assert_eq!(position.to_act().is_empty(), position.outcome().is_some());
        }
    }

    #[test]
    fn a_state_survives_its_bytes(
        (id, options) in variety(), seed in any::<[u8; 32]>(), number in any::<u32>(),
    ) {
        for position in play_out(id, options, seed, number) {
            let state = position.state();
            let loaded = game(id).load(&state).unwrap();
            prop_assert_eq!(loaded.state(), state);
            prop_assert_eq!(loaded.body(), position.body());
            prop_assert_eq!(loaded.to_act(), position.to_act());
            prop_assert_eq!(loaded.ply(), position.ply());
        }
    }

    #[test]
    fn bytes_that_are_accepted_are_the_one_encoding(
        (id, options) in variety(), number in any::<u32>(),
        at in any::<prop::sample::Index>(), from in any::<prop::sample::Index>(), byte in any::<u8>(), cut in 0_usize..3,
    ) {
        let positions = play_out(id, options, crate::support::SEED, number);
        let mut state = positions[from.index(positions.len())].state();
        let at = at.index(state.len());
        state[at] = byte;
        state.truncate(state.len() - cut);
        for rules in catalogue() {
            if let Ok(position) = rules.load(&state) {
                prop_assert_eq!(position.state(), state.clone());
                for seat in position.to_act() {
                    prop_assert!(!position.legal_moves(seat).is_empty());
                }
                prop_assert!(!position.board_text().is_empty() && !position.body().is_empty());
            }
        }
    }

    #[test]
    fn a_pawn_never_goes_back_and_none_appears(
        (id, options) in pawn_variety(), seed in any::<[u8; 32]>(), number in any::<u32>(),
    ) {
        let positions = play_out(id, options, seed, number);
        let steps = positions.windows(2).filter(|pair| !is_placing(pair[0].as_ref()));
        for pair in steps {
            let [before, after] = [parsed(&pair[0].body()), parsed(&pair[1].body())];
            let mover = u64::from(pair[0].to_act()[0].number());
            let other = 3 - mover;
            prop_assert_eq!(advance(&after, mover), advance(&before, mover) + 1);
            prop_assert_eq!(pawns(&after, mover).len(), pawns(&before, mover).len());
            let lost = pawns(&before, other).len() - pawns(&after, other).len();
            let member = mover.to_string();
            let taken = after["captured"][&member].as_u64().unwrap() - before["captured"][&member].as_u64().unwrap();
            prop_assert!(lost <= 1 && lost as u64 == taken);
            let stayed = pawns(&after, other).iter().all(|square| pawns(&before, other).contains(square));
            prop_assert!(stayed);
        }
    }

    #[test]
    fn a_square_pair_is_legal_exactly_when_it_is_listed(
        (id, options) in pawn_variety(), seed in any::<[u8; 32]>(), number in any::<u32>(), from in any::<prop::sample::Index>(),
    ) {
        let positions = play_out(id, options, seed, number);
        let position = positions[from.index(positions.len())].as_ref();
        prop_assume!(!position.to_act().is_empty() && !is_placing(position));
        let seat = position.to_act()[0];
        let listed = position.legal_moves(seat);
        let squares: Vec<(u8, u8)> = (0..12).flat_map(|row| (0..12).map(move |col| (row, col))).collect();
        for from in &squares {
            for to in &squares {
                let json = format!(r#"{{"from":[{},{}],"to":[{},{}]}}"#, from.0, from.1, to.0, to.1);
                let checked = position.check(SeatMove { seat, json: &json });
                prop_assert_eq!(checked.is_ok(), listed.contains(&json), "{}: {:?}", json, checked);
                let applied = position.apply(&[SeatMove { seat, json: &json }]);
                prop_assert_eq!(applied.is_ok(), checked.is_ok());
            }
        }
    }

    #[test]
    fn both_seats_play_by_the_same_rules(size in 6_u8..=12, seed in any::<[u8; 32]>(), number in any::<u32>()) {
        let options = format!(r#"{{"size": {size}}}"#);
        for position in play_out("breakthrough", &options, seed, number) {
            let board = board_of(&parsed(&position.body()));
            let turned = turn(&board);
            for seat in Seat::BOTH {
                let mut expected: Vec<PawnMove> =
                    board.legal_moves(seat).into_iter().map(|step| turn_move(step, size)).collect();
                expected.sort_unstable();
                prop_assert_eq!(turned.legal_moves(seat.other()), expected);
            }
        }
    }

    #[test]
    fn checking_a_placement_changes_nothing_that_anyone_sees(number in any::<u32>(), stop in any::<prop::sample::Index>()) {
        let positions = play_out("maker-breaker", "", crate::support::SEED, number);
        let position = &positions[stop.index(positions.len())];
        let seen = || (position.state(), position.body(), position.to_act(), position.board_text());
        let before = seen();
        for (seat, json) in pick(position.as_ref(), number) {
            position.check(SeatMove { seat, json: &json }).unwrap();
            prop_assert_eq!(seen(), before.clone());
        }
    }

    #[test]
    fn a_round_takes_both_placements_in_any_order(number in any::<u32>()) {
        let mut position = begin("maker-breaker", "", crate::support::SEED);
        for round in 0_u32.. {
            let mut moves = pick(position.as_ref(), number.rotate_left(round));
            let forward = apply(position.as_ref(), &moves);
            moves.reverse();
            prop_assert_eq!(apply(position.as_ref(), &moves).state(), forward.state());
            position = forward;
            if position.outcome().is_some() {
                break;
            }
        }
    }

    #[test]
    fn text_that_is_no_move_is_refused_without_a_panic((id, options) in variety(), text in "\\PC{0,40}") {
        let position = begin(id, options, crate::support::SEED);
        for seat in Seat::BOTH {
            let _ = position.check(SeatMove { seat, json: &text });
        }
        let _ = position.apply_ply(&text);
        let _ = game(id).resolve(&text);
        let _ = farside_rules::record::verify_json(&text, &[]);
        let _ = farside_rules::record::seal(&text);
    }

    #[test]
    fn bytes_that_are_no_state_are_refused_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        for rules in catalogue() {
            let _ = rules.load(&bytes);
        }
    }
}

fn board_of(body: &Value) -> PawnBoard {
    let mark = |cell: &Value| [".", "1", "2"][cell.as_u64().unwrap() as usize];
    let row = |row: &Value| row.as_array().unwrap().iter().map(mark).collect::<String>();
    let rows: Vec<String> = body["cells"].as_array().unwrap().iter().map(row).collect();
    PawnBoard::from_rows(&rows).unwrap()
}

fn turn_square(square: Square, size: u8) -> Square {
    Square::new(size - 1 - square.row, size - 1 - square.col)
}

fn turn_move(step: PawnMove, size: u8) -> PawnMove {
    PawnMove::new(turn_square(step.from, size), turn_square(step.to, size))
}

/// The board turned by 180° with the seats swapped.
fn turn(board: &PawnBoard) -> PawnBoard {
    let size = board.size().get();
    let pawns = Seat::BOTH.into_iter().flat_map(|seat| board.pawns_of(seat).map(move |square| (square, seat)));
    pawns.fold(PawnBoard::empty(board.size()), |turned, (square, seat)| {
        turned.with_pawn(turn_square(square, size), seat.other()).unwrap()
    })
}
