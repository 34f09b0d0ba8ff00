//! Python programs that tests run: each in an environment of its own under the target folder, at a fixed version.
//!
//! A new version is a new folder, so what is there is always what is asked for.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::{metadata, run::Runner, services};

/// A program, and where it comes from.
struct Program {
    /// The variable that names it to the tests; one that is given already is left as it is.
    variable: &'static str,
    /// Package and version.
    package: &'static str,
    /// Its name among the package's programs.
    name: &'static str,
}

const PROGRAMS: [Program; 2] = [
    Program { variable: "FARSIDE_SCHEMATHESIS", package: "schemathesis==4.32.5", name: "st" },
    Program {
        variable: "FARSIDE_KUBERNETES_VALIDATE",
        package: "kubernetes-validate==1.37.0",
        name: "kubernetes-validate",
    },
];

/// The Python programs, ready to be run.
pub(crate) struct Tools(Vec<(&'static str, PathBuf)>);

impl Tools {
    /// Installs what is missing.
    pub(crate) fn install(runner: &Runner) -> anyhow::Result<Self> {
        let environments = metadata::read()?.target_directory.join("xtask");
        let ready = PROGRAMS.iter().map(|program| Ok((program.variable, program.ready(runner, &environments)?)));
        Ok(Self(ready.collect::<anyhow::Result<_>>()?))
    }

    /// Tells a command where they are.
    pub(crate) fn name_to(&self, command: &mut Command) {
        command.envs(self.0.iter().map(|(variable, path)| (variable, path)));
    }
}

impl Program {
    /// Where it is, after making its environment when there is none yet.
    fn ready(&self, runner: &Runner, environments: &Path) -> anyhow::Result<PathBuf> {
        if let Some(given) = services::given(self.variable) {
            return Ok(given.into());
        }
        let folder = environments.join(self.package);
        let path = folder.join("bin").join(self.name);
        if !path.is_file() {
            make(runner, &folder, self.package)?;
        }
        Ok(path)
    }
}

/// Makes an environment with one package in it.
fn make(runner: &Runner, folder: &Path, package: &str) -> anyhow::Result<()> {
    runner.run(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    runner.run(Command::new(folder.join("bin/python")).args(["-m", "pip", "install", "--quiet", package]))
}
