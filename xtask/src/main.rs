//! `cargo xtask`: the tasks of this repository that need more than one cargo command.
//!
//! It prepares, orders and starts; what is tested lives in the crates. It depends on none of the product's crates,
//! so that the first `cargo xtask` of a fresh clone starts within seconds.

#![allow(
    clippy::disallowed_methods,
    reason = "it measures how long its stages take, and the product's clock is not at hand here"
)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool talks to its terminal")]
#![cfg_attr(test, allow(clippy::unwrap_used))]

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod bench;
mod check;
mod contracts;
mod fault;
mod fuzz;
mod metadata;
mod npm;
mod policy;
mod prerequisites;
mod python;
mod repository;
mod run;
mod services;
mod test;
mod with;

/// Exit status of a process that the terminal or a supervisor interrupted.
const EXIT_INTERRUPTED: u8 = 130;

/// Tasks of the farside repository.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", version, about, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Runs every test, with PostgreSQL and Redis of its own.
    Test(test::Arguments),
    /// Runs every check that is no test: format, dependencies, contracts, clippy, documentation.
    Check(check::Arguments),
    /// Runs a command with the databases and environment that the tests get.
    With(with::Arguments),
    /// Feeds the fuzz targets of the rules for a bounded time.
    Fuzz(fuzz::Arguments),
    /// Measures one thing, with databases of its own where it needs them.
    Bench(bench::Arguments),
    /// Works on the committed baseline of the gRPC contracts.
    Contracts(contracts::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = run::Runner::new().and_then(|runner| match &arguments.task {
        Task::Test(arguments) => test::run(&runner, arguments),
        Task::Check(arguments) => check::run(&runner, arguments),
        Task::With(arguments) => with::run(&runner, arguments),
        Task::Fuzz(arguments) => fuzz::run(&runner, arguments),
        Task::Bench(arguments) => bench::run(&runner, arguments),
        Task::Contracts(arguments) => contracts::run(&runner, arguments),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report(&error),
    }
}

/// Prints the error with its causes and picks the exit status.
fn report(error: &anyhow::Error) -> ExitCode {
    eprintln!("xtask: {error:#}");
    if error.is::<fault::Interrupted>() {
        return ExitCode::from(EXIT_INTERRUPTED);
    }
    ExitCode::FAILURE
}
