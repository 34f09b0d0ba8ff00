//! `cargo xtask fuzz`: a bounded run of every fuzz target of rules-svc; a crash, a hang or a swollen heap fails it.
//!
//! The targets are a workspace of their own and need nightly; cargo-fuzz is installed when it is missing. What libFuzzer
//! learns is kept beside the targets, out of version control, so that a later run goes on from there.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use anyhow::{Context as _, bail};

use crate::{prerequisites, repository, run::Runner};

/// The folder of the fuzz targets.
const FOLDER: &str = "rules-svc/fuzz";
/// The toolchain that can build them.
const TOOLCHAIN: &str = "nightly";
/// Longer texts than this say nothing new; a request may be longer, and is refused by its length.
const INPUT_BYTES_MAX: u32 = 32_768;
/// An input that takes longer is a fault: everything here answers within milliseconds, sanitizer included.
const HANG_S: u32 = 10;
/// A heap larger than this is a fault.
const HEAP_MIB_MAX: u32 = 2_048;

/// Options of `cargo xtask fuzz`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Seconds for each target.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// Only these targets; all when there is none.
    targets: Vec<String>,
}

/// Builds and runs the targets; those after a failing one run too.
pub(crate) fn run(runner: &Runner, arguments: &Arguments) -> anyhow::Result<()> {
    let targets = chosen(targets(&repository::root())?, &arguments.targets)?;
    install(runner)?;
    runner.run(&mut cargo_fuzz("build", &[]))?;
    let mut failed = Vec::new();
    for target in &targets {
        let start = Instant::now();
        if !runner.status(&mut command(target, arguments.seconds)?)?.success() {
            failed.push(target.as_str());
        }
        println!("xtask: fuzz {target}: {:.0} s", start.elapsed().as_secs_f64());
    }
    if !failed.is_empty() {
        bail!("{} failed; the input is in {FOLDER}/artifacts", failed.join(" and "));
    }
    Ok(())
}

/// Every target there is, by the names of their files.
fn targets(root: &Path) -> anyhow::Result<Vec<String>> {
    let folder = root.join(FOLDER).join("fuzz_targets");
    let files = fs::read_dir(&folder).with_context(|| format!("cannot read {FOLDER}/fuzz_targets"))?;
    let mut names = Vec::new();
    for file in files {
        let path = file?.path();
        names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort_unstable();
    Ok(names)
}

fn chosen(all: Vec<String>, wanted: &[String]) -> anyhow::Result<Vec<String>> {
    if let Some(unknown) = wanted.iter().find(|&name| !all.contains(name)) {
        bail!("there is no fuzz target {unknown}; the targets are {}", all.join(", "));
    }
    Ok(if wanted.is_empty() { all } else { wanted.to_vec() })
}

fn install(runner: &Runner) -> anyhow::Result<()> {
    if prerequisites::find("cargo-fuzz").is_some() {
        return Ok(());
    }
    println!("xtask: cargo install cargo-fuzz");
    runner.run(repository::cargo().args(["install", "--locked", "cargo-fuzz"]))
}

/// One target, with what it has learnt, then the inputs that come with the repository.
fn command(target: &str, seconds: u32) -> anyhow::Result<Command> {
    let root = repository::root().join(FOLDER);
    let corpus = root.join("corpus").join(target);
    fs::create_dir_all(&corpus).with_context(|| format!("cannot make {FOLDER}/corpus/{target}"))?;
    let seeds = Some(root.join("seeds").join(target)).filter(|folder| folder.is_dir());
    let mut command = cargo_fuzz("run", &[target]);
    command.arg(&corpus).args(seeds).arg("--").args(limits(seconds));
    Ok(command)
}

/// What libFuzzer is told.
fn limits(seconds: u32) -> [String; 5] {
    [
        format!("-max_total_time={seconds}"),
        format!("-timeout={HANG_S}"),
        format!("-rss_limit_mb={HEAP_MIB_MAX}"),
        format!("-max_len={INPUT_BYTES_MAX}"),
        "-verbosity=0".to_owned(),
    ]
}

fn cargo_fuzz(task: &str, arguments: &[&str]) -> Command {
    let folder: PathBuf = repository::root().join(FOLDER);
    let mut command = Command::new("rustup");
    // The cargo that runs this task says so in variables, which would choose its toolchain again.
    command.env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN").current_dir(&folder);
    command.args(["run", TOOLCHAIN, "cargo", "fuzz", task, "--fuzz-dir"]).arg(&folder).args(arguments);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_of_the_manifest_is_found() {
        let manifest = fs::read_to_string(repository::root().join(FOLDER).join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let mut named: Vec<String> =
            manifest["bin"].as_array().unwrap().iter().map(|bin| bin["name"].as_str().unwrap().to_owned()).collect();
        named.sort_unstable();
        assert_eq!(targets(&repository::root()).unwrap(), named);
    }

    #[test]
    fn an_unknown_target_is_refused_with_those_there_are() {
        let all = || vec!["moves".to_owned(), "states".to_owned()];
        assert_eq!(chosen(all(), &[]).unwrap(), all());
        assert_eq!(chosen(all(), &["states".to_owned()]).unwrap(), ["states"]);
        let refused = chosen(all(), &["stats".to_owned()]).unwrap_err().to_string();
        assert_eq!(refused, "there is no fuzz target stats; the targets are moves, states");
    }
}
