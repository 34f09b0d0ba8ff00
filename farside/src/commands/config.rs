//! `farside config check` and `farside config reference`: whether settings can be right, and all that there are.
//!
//! Both read the definitions that the programs read, so neither can say anything else than they do.

use std::fmt::Write as _;

use clap::{Arg, Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use farside_kit::{
    config::{self, ConfigFault, Refusal, Validate},
    process::{Program, Settings},
};

use crate::{output::say, platform::PlatformArgs, settings};

const INTRODUCTION: &str = "\
# Configuration

Written by `farside config reference` from the definitions that the programs read; a test compares. Do not edit.

Every setting is a flag and an environment variable; the flag goes first. A setting that cannot be right prints one line that
names it and ends the process with 64 before any port is bound; `farside config check [SERVICE]` looks at the environment
and starts nothing. Traces are sent where the standard `OTEL_*` variables say, and nowhere without them.
";

/// What to do with settings.
#[derive(Debug, Clone, Subcommand)]
pub enum ConfigCommand {
    /// Look at the settings in the environment as a program would, and start nothing: 0, or 64 and the first fault
    Check {
        /// A service that runs apart; without one, the platform in one process
        #[arg(value_enum)]
        service: Option<Service>,
    },
    /// Print every setting of every program as Markdown
    Reference,
}

/// A service that can run apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Service {
    /// The public API
    Gateway,
    /// Challenges, sets, clocks
    MatchSvc,
    /// Games and search
    RulesSvc,
    /// Points
    LedgerSvc,
    /// Ratings
    RatingSvc,
}

/// The platform in one process, as if it were a program of its own.
#[derive(Debug, Parser)]
#[command(name = "farside")]
struct Platform {
    #[command(flatten)]
    args: PlatformArgs,
}

impl Validate for Platform {
    fn validate(&self) -> Result<(), ConfigFault> {
        self.args.validate()?;
        settings::services(&self.args).map(drop)
    }
}

/// Carries out the command.
///
/// # Errors
/// The first setting that cannot be right.
pub fn run(command: &ConfigCommand) -> Result<(), Refusal> {
    match command {
        ConfigCommand::Reference => say(format_args!("{}", reference().trim_end())),
        ConfigCommand::Check { service } => {
            check(*service)?;
            say(format_args!("every setting can be right"));
        }
    }
    Ok(())
}

fn check(service: Option<Service>) -> Result<(), Refusal> {
    match service {
        None => config::parse_from::<Platform>(["farside"]).map(drop),
        Some(Service::Gateway) => apart::<farside_gateway::Config>(&farside_gateway::PROGRAM),
        Some(Service::MatchSvc) => apart::<farside_match::Config>(&farside_match::PROGRAM),
        Some(Service::RulesSvc) => apart::<farside_rules::Config>(&farside_rules::PROGRAM),
        Some(Service::LedgerSvc) => apart::<farside_ledger::Config>(&farside_ledger::PROGRAM),
        Some(Service::RatingSvc) => apart::<farside_rating::Config>(&farside_rating::PROGRAM),
    }
}

fn apart<C: Args + Validate>(program: &Program) -> Result<(), Refusal> {
    config::parse_command::<Settings<C>>(program.command::<C>(), [program.name]).map(drop)
}

/// Every setting of every program as Markdown.
#[must_use]
pub fn reference() -> String {
    let mut text = INTRODUCTION.to_owned();
    section(&mut text, "farside: the platform in one process", &Platform::command());
    text.push_str("\nThe settings of the services below hold there too, by their variables; databases, Redis and addresses aside.\n");
    section(&mut text, "Every service that runs apart", &Settings::<Nothing>::command());
    own::<farside_gateway::Config>(&mut text, &farside_gateway::PROGRAM);
    own::<farside_match::Config>(&mut text, &farside_match::PROGRAM);
    own::<farside_rules::Config>(&mut text, &farside_rules::PROGRAM);
    own::<farside_ledger::Config>(&mut text, &farside_ledger::PROGRAM);
    own::<farside_rating::Config>(&mut text, &farside_rating::PROGRAM);
    text
}

/// A service without settings of its own.
#[derive(Debug, Args)]
struct Nothing {}

impl Validate for Nothing {}

/// The settings of a service alone, without those that every service has, and where it listens.
fn own<C: Args>(text: &mut String, program: &Program) {
    section(text, program.name, &C::augment_args(clap::Command::new(program.name)));
    let Program { listen, admin_listen, .. } = program;
    // Writing into a string does not fail.
    let _ = writeln!(text, "\nListens at `{listen}`, its admin port at `{admin_listen}`, unless told otherwise.");
}

fn section(text: &mut String, title: &str, command: &clap::Command) {
    let rows = command.get_arguments().filter_map(row).collect::<Vec<_>>().join("\n");
    // Writing into a string does not fail.
    let _ = write!(text, "\n## {title}\n\n| variable | flag | default | meaning |\n|---|---|---|---|\n{rows}\n");
}

/// A line of the table; nothing for flags that are no settings, such as `--help`.
fn row(arg: &Arg) -> Option<String> {
    let (variable, flag) = (arg.get_env()?.to_str()?, arg.get_long()?);
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let values = arg.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect::<Vec<_>>();
    let choice = if values.is_empty() || is_switch(arg) { String::new() } else { format!(": {}", values.join(", ")) };
    let meaning = format!("{}{choice}", help.trim_end_matches('.')).replace('|', "\\|");
    Some(format!("| `{variable}` | `--{flag}` | {} | {meaning} |", default(arg)))
}

fn default(arg: &Arg) -> String {
    let values: Vec<_> = arg.get_default_values().iter().filter_map(|value| value.to_str()).collect();
    match values.as_slice() {
        _ if arg.is_required_set() && arg.get_id().as_str().ends_with("listen") => "each its own".to_owned(),
        _ if arg.is_required_set() => "required".to_owned(),
        _ if is_switch(arg) => "`false`".to_owned(),
        [value] if !value.is_empty() && !arg.is_hide_default_value_set() => format!("`{value}`"),
        _ => String::new(),
    }
}

fn is_switch(arg: &Arg) -> bool {
    matches!(arg.get_action(), clap::ArgAction::SetTrue)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_in_the_documentation_is_that_of_the_code() {
        let kept = include_str!("../../../docs/configuration.md");
        assert!(kept == reference(), "run `cargo run -- config reference > docs/configuration.md`");
    }

    #[test]
    fn every_setting_says_what_it_means() {
        for line in reference().lines().filter(|line| line.starts_with("| `FARSIDE_")) {
            assert!(!line.ends_with("|  |"), "{line}");
        }
    }
}
