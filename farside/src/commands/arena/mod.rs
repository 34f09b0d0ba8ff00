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
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// Rows and columns of the board, 6 to 12
    #[arg(long, default_value_t = 8)]
    size: u8,
    /// Milliseconds for a move of `crazy` and of outside engines; without it crazy plays by nodes, the others get 100
    #[arg(long)]
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

/// Plays the games and writes a line after each pair, then the result.
///
/// # Errors
/// When an engine is unknown, cannot be started, or makes an illegal move.
pub fn run(args: &ArenaArgs, out: &mut dyn Write) -> Result<()> {
    let size = Size::new(args.size)?;
    let limit = args.ms.map(Duration::from_millis);
    let new_player =
        |name: &str| player::by_name(name, limit, &args.uci_options).with_context(|| format!("engine {name}"));
    let (mut a, mut b) = (new_player(&args.a)?, new_player(&args.b)?);
    let mut tally = Tally::default();
    for pair in 0..u64::from(args.games.div_ceil(2)) {
        let start = opening(size, args.opening_plies, args.seed + pair);
        let first = play(start, &mut [a.as_mut(), b.as_mut()], args.seed + pair)?;
        let second = play(start, &mut [b.as_mut(), a.as_mut()], args.seed + pair)?;
        tally.add(first == Seat::One);
        tally.add(second == Seat::Two);
        writeln!(out, "{} {tally}", args.a)?;
    }
    writeln!(out, "{} against {} on {size}×{size}: {tally}", args.a, args.b)?;
    Ok(())
}

/// Plays one game from the opening and says which seat won.
fn play(start: (PawnBoard, Seat), players: &mut [&mut dyn Player; 2], game: u64) -> Result<Seat> {
    for player in players.iter_mut() {
        player.new_game(game)?;
    }
    let (mut board, mut seat) = start;
    loop {
        if let Some((winner, _)) = board.finished(seat) {
            return Ok(winner);
        }
        let step = players[seat.index()].choose(&board, seat)?;
        board = match board.apply(step, seat) {
            Ok(after) => after,
            Err(fault) => bail!("illegal move {step} by seat {seat}: {fault}\n{}", board.to_rows().join("\n")),
        };
        seat = seat.other();
    }
}
