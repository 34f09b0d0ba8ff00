//! The engine: nodes searched a second, validation beside analyses, and a match against Fairy-Stockfish, short enough to
//! be played often. The long matches of `docs/strength.md` are `farside arena`'s.

use std::process::Command;

use anyhow::Context as _;

use super::{BUILD, bench, release_folder};
use crate::{prerequisites, repository, run::Runner};

const GAMES: &str = "20";
const MILLISECONDS: &str = "100";

/// Measures and prints.
pub(super) fn run(runner: &Runner) -> anyhow::Result<()> {
    prerequisites::plan_with(&[prerequisites::FAIRY_STOCKFISH]).carry_out(runner)?;
    runner.run(repository::cargo().args(BUILD).args(["pawns", "--example", "validation"]))?;
    runner.run(bench("pawns").arg("nodes_searched"))?;
    let folder = release_folder()?;
    runner.run(&mut Command::new(folder.join("examples/validation")))?;
    let program = prerequisites::fairy_stockfish().context("Fairy-Stockfish is not installed")?;
    let opponent = format!("uci:{}", program.display());
    let mut arena = Command::new(folder.join("farside"));
    runner.run(arena.args(["arena", "crazy", &opponent, "--ms", MILLISECONDS, "--games", GAMES]))
}
