//! `farside arena A B`: which of two engines plays Breakthrough better, and how sure that is.
//!
//! Games come in pairs from the same random opening, seats swapped. It is a measurement, not a
//! match on the platform: nothing is stored, rated or staked.

mod opening;
mod player;
mod tally;

use std::io::Write;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use farside_rules::domain::pawns::{PawnBoard, Seat, Size};

use opening::opening;
use player::Player;
use tally::Tally;

/// Two engines and how they meet.
#[derive(Args, Debug)]
pub struct ArenaArgs {
    /// easy, normal, hard, crazy, uci:COMMAND or jsonl:COMMAND
    a: String,
    /// The other engine, named in the same way
    b: String,
    /// Games, in pairs with seats swapped
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Rows and columns of the board, 6 to 12
    #[arg(long, default_value_t = 8)]
    size: u8,
    /// Milliseconds for a move of `crazy` and of outside engines; without it crazy plays by nodes, the others get 100
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    ms: Option<u64>,
    /// The first opening; each pair takes the next
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Random plies before the first move of a game
    #[arg(long, default_value_t = 4)]
    opening_plies: usize,
    /// UCI options for outside UCI engines, as NAME=VALUE
    #[arg(long = "uci-option", value_name = "NAME=VALUE")]
    uci_options: Vec<String>,
}

/// A player and what it is called on the command line.
struct Named<'a> {
    name: &'a str,
    player: Box<dyn Player>,
}

/// Plays the games and writes a line after each pair, then the result.
///
/// # Errors
/// When an engine is unknown, cannot be started, or makes an illegal move.
pub fn run(args: &ArenaArgs, out: &mut dyn Write) -> Result<()> {
    let size = Size::new(args.size).context("--size")?;
    let limit = args.ms.map(Duration::from_millis);
    let uci_options = args.uci_options.iter().map(|option| uci_option(option)).collect::<Result<Vec<_>>>()?;
    let named = |name| {
        let player = player::by_name(name, limit, &uci_options).with_context(|| format!("engine {name}"));
        player.map(|player| Named { name, player })
    };
    let (mut a, mut b) = (named(&args.a)?, named(&args.b)?);
    let mut tally = Tally::default();
    for pair in 0..u64::from(args.games.div_ceil(2)) {
        let start = opening(size, args.opening_plies, args.seed + pair);
        let first = play(start, [&mut a, &mut b], args.seed + pair)?;
        let second = play(start, [&mut b, &mut a], args.seed + pair)?;
        tally.add(first == Seat::One);
        tally.add(second == Seat::Two);
        writeln!(out, "{} {tally}", args.a)?;
    }
    writeln!(out, "{} against {} on {size}×{size}: {tally}", args.a, args.b)?;
    Ok(())
}

/// Name and value of a UCI option.
fn uci_option(text: &str) -> Result<(&str, &str)> {
    let parts = text.split_once('=').filter(|(name, _)| !name.trim().is_empty());
    parts.with_context(|| format!("--uci-option: `{text}` is not NAME=VALUE"))
}

/// Plays one game from the opening and says which seat won.
fn play(start: (PawnBoard, Seat), mut players: [&mut Named<'_>; 2], game: u64) -> Result<Seat> {
    for Named { name, player } in &mut players {
        player.new_game(game).with_context(|| format!("engine {name}"))?;
    }
    let (mut board, mut seat) = start;
    loop {
        if let Some((winner, _)) = board.finished(seat) {
            return Ok(winner);
        }
        let Named { name, player } = &mut players[seat.index()];
        let step = player.choose(&board, seat).with_context(|| format!("engine {name}"))?;
        board = match board.apply(step, seat) {
            Ok(after) => after,
            Err(fault) => bail!("engine {name}: illegal move {step}: {fault}\n{}", board.to_rows().join("\n")),
        };
        seat = seat.other();
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use proptest::prelude::*;

    use super::{ArenaArgs, run};

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        arena: ArenaArgs,
    }

    fn played(words: &[&str]) -> Result<String, String> {
        let line = Line::try_parse_from([&["arena"], words].concat()).map_err(|fault| fault.to_string())?;
        let mut out = Vec::new();
        run(&line.arena, &mut out).map_err(|fault| format!("{fault:#}"))?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn pairs_are_played_and_the_last_line_is_the_result() {
        let text = played(&["normal", "easy", "--games", "3", "--size", "6"]).unwrap();
        assert_eq!(text.lines().count(), 3);
        let last = text.lines().last().unwrap();
        assert!(last.starts_with("normal against easy on 6×6: ") && last.contains("/4 = "), "{last}");
    }

    #[test]
    fn a_bad_argument_is_named_with_what_would_do() {
        for (words, wanted) in [
            (vec!["easy", "godlike"], "engine godlike: there is no level `godlike`; the levels are easy"),
            (vec!["easy", "normal", "--size", "5"], "--size: a board has 6 to 12 rows, not 5"),
            (vec!["easy", "normal", "--games", "0"], "--games"),
            (vec!["easy", "normal", "--ms", "0"], "--ms"),
            (vec!["easy", "normal", "--uci-option", "Hash"], "--uci-option: `Hash` is not NAME=VALUE"),
            (vec!["easy", "uci:"], "engine uci:: the command is empty"),
            (vec!["easy", "jsonl:/nowhere/at-all"], "cannot start `/nowhere/at-all`"),
            (vec!["jsonl:true", "easy", "--games", "2"], "engine jsonl:true: the engine"),
            (vec!["jsonl:yes {}", "easy", "--games", "2"], "engine jsonl:yes {}: cannot read `{}`"),
        ] {
            let refusal = played(&words).unwrap_err();
            assert!(refusal.contains(wanted), "{words:?}: {refusal}");
        }
    }

    proptest! {
        #[test]
        fn any_other_word_is_refused_as_an_engine_by_its_name(name in "[a-z0-9 .]{1,12}") {
            prop_assume!(!["easy", "normal", "hard", "crazy"].contains(&name.as_str()));
            let refusal = played(&["easy", &name]).unwrap_err();
            prop_assert!(refusal.starts_with(&format!("engine {name}: there is no level")), "{}", refusal);
        }
    }
}
