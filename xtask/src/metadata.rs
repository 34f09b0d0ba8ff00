//! The dependencies of this workspace as cargo resolves them for this machine; what is allowed is `policy`'s matter.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use serde::Deserialize;

use crate::repository;

/// What `cargo metadata` says, as far as it is needed here.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    /// Every package of the dependency graph, the workspace's own included.
    pub(crate) packages: Vec<Package>,
    /// Where cargo builds.
    pub(crate) target_directory: PathBuf,
}

/// One package in one version.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Package {
    /// Name of the package.
    pub(crate) name: String,
    /// Version.
    pub(crate) version: String,
    /// SPDX expression; crates may say it by a file instead.
    pub(crate) license: Option<String>,
    /// Where it comes from; nothing for packages of this workspace.
    pub(crate) source: Option<String>,
}

/// Asks cargo. Once the workspace was compiled everything needed is on the machine and no network is used.
pub(crate) fn read() -> anyhow::Result<Metadata> {
    let platform = host()?;
    let mut command = repository::cargo();
    command.args(["metadata", "--locked", "--format-version=1", "--filter-platform", &platform]);
    let output = command.output().context("cannot start cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    serde_json::from_slice(&output.stdout).context("cannot read cargo metadata")
}

/// The target triple of this machine.
fn host() -> anyhow::Result<String> {
    let output = repository::cargo().args(["--version", "--verbose"]).output().context("cannot start cargo")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("cargo does not name its host")?.to_owned())
}
