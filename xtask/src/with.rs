//! `cargo xtask with COMMAND`: any command, with the databases that tests get. Benches and single tests use it.

use std::process::Command;

use anyhow::Context as _;

use crate::{prerequisites, run::Runner, services::Services};

/// Options of `cargo xtask with`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The command and its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(runner: &Runner, arguments: &Arguments) -> anyhow::Result<()> {
    prerequisites::plan().carry_out(runner)?;
    let services = Services::start(runner)?;
    println!("xtask: {}", services.summary());
    let (program, rest) = arguments.command.split_first().context("no command given")?;
    let mut command = Command::new(program);
    command.args(rest);
    services.name_to(&mut command);
    runner.run(&mut command)
}
