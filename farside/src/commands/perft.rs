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

/// What `--position` is, for whoever wrote something else.
const WANTED: &str =
    r#"a position is {"size": 6 to 12, "board": [a row of `1`, `2` and `.` for each], "side": 1 or 2}"#;

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
    let start = start(&args.game, &args.options)?;
    let (board, seat) = match &args.position {
        Some(text) => written(text).context("--position")?,
        None if has_both_sides(&start) => (start, Seat::One),
        None => bail!("{} does not begin with a pawn's move; give --position", args.game),
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
    let Written { size, board, side } = serde_json::from_str(text).context(WANTED)?;
    if board.len() != usize::from(size) {
        bail!("`board` has {} rows instead of {size}", board.len());
    }
    let board = PawnBoard::from_rows(&board).context("`board`")?;
    let seat = Seat::from_number(side).with_context(|| format!("`side` is 1 or 2, not {side}"))?;
    Ok((board, seat))
}

/// The first position of a game. What the options leave open is as in the contract, but for a start that only a seed
/// decides: then it is the standard one.
fn start(game: &str, options: &str) -> Result<PawnBoard> {
    let rules = rules::find(game)?;
    let resolved = rules.resolve(options).context("--options")?;
    // Blank options are the defaults.
    let given: Map<String, Value> = serde_json::from_str(options).unwrap_or_default();
    let mut resolved: Map<String, Value> = serde_json::from_str(&resolved)?;
    if !given.contains_key("start") && resolved.contains_key("start") {
        resolved.insert("start".to_owned(), "standard".into());
    }
    let options = serde_json::to_string(&resolved)?;
    let request = StartRequest { options: &options, seed: &[], game_number: 1, creator_seat: 1 };
    let body = rules.start(request).context("--options")?.body();
    let Ok(Body { size, cells }) = serde_json::from_str(&body) else { bail!("{game} is not played with pawns") };
    board(size, &cells)
}

fn has_both_sides(board: &PawnBoard) -> bool {
    Seat::BOTH.into_iter().all(|seat| board.count(seat) > 0)
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
    use proptest::prelude::*;

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
    fn any_legal_number_of_pawns_is_counted() {
        for (pieces, nodes) in [(8, "22"), (15, "22"), (24, "22")] {
            let options = format!(r#"{{"pieces": {pieces}}}"#);
            assert_eq!(counted("breakthrough", &options, None, 1).unwrap(), nodes, "{pieces}");
        }
        let lonely = r#"{"size": 6, "board": ["......", "1.....", "......", "......", ".....2", "......"], "side": 2}"#;
        assert_eq!(counted("breakthrough", "{}", Some(lonely), 2).unwrap(), "4");
    }

    fn refusal(game: &str, options: &str, position: Option<&str>) -> String {
        format!("{:#}", counted(game, options, position, 1).unwrap_err())
    }

    #[test]
    fn what_has_no_position_is_refused() {
        assert!(refusal("breakthrough", r#"{"start": "random"}"#, None).contains("seed"));
        assert!(refusal("maker-breaker", "{}", None).contains("not played with pawns"));
        assert!(refusal("breakthrough-handicap", "{}", None).contains("give --position"));
        assert!(refusal("chess", "{}", None).contains("the games are `breakthrough`"));
    }

    #[test]
    fn a_bad_argument_is_named_with_what_would_do() {
        for (options, words) in [
            ("{", "--options: the options do not fit"),
            ("[]", "--options: the options do not fit"),
            (r#"{"size": 5}"#, "/size"),
            (r#"{"sise": 8}"#, "sise"),
            (r#"{"size": 6, "pieces": 19}"#, "/pieces"),
        ] {
            let refusal = refusal("breakthrough", options, None);
            assert!(refusal.starts_with("--options: ") && refusal.contains(words), "{options}: {refusal}");
        }
        let rows = r#"["111111", "......", "......", "......", "......", "222222"]"#;
        for (position, words) in [
            ("{".to_owned(), "a position is {"),
            (format!(r#"{{"size": 6, "board": {rows}}}"#), "missing field `side`"),
            (format!(r#"{{"size": 7, "board": {rows}, "side": 1}}"#), "has 6 rows instead of 7"),
            (format!(r#"{{"size": 6, "board": {rows}, "side": 3}}"#), "`side` is 1 or 2, not 3"),
            (format!(r#"{{"size": 6, "board": {}, "side": 1}}"#, rows.replace("1111", "11x1")), "x"),
            (format!(r#"{{"size": 6, "board": {}, "side": 1}}"#, rows.replace("1111", "111")), "row 0"),
            (r#"{"size": 5, "board": ["1", "1", "1", "1", "1"], "side": 1}"#.to_owned(), "6 to 12 rows"),
        ] {
            let refusal = refusal("breakthrough", "{}", Some(&position));
            assert!(refusal.starts_with("--position: ") && refusal.contains(words), "{position}: {refusal}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_counted_or_refused_by_the_name_of_its_argument(text in r#"[\[\]{}":, a-z0-9.-]{0,40}"#) {
            if let Err(fault) = counted("breakthrough", &text, None, 1) {
                prop_assert!(format!("{fault:#}").starts_with("--options: "), "{fault:#}");
            }
            let refusal = refusal("breakthrough", "{}", Some(&text));
            prop_assert!(refusal.starts_with("--position: a position is {"), "{}", refusal);
        }
    }
}
