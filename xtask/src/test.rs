//! `cargo xtask test`: installs what the tests need, starts private databases, runs every test, stops what it started.
//!
//! It builds all programs and tests in one go first: the tests of separate processes start the programs they find
//! beside themselves, and one selection of targets means one set of dependency features, so nothing is built twice.

use std::{process::Command, time::Instant};

use anyhow::bail;

use crate::{npm::Scripts, prerequisites, python::Tools, repository, run::Runner, services::Services};

/// Options of `cargo xtask test`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Say what would be installed and started, and do nothing.
    #[arg(long)]
    dry_run: bool,
    /// Run the tests with cargo-nextest (quicker, when it is installed) instead of `cargo test`.
    #[arg(long)]
    nextest: bool,
    /// Passed on to the test command, for example a part of a test's name. `-p PACKAGE` works too, but cargo then
    /// resolves the features of dependencies for that package alone and builds them again.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Runs the tests.
pub(crate) fn run(runner: &Runner, arguments: &Arguments) -> anyhow::Result<()> {
    let plan = prerequisites::plan();
    if arguments.dry_run {
        plan.lines().iter().for_each(|line| println!("{line}"));
        return Ok(());
    }
    plan.carry_out(runner)?;
    let tools = Tools::install(runner)?;
    let scripts = Scripts::install(runner)?;
    let start = Instant::now();
    build(runner)?;
    println!("xtask: built in {} s", start.elapsed().as_secs());
    let services = Services::start(runner)?;
    println!("xtask: {}", services.summary());
    let start = Instant::now();
    let name_all = |command: &mut Command| {
        services.name_to(command);
        tools.name_to(command);
        scripts.name_to(command);
    };
    let failed = failing_commands(runner, &name_all, arguments)?;
    println!("xtask: tested in {} s", start.elapsed().as_secs());
    if !failed.is_empty() {
        bail!("{} failed", failed.join(" and "));
    }
    Ok(())
}

fn build(runner: &Runner) -> anyhow::Result<()> {
    runner.run(repository::cargo().args(["build", "--locked", "--workspace", "--bins", "--tests"]))
}

/// Runs the test commands one after the other, each told where everything is; those after a failing one run too.
fn failing_commands(
    runner: &Runner,
    name_all: &dyn Fn(&mut Command),
    arguments: &Arguments,
) -> anyhow::Result<Vec<String>> {
    let mut failed = Vec::new();
    for words in commands(arguments) {
        let mut command = repository::cargo();
        command.args(&words);
        name_all(&mut command);
        if !runner.status(&mut command)?.success() {
            failed.push(format!("cargo {}", words.join(" ")));
        }
    }
    Ok(failed)
}

/// The test commands: cargo-nextest knows no documentation tests, so those follow it.
fn commands(arguments: &Arguments) -> Vec<Vec<String>> {
    let command = |words: &[&str]| {
        let scope = (!arguments.names_packages()).then(|| "--workspace".to_owned());
        let words = words.iter().map(ToString::to_string);
        words.chain(scope).chain(arguments.arguments.iter().cloned()).collect()
    };
    if !arguments.nextest {
        return vec![command(&["test", "--locked", "--no-fail-fast"])];
    }
    let mut commands = vec![command(&["nextest", "run", "--locked", "--no-fail-fast"])];
    if arguments.arguments.is_empty() {
        commands.push(command(&["test", "--locked", "--no-fail-fast", "--doc"]));
    }
    commands
}

impl Arguments {
    fn names_packages(&self) -> bool {
        let names = |argument: &String| argument.starts_with("-p") || argument.starts_with("--package");
        self.arguments.iter().take_while(|argument| *argument != "--").any(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(nextest: bool, arguments: &[&str]) -> Vec<String> {
        let arguments = arguments.iter().map(ToString::to_string).collect();
        let arguments = Arguments { dry_run: false, nextest, arguments };
        commands(&arguments).iter().map(|words| words.join(" ")).collect()
    }

    #[test]
    fn everything_is_tested_when_nothing_is_selected() {
        assert_eq!(lines(false, &[]), ["test --locked --no-fail-fast --workspace"]);
        assert_eq!(lines(false, &["flag_falls"]), ["test --locked --no-fail-fast --workspace flag_falls"]);
        assert_eq!(lines(false, &["-p", "gateway"]), ["test --locked --no-fail-fast -p gateway"]);
    }

    #[test]
    fn documentation_tests_follow_a_whole_run_of_nextest() {
        let doc = "test --locked --no-fail-fast --doc --workspace";
        assert_eq!(lines(true, &[]), ["nextest run --locked --no-fail-fast --workspace", doc]);
        assert_eq!(lines(true, &["-p", "gateway"]), ["nextest run --locked --no-fail-fast -p gateway"]);
    }
}
