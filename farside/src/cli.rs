//! The command line: which command was asked for, its settings checked before anything starts, and the exit code.

use std::{ffi::OsString, io::Write as _, process::ExitCode};

use anyhow::Result;
use clap::{Parser, Subcommand};
use farside_kit::config::{self, ConfigFault, Refusal, Validate};

use crate::{
    commands::{admin, arena, config as config_command, conformance, demo, perft, up, verify},
    platform::PlatformArgs,
    settings::{self, Services},
};

/// Bots and people play Breakthrough, its variants and Maker and Breaker.
#[derive(Debug, Parser)]
#[command(name = "farside", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    platform: PlatformArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the platform in one process (also without a command)
    Up(PlatformArgs),
    /// Play one staked set between two fresh bots and add everything up
    Demo(demo::DemoArgs),
    /// Check the record of a set: 0 when everything holds, 1 and the first fault otherwise
    Verify(verify::VerifyArgs),
    /// Count the move sequences of a pawn game, and how fast that goes
    Perft(perft::PerftArgs),
    /// Play two engines against each other: which is stronger, and how sure that is
    Arena(arena::ArenaArgs),
    /// Test a bot: scripted practice games through a proxy that loses, cuts, delays and refuses
    Conformance(conformance::ConformanceArgs),
    /// Operate a running platform: points, sets, suspensions, ratings, and the log of it
    #[command(subcommand)]
    Admin(admin::AdminCommand),
    /// Check settings, or print all that there are
    #[command(subcommand)]
    Config(config_command::ConfigCommand),
}

impl Validate for Cli {
    fn validate(&self) -> Result<(), ConfigFault> {
        match &self.command {
            None => self.platform.validate(),
            Some(Command::Up(platform)) => platform.validate(),
            Some(Command::Admin(command)) => command.validate(),
            Some(_) => Ok(()),
        }
    }
}

/// Runs what the command line asks for.
#[must_use]
pub fn main() -> ExitCode {
    run(std::env::args_os()).unwrap_or_else(|refusal| refusal.exit())
}

fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<ExitCode, Refusal> {
    let cli: Cli = config::parse_from(arguments)?;
    let outcome = match cli.command {
        None => run_platform(cli.platform)?,
        Some(Command::Up(platform)) => run_platform(platform)?,
        Some(Command::Demo(args)) => block_on(demo::run(args)),
        Some(Command::Verify(args)) => verify::run(&args),
        Some(Command::Perft(args)) => perft::run(&args, &mut std::io::stdout()),
        Some(Command::Arena(args)) => arena::run(&args, &mut std::io::stdout()),
        Some(Command::Conformance(args)) => block_on(conformance::run(args)),
        Some(Command::Admin(command)) => block_on(admin::run(command)),
        Some(Command::Config(command)) => Ok(config_command::run(&command)?),
    };
    Ok(outcome.map_or_else(|fault| failed(&fault), |()| ExitCode::SUCCESS))
}

/// Checks every service's settings, then runs the platform.
fn run_platform(args: PlatformArgs) -> Result<Result<()>, Refusal> {
    let services: Services = settings::services(&args).map_err(|fault| Refusal::Bad(format!("error: {fault}")))?;
    Ok(block_on(up::run(args, services)))
}

fn block_on(work: impl Future<Output = Result<()>>) -> Result<()> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(work)
}

fn failed(fault: &anyhow::Error) -> ExitCode {
    // Nobody is left to tell when standard error is closed.
    let _ = writeln!(std::io::stderr(), "error: {fault:#}");
    ExitCode::FAILURE
}
