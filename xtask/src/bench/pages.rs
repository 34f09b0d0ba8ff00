//! The web pages by Lighthouse, with an exhibition playing. What is judged, and how, is in `pages.mjs` beside this file.

use std::{
    net::SocketAddr,
    path::Path,
    process::{Command, Stdio},
};

use super::{free_address, platform_program};
use crate::{
    npm::Package,
    prerequisites, repository,
    run::{Group, Runner},
};

/// The last release that runs on the Node.js of Debian's stable release.
const LIGHTHOUSE: Package = Package { name: "lighthouse", version: "12.8.2" };

/// Measures and prints a table.
pub(super) fn run(runner: &Runner) -> anyhow::Result<()> {
    prerequisites::plan().carry_out(runner)?;
    let lighthouse = LIGHTHOUSE.install(runner)?;
    let farside = platform_program(runner)?;
    let data = tempfile::tempdir()?;
    let address = free_address()?;
    let _platform = start(&farside, data.path(), address)?;
    let mut command = Command::new("node");
    command.arg(repository::root().join("xtask/src/bench/pages.mjs")).arg(lighthouse).arg(format!("http://{address}"));
    if let Some(chromium) = prerequisites::find("chromium") {
        command.env("CHROME_PATH", chromium);
    }
    runner.run(&mut command)
}

fn start(farside: &Path, data: &Path, address: SocketAddr) -> anyhow::Result<Group> {
    let mut command = Command::new(farside);
    command
        .args(["--admin-listen", "127.0.0.1:0", "--listen", &address.to_string(), "--data"])
        .arg(data)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Group::spawn(&mut command)
}
