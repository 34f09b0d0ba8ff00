//! Any text as a move and as a ply at the beginning of any game.

#![no_main]

use farside_rules::domain::pawns::Seat;
use farside_rules::domain::rules::{SeatMove, StartRequest, catalogue};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (game, text) = input;
    let rules = &catalogue()[usize::from(game) % catalogue().len()];
    let request = StartRequest { options: "", seed: &[7; 32], game_number: 1, creator_seat: 0 };
    let position = rules.start(request).expect("the defaults begin a game");
    for seat in Seat::BOTH {
        if let Ok(played) = position.check(SeatMove { seat, json: text }) {
            let again = position.check(SeatMove { seat, json: &played.json }).expect("canonical moves are legal");
            assert_eq!(again, played);
        }
    }
    let _ = position.apply_ply(text);
});
