//! `cargo xtask check`: everything that can be refused without running the product's tests.
//!
//! Cheap stages come first. All compiling stages select the targets that `cargo xtask test` selects, so that one set
//! of dependency features is checked (clippy and documentation share it) and one is built (contracts and tests).

use std::{process::Command, time::Instant};

use anyhow::Context as _;

use crate::{contracts, metadata, policy, repository, run::Runner};

/// Options of `cargo xtask check`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only these stages, in the order given; all when there is none.
    stages: Vec<Stage>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Stage {
    /// `cargo fmt --check`.
    Format,
    /// Licences, sources, bans and duplicates of dependencies, by `deny.toml`, without network.
    Dependencies,
    /// Clippy on every target; warnings are errors.
    Clippy,
    /// The documentation of the workspace; warnings are errors.
    Documentation,
    /// The gRPC contracts: conventions, and no break against the baseline.
    Contracts,
}

const ALL: [Stage; 5] = [Stage::Format, Stage::Dependencies, Stage::Clippy, Stage::Documentation, Stage::Contracts];

/// Runs the stages; the first that fails ends the task.
pub(crate) fn run(runner: &Runner, arguments: &Arguments) -> anyhow::Result<()> {
    let stages: &[Stage] = if arguments.stages.is_empty() { &ALL } else { &arguments.stages };
    for stage in stages {
        let start = Instant::now();
        stage.run(runner).with_context(|| format!("check {stage:?}").to_lowercase())?;
        let name = format!("{stage:?}").to_lowercase();
        println!("xtask: check {name}: {:.1} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

impl Stage {
    fn run(self, runner: &Runner) -> anyhow::Result<()> {
        match self {
            Self::Format => runner.run(cargo(&["fmt", "--all", "--check"]).env("CARGO_TERM_QUIET", "true")),
            Self::Dependencies => policy::check(&metadata::read()?),
            Self::Clippy => {
                runner.run(&mut cargo(&["clippy", "--locked", "--workspace", "--all-targets", "--", "-Dwarnings"]))
            }
            Self::Documentation => runner.run(&mut documentation()),
            Self::Contracts => contracts::check(runner),
        }
    }
}

/// Naming `--examples` makes cargo resolve the features that tests get; without it, it would check every dependency
/// whose features tests widen once more.
fn documentation() -> Command {
    let mut command = cargo(&["doc", "--locked", "--workspace", "--no-deps", "--lib", "--examples"]);
    command.env("RUSTDOCFLAGS", "-Dwarnings");
    command
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = repository::cargo();
    command.args(arguments);
    command
}
