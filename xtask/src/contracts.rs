//! `cargo xtask contracts accept`: makes the contracts as they are now the baseline that later ones must not break.
//!
//! The checks themselves are tests of `farside-proto`, which has the descriptors anyhow; this only starts them.

use clap::Subcommand;

use crate::{repository, run::Runner};

/// Tells the contract tests to write the baseline instead of comparing with it.
const ACCEPT: &str = "FARSIDE_ACCEPT_CONTRACTS";

/// Options of `cargo xtask contracts`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Clone, Copy, Debug, Subcommand)]
enum Action {
    /// Compares the contracts with the conventions and with the baseline.
    Check,
    /// Writes the contracts as they are to `proto/baseline.binpb`.
    Accept,
}

/// Carries the action out.
pub(crate) fn run(runner: &Runner, arguments: &Arguments) -> anyhow::Result<()> {
    match arguments.action {
        Action::Check => check(runner),
        Action::Accept => runner.run(command().env(ACCEPT, "1")),
    }
}

/// Runs the contract tests.
pub(crate) fn check(runner: &Runner) -> anyhow::Result<()> {
    runner.run(&mut command())
}

/// `--workspace` keeps the features of all dependencies as every other task has them.
fn command() -> std::process::Command {
    let mut command = repository::cargo();
    command.args(["test", "--locked", "--workspace", "--test", "contracts"]);
    command
}
