//! `farside perft GAME`: how many move sequences there are, and how fast they are counted.

use std::io::Write;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use farside_kit::time::Stopwatch;
use farside_rules::domain::pawns::{Leaves, PawnBoard, Seat, Size, Square, perft};
use farside_rules::domain::rules::{self, StartRequest};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What is counted, and from where.
#[derive(Args, Debug)]
pub struct PerftArgs {
    /// A pawn game: breakthrough, breakthrough-small, landbreaker or breakthrough-symmetric
    game: String,
    /// The game's options as JSON; a random start has no position without a seed and is counted from the standard one
    #[arg(long, default_value = "{}")]
    options: String,
    /// Any position, instead of a start: {"size": 8, "board": ["11111111", …], "side": 1}
    #[arg(long)]
    position: Option<String>,
    /// Moves in each sequence
    #[arg(long)]
    depth: u32,
    /// Make every last move instead of counting the last two plies in bulk
    #[arg(long)]
    full: bool,
    /// Print {"nodes", "seconds", "nodes_per_s"}
    #[arg(long)]
    json: bool,
}

/// A position as it is written on the command line: row 0 first, `1`, `2` and `.` for the squares.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    size: u8,
    board: Vec<String>,
    side: u8,
}

#[derive(Serialize)]
struct Figures {
    nodes: u64,
    seconds: f64,
    nodes_per_s: f64,
}

/// Counts and writes the figures.
///
/// # Errors
/// When game, options or position do not fit.
pub fn run(args: &PerftArgs, out: &mut dyn Write) -> Result<()> {
    let (board, seat) = match &args.position {
        Some(text) => written(text)?,
        None => (start(&args.game, &args.options)?, Seat::One),
    };
    let leaves = if args.full { Leaves::Made } else { Leaves::Counted };
    let watch = Stopwatch::start();
    let nodes = perft(&board, seat, args.depth, leaves);
    let seconds = watch.elapsed().as_secs_f64();
    let figures = Figures { nodes, seconds, nodes_per_s: nodes as f64 / seconds.max(1e-9) };
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&figures)?)?;
    } else {
        let millions = figures.nodes_per_s / 1e6;
        writeln!(out, "{nodes} nodes in {seconds:.3} s, {millions:.1} million a second")?;
    }
    Ok(())
}

fn written(text: &str) -> Result<(PawnBoard, Seat)> {
    let Written { size, board, side } = serde_json::from_str(text).context("--position")?;
    if board.len() != usize::from(size) {
        bail!("--position: `board` has {} rows instead of {size}", board.len());
    }
    let board = PawnBoard::from_rows(&board).context("--position: `board`")?;
    let seat = Seat::from_number(side).with_context(|| format!("--position: `side` is 1 or 2, not {side}"))?;
    Ok((board, seat))
}

/// The first position of a game. What the options leave open is as in the contract, but for a start that only a seed
/// decides: then it is the standard one.
fn start(game: &str, options: &str) -> Result<PawnBoard> {
    let rules = rules::find(game)?;
    let given: Map<String, Value> = serde_json::from_str(options).context("--options")?;
    let mut resolved: Map<String, Value> = serde_json::from_str(&rules.resolve(options)?)?;
    if !given.contains_key("start") && resolved.contains_key("start") {
        resolved.insert("start".to_owned(), "standard".into());
    }
    let options = serde_json::to_string(&resolved)?;
    let request = StartRequest { options: &options, seed: &[], game_number: 1, creator_seat: 1 };
    let body = rules.start(request)?.body();
    let Ok(Body { size, cells }) = serde_json::from_str(&body) else { bail!("{game} is not played with pawns") };
    let board = board(size, &cells)?;
    if Seat::BOTH.into_iter().any(|seat| board.count(seat) == 0) {
        bail!("{game} does not begin with a pawn's move; give --position");
    }
    Ok(board)
}

/// As much of a pawn game's body as says where the pawns stand.
#[derive(Deserialize)]
struct Body {
    size: u8,
    cells: Vec<Vec<u8>>,
}

fn board(size: u8, cells: &[Vec<u8>]) -> Result<PawnBoard> {
    let squares = (0..).zip(cells).flat_map(|(row, cells)| (0..).zip(cells).map(move |(col, &cell)| (row, col, cell)));
    let mut board = PawnBoard::empty(Size::new(size)?);
    for (row, col, cell) in squares {
        if let Some(seat) = Seat::from_number(cell) {
            board = board.with_pawn(Square::new(row, col), seat)?;
        }
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::{PerftArgs, run};

    fn counted(game: &str, options: &str, position: Option<&str>, depth: u32) -> anyhow::Result<String> {
        let args = PerftArgs {
            game: game.to_owned(),
            options: options.to_owned(),
            position: position.map(str::to_owned),
            depth,
            full: false,
            json: true,
        };
        let mut out = Vec::new();
        run(&args, &mut out)?;
        let figures: serde_json::Value = serde_json::from_slice(&out)?;
        Ok(figures["nodes"].to_string())
    }

    #[test]
    fn a_start_is_counted_by_the_options_of_the_game() {
        assert_eq!(counted("breakthrough", "{}", None, 5).unwrap(), "6182818");
        assert_eq!(counted("breakthrough", r#"{"size": 6}"#, None, 4).unwrap(), "71478");
        assert_eq!(counted("breakthrough-small", "{}", None, 3).unwrap(), "4308");
    }

    #[test]
    fn any_position_is_counted() {
        let position =
            r#"{"size": 6, "board": ["...111", ".1...1", "...1..", "22..2.", "2.....", ".2..2."], "side": 2}"#;
        assert_eq!(counted("breakthrough", "{}", Some(position), 4).unwrap(), "26484");
    }

    #[test]
    fn what_has_no_position_is_refused() {
        let random = counted("breakthrough", r#"{"start": "random"}"#, None, 2);
        assert!(random.unwrap_err().to_string().contains("seed"));
        assert!(counted("maker-breaker", "{}", None, 2).unwrap_err().to_string().contains("not played with pawns"));
    }
}
