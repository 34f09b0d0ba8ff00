//! Move sequences of standard Breakthrough counted per second, against Fairy-Stockfish: one thread each, one after the
//! other in the same run. Whether the counts are right is a test's matter; that both agree is checked all the same.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, Command, Stdio},
    time::Instant,
};

use anyhow::{Context as _, bail, ensure};
use serde::Deserialize;

use super::{platform_program, spread};
use crate::{prerequisites, run::Runner};

const DEPTH: u32 = 6;
/// The largest board, which Fairy-Stockfish does not play.
const LARGE: u32 = 12;
const LARGE_DEPTH: u32 = 5;
/// Each is measured so often; the middle counts.
const ROUNDS: usize = 3;

#[derive(Clone, Copy, Debug, Deserialize)]
struct Figures {
    nodes: u64,
    nodes_per_s: f64,
}

/// Measures and prints a table.
pub(super) fn run(runner: &Runner) -> anyhow::Result<()> {
    prerequisites::plan_with(&[prerequisites::FAIRY_STOCKFISH]).carry_out(runner)?;
    let farside = platform_program(runner)?;
    let theirs = middle(runner, fairy_stockfish)?;
    let counted = middle(runner, || ours(&farside, 8, DEPTH, false))?;
    let made = middle(runner, || ours(&farside, 8, DEPTH, true))?;
    for figures in [counted, made] {
        ensure!(figures.nodes == theirs.nodes, "{} sequences here, {} there", figures.nodes, theirs.nodes);
    }
    println!("| what, one thread | sequences | million/s | against Fairy-Stockfish |");
    println!("|---|---|---|---|");
    let ratio = |figures: Figures| format!("{:.1} ×", figures.nodes_per_s / theirs.nodes_per_s);
    print_row(&format!("8×8 depth {DEPTH}, Fairy-Stockfish"), theirs, "");
    print_row(&format!("8×8 depth {DEPTH}, leaves counted"), counted, &ratio(counted));
    print_row(&format!("8×8 depth {DEPTH}, every move made"), made, &ratio(made));
    for (what, is_full) in [("leaves counted", false), ("every move made", true)] {
        let figures = middle(runner, || ours(&farside, LARGE, LARGE_DEPTH, is_full))?;
        print_row(&format!("{LARGE}×{LARGE} depth {LARGE_DEPTH}, {what}"), figures, "");
    }
    Ok(())
}

fn print_row(what: &str, figures: Figures, ratio: &str) {
    println!("| {what} | {} | {:.1} | {ratio} |", figures.nodes, figures.nodes_per_s / 1e6);
}

/// Measures several times.
fn middle(runner: &Runner, measure: impl Fn() -> anyhow::Result<Figures>) -> anyhow::Result<Figures> {
    let mut rates = Vec::new();
    let mut nodes = 0;
    for _ in 0..ROUNDS {
        runner.check_interrupted()?;
        let figures = measure()?;
        nodes = figures.nodes;
        rates.push(figures.nodes_per_s);
    }
    let [_, nodes_per_s, _] = spread(rates).context("nothing was measured")?;
    Ok(Figures { nodes, nodes_per_s })
}

fn ours(farside: &Path, size: u32, depth: u32, is_full: bool) -> anyhow::Result<Figures> {
    let options = format!(r#"{{"size":{size},"start":"standard"}}"#);
    let mut command = Command::new(farside);
    command.args(["perft", "breakthrough", "--options", &options, "--depth", &depth.to_string(), "--json"]);
    command.args(is_full.then_some("--full"));
    let output = command.output().context("cannot start farside")?;
    ensure!(output.status.success(), "farside perft failed: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).context("farside perft printed something else")
}

fn fairy_stockfish() -> anyhow::Result<Figures> {
    let program = prerequisites::fairy_stockfish().context("Fairy-Stockfish is not installed")?;
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start Fairy-Stockfish")?;
    let figures = ask(&mut child);
    // It has nothing to save, and may be in the middle of something when it answered wrongly.
    let _ = child.kill();
    child.wait()?;
    figures
}

/// Has it count; neither its start nor its end is measured.
fn ask(child: &mut Child) -> anyhow::Result<Figures> {
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        bail!("Fairy-Stockfish has no input or output");
    };
    let mut lines = BufReader::new(output).lines();
    write!(input, "uci\nsetoption name UCI_Variant value breakthrough\nposition startpos\nisready\n")?;
    answer(&mut lines, "readyok")?;
    let start = Instant::now();
    writeln!(input, "go perft {DEPTH}")?;
    let nodes: u64 = answer(&mut lines, "Nodes searched:")?.trim().parse().context("not a count")?;
    Ok(Figures { nodes, nodes_per_s: nodes as f64 / start.elapsed().as_secs_f64() })
}

/// Reads up to the line that begins so; answers the rest of it.
fn answer(lines: &mut impl Iterator<Item = std::io::Result<String>>, beginning: &str) -> anyhow::Result<String> {
    for line in lines {
        if let Some(rest) = line?.strip_prefix(beginning) {
            return Ok(rest.to_owned());
        }
    }
    bail!("Fairy-Stockfish ended without saying {beginning:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_found_among_what_an_engine_prints() {
        let mut lines = ["info string x", "a2a3: 1", "Nodes searched: 42"].map(|line| Ok(line.to_owned())).into_iter();
        assert_eq!(answer(&mut lines, "Nodes searched:").unwrap().trim(), "42");
        assert!(answer(&mut lines, "Nodes searched:").is_err());
    }
}
