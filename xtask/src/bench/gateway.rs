//! The public API under load, beside boardgame.io. What is measured lives in `tests/benches/gateway/`; here the packages
//! of boardgame.io are put under the target folder, at a fixed version. Nothing of them is in this repository.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Context as _;

use crate::{metadata, prerequisites, run::Runner, services::Services};

/// Names the folder whose `node_modules` holds boardgame.io to the bench.
const FOLDER: &str = "FARSIDE_BENCH_BOARDGAME_IO";
const PACKAGE: &str = "boardgame.io";
const VERSION: &str = "0.50.2";
/// boardgame.io asks for a range of koa-compose whose newest version its own koa cannot load.
const MANIFEST: &str =
    r#"{"private": true, "dependencies": {"boardgame.io": "0.50.2"}, "overrides": {"koa-compose": "4.1.0"}}"#;

/// Builds, starts the databases, and measures; beside boardgame.io in `given`, or in one that npm installs.
pub(super) fn run(runner: &Runner, given: Option<&Path>) -> anyhow::Result<()> {
    prerequisites::plan_with(&[prerequisites::NPM]).carry_out(runner)?;
    let folder = given.map_or_else(|| installed(runner), |given| Ok(given.to_owned()))?;
    super::build_for(runner, "gateway")?;
    let services = Services::start(runner)?;
    println!("xtask: {}", services.summary());
    let mut command = super::bench("gateway");
    services.name_to(&mut command);
    runner.run(command.env(FOLDER, folder))
}

/// The folder with the packages; a new version is a new folder.
fn installed(runner: &Runner) -> anyhow::Result<PathBuf> {
    let folder = metadata::read()?.target_directory.join("xtask").join(format!("{PACKAGE}-{VERSION}"));
    if !folder.join("node_modules").join(PACKAGE).is_dir() {
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("package.json"), MANIFEST).context("cannot write package.json")?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(&folder);
        runner.run(&mut npm).context("boardgame.io cannot be installed; name a folder with --boardgame-io")?;
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_asks_for_the_version_that_names_the_folder() {
        let manifest: serde_json::Value = serde_json::from_str(MANIFEST).unwrap();
        assert_eq!(manifest["dependencies"][PACKAGE], VERSION);
    }
}
