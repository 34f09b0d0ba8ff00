//! Any bytes as a state of any game: refused, or the one encoding of a position that can be described and played on.

#![no_main]

use farside_rules::domain::rules::{SeatMove, catalogue};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &[u8])| {
    let (game, body) = input;
    let rules = &catalogue()[usize::from(game) % catalogue().len()];
    let id = rules.contract().facts.id;
    // The header is known: what is interesting comes after it.
    let state = [&[1, id.len() as u8], id.as_bytes(), body].concat();
    let Ok(position) = rules.load(&state) else { return };
    assert_eq!(position.state(), state);
    assert!(!position.body().is_empty() && !position.board_text().is_empty());
    assert_eq!(position.to_act().is_empty(), position.outcome().is_some());
    for seat in position.to_act() {
        for json in position.legal_moves(seat).iter().filter(|json| !json.contains("squares")) {
            position.check(SeatMove { seat, json }).expect("a listed move is legal");
        }
    }
});
