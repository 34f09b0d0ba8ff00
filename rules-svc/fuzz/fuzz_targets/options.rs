//! Any text as options of any game: refused, or resolved to options that resolve to themselves and begin a game.

#![no_main]

use farside_rules::domain::rules::{StartRequest, catalogue};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (game, text) = input;
    let rules = &catalogue()[usize::from(game) % catalogue().len()];
    let Ok(options) = rules.resolve(text) else { return };
    assert_eq!(rules.resolve(&options).expect("complete options fit"), options);
    let request = StartRequest { options: &options, seed: &[7; 32], game_number: 1, creator_seat: 0 };
    let position = rules.start(request).expect("resolved options begin a game");
    assert!(rules.load(&position.state()).is_ok());
});
