//! Python programs that tests run: each in an environment of its own under the target folder, at a fixed version.
//!
//! A new version is a new folder, so what is there is always what is asked for.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::{metadata, run::Runner, services};

/// Names the `st` program of schemathesis to the tests.
const SCHEMATHESIS: &str = "FARSIDE_SCHEMATHESIS";
/// Package and version.
const SCHEMATHESIS_PACKAGE: &str = "schemathesis==4.32.5";

/// The Python programs, ready to be run.
pub(crate) struct Tools {
    schemathesis: PathBuf,
}

impl Tools {
    /// Installs what is missing.
    pub(crate) fn install(runner: &Runner) -> anyhow::Result<Self> {
        if let Some(given) = services::given(SCHEMATHESIS) {
            return Ok(Self { schemathesis: given.into() });
        }
        let folder = metadata::read()?.target_directory.join("xtask").join(SCHEMATHESIS_PACKAGE);
        let schemathesis = folder.join("bin/st");
        if !schemathesis.is_file() {
            make(runner, &folder, SCHEMATHESIS_PACKAGE)?;
        }
        Ok(Self { schemathesis })
    }

    /// Tells a command where they are.
    pub(crate) fn name_to(&self, command: &mut Command) {
        command.env(SCHEMATHESIS, &self.schemathesis);
    }
}

/// Makes an environment with one package in it.
fn make(runner: &Runner, folder: &Path, package: &str) -> anyhow::Result<()> {
    runner.run(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    runner.run(Command::new(folder.join("bin/python")).args(["-m", "pip", "install", "--quiet", package]))
}
