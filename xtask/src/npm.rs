//! Programs of npm that tests and measurements use: each in a folder of its own under the target folder, at a fixed
//! version. Nothing of them is part of the repository.
//!
//! A new version is a new folder, so what is there is always what is asked for.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{metadata, run::Runner, services};

/// Names the script of axe-core to the tests.
const AXE: &str = "FARSIDE_AXE";
/// Package and version.
const AXE_PACKAGE: Package = Package { name: "axe-core", version: "4.14.1" };

/// A package of npm.
#[derive(Clone, Copy)]
pub(crate) struct Package {
    /// As npm knows it.
    pub(crate) name: &'static str,
    /// The one version that is used.
    pub(crate) version: &'static str,
}

impl Package {
    /// Installs it, unless it is there, and returns its folder. No script of any package is run meanwhile.
    pub(crate) fn install(self, runner: &Runner) -> anyhow::Result<PathBuf> {
        let target = metadata::read()?.target_directory;
        let folder = target.join("xtask").join(format!("{}@{}", self.name, self.version));
        let installed = folder.join("node_modules").join(self.name);
        if !installed.join("package.json").is_file() {
            self.make(runner, &folder)?;
        }
        Ok(installed)
    }

    fn make(self, runner: &Runner, folder: &Path) -> anyhow::Result<()> {
        fs::create_dir_all(folder)?;
        let mut command = Command::new("npm");
        command.args(["install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]);
        command.arg("--prefix").arg(folder).arg(format!("{}@{}", self.name, self.version));
        runner.run(&mut command)
    }
}

/// The scripts that tests load into pages.
pub(crate) struct Scripts {
    axe: PathBuf,
}

impl Scripts {
    /// Installs what is missing.
    pub(crate) fn install(runner: &Runner) -> anyhow::Result<Self> {
        if let Some(given) = services::given(AXE) {
            return Ok(Self { axe: given.into() });
        }
        Ok(Self { axe: AXE_PACKAGE.install(runner)?.join("axe.min.js") })
    }

    /// Tells a command where they are.
    pub(crate) fn name_to(&self, command: &mut Command) {
        command.env(AXE, &self.axe);
    }
}
