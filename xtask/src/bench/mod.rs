//! `cargo xtask bench NAME`: one measurement, with databases of its own where it needs them.
//!
//! What is measured inside a service lives beside it (`SERVICE/benches/`); here are the choice, and the measurements of
//! whole programs. What came out is written down in `docs/performance.md`, by hand.

use std::{env, path::PathBuf, process::Command};

use anyhow::Context as _;

use crate::{metadata, prerequisites, repository, run::Runner, services::Services};

mod gateway;
mod perft;
mod start;

/// One selection of targets for every measurement, so that the features of dependencies are resolved once.
const BUILD: [&str; 6] = ["build", "--release", "--locked", "--workspace", "--bins", "--bench"];

/// Options of `cargo xtask bench`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// What is measured
    #[arg(value_enum)]
    name: Name,
    /// For `gateway`: a folder whose node_modules holds boardgame.io; without it, npm installs one for the measurement
    #[arg(long, value_name = "FOLDER")]
    boardgame_io: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, clap::ValueEnum)]
enum Name {
    /// Holds and settlements through gRPC, against transactions one by one and against raw SQL
    Ledger,
    /// Leaderboard pages over 100,000 participants, and sets recorded
    Rating,
    /// Moves with and without group commit, then the lateness of flags with 10,000 running games
    Match,
    /// Moves listed, counted, made and searched, on every size of board
    Rules,
    /// The public API: moves a second, their latency, overhead over gRPC, event streams; beside boardgame.io
    Gateway,
    /// Move sequences counted, against Fairy-Stockfish
    Perft,
    /// Cold start and idle memory of the platform in one process
    Start,
}

/// Measures.
pub(crate) fn run(runner: &Runner, arguments: &Arguments) -> anyhow::Result<()> {
    match arguments.name {
        Name::Ledger => with_databases(runner, &["ledger"]),
        Name::Rating => with_databases(runner, &["rating"]),
        Name::Match => with_databases(runner, &["commit", "flags"]),
        Name::Rules => build(runner).and_then(|()| runner.run(&mut bench("pawns"))),
        Name::Gateway => gateway::run(runner, arguments.boardgame_io.as_deref()),
        Name::Perft => perft::run(runner),
        Name::Start => start::run(runner),
    }
}

fn build(runner: &Runner) -> anyhow::Result<()> {
    build_for(runner, "*")
}

/// Builds every program, and the benches of this name.
fn build_for(runner: &Runner, benches: &str) -> anyhow::Result<()> {
    runner.run(repository::cargo().args(BUILD).arg(benches))
}

fn bench(name: &str) -> Command {
    let mut command = repository::cargo();
    command.args(["bench", "--locked", "--workspace", "--bench", name]);
    command
}

fn with_databases(runner: &Runner, benches: &[&str]) -> anyhow::Result<()> {
    prerequisites::plan_with(&[prerequisites::PGBENCH]).carry_out(runner)?;
    build(runner)?;
    let services = Services::start(runner)?;
    println!("xtask: {}", services.summary());
    for name in benches {
        let mut command = bench(name);
        services.name_to(&mut command);
        command.env("PATH", path_with_postgres()?);
        runner.run(&mut command)?;
    }
    Ok(())
}

/// The search path, with the folder of PostgreSQL's programs in front: pgbench is often nowhere else.
fn path_with_postgres() -> anyhow::Result<std::ffi::OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = prerequisites::postgres_binaries().into_iter().chain(env::split_paths(&path));
    env::join_paths(folders).context("the search path cannot be extended")
}

/// The platform's program, built for measuring.
fn platform_program(runner: &Runner) -> anyhow::Result<PathBuf> {
    build(runner)?;
    Ok(metadata::read()?.target_directory.join("release/farside"))
}

/// Smallest, middle and largest of some measurements.
fn spread(mut values: Vec<f64>) -> Option<[f64; 3]> {
    values.sort_by(f64::total_cmp);
    Some([*values.first()?, *values.get(values.len() / 2)?, *values.last()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_of_measurements_is_smallest_middle_and_largest() {
        assert_eq!(spread(vec![3.0, 1.0, 2.0, 9.0, 5.0]), Some([1.0, 3.0, 9.0]));
        assert_eq!(spread(vec![]), None);
    }
}
