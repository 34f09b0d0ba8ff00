//! A private PostgreSQL: a cluster of its own in a temporary folder, on the loopback interface only.
//!
//! Durability is left on (`fsync`, `synchronous_commit`): tests that kill processes rely on it.

use std::{
    fs,
    os::unix::fs::chown,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context as _, bail};
use tempfile::TempDir;

use crate::{
    prerequisites,
    run::{Group, Runner},
};

/// How often another port is tried when somebody was quicker.
const ATTEMPTS: u16 = 3;
/// A cold machine needs a few seconds.
const START_LIMIT: Duration = Duration::from_secs(60);
/// Tests run in parallel and hold pools of their own.
const MAX_CONNECTIONS: u16 = 300;
/// PostgreSQL refuses to run as root; these own its files then, the first that exists.
const UNPRIVILEGED_USERS: [&str; 2] = ["postgres", "nobody"];

/// A running server; dropping it ends the server and removes its data.
#[derive(Debug)]
pub(crate) struct Server {
    // Fields drop in order: the process ends before its folder goes.
    _process: Group,
    _folder: TempDir,
    port: u16,
}

impl Server {
    /// Makes a cluster and starts it.
    pub(crate) fn start(runner: &Runner) -> anyhow::Result<Self> {
        let binaries = prerequisites::postgres_binaries().context("PostgreSQL 15 or newer is not installed")?;
        let folder = tempfile::Builder::new().prefix("farside-postgres-").tempdir()?;
        let owner = Owner::pick(folder.path())?;
        let cluster = Cluster { binaries, data: folder.path().join("data"), log: folder.path().join("log"), owner };
        cluster.initialise(runner)?;
        for attempt in 0..ATTEMPTS {
            let port = super::free_port(attempt)?;
            if let Some(process) = cluster.serve(runner, port)? {
                return Ok(Self { _process: process, _folder: folder, port });
            }
        }
        bail!("it ended at once:\n{}", cluster.log_tail());
    }

    /// Where tests connect to.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }
}

/// The files of a cluster and who runs it.
struct Cluster {
    binaries: PathBuf,
    data: PathBuf,
    log: PathBuf,
    owner: Owner,
}

impl Cluster {
    fn initialise(&self, runner: &Runner) -> anyhow::Result<()> {
        let mut command = self.owner.command(&self.binaries.join("initdb"));
        command
            .args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--pgdata"])
            .arg(&self.data)
            .stdout(Stdio::null());
        runner.run(&mut command)
    }

    /// Starts the server and waits for it; `None` when it ended, as it does when the port was taken meanwhile.
    fn serve(&self, runner: &Runner, port: u16) -> anyhow::Result<Option<Group>> {
        let log = fs::File::create(&self.log)?;
        let mut command = self.owner.command(&self.binaries.join("postgres"));
        command.arg("-D").arg(&self.data).args(settings(port)).stdout(log.try_clone()?).stderr(log);
        let mut process = Group::spawn(&mut command)?;
        let mut ended = false;
        runner
            .wait_until(START_LIMIT, || {
                ended = process.finished()?.is_some();
                Ok(ended || self.accepts(port))
            })
            .with_context(|| self.log_tail())?;
        Ok((!ended).then_some(process))
    }

    fn accepts(&self, port: u16) -> bool {
        let mut command = Command::new(self.binaries.join("pg_isready"));
        command.args(["--quiet", "--host=127.0.0.1", "--dbname=postgres", "--username=postgres"]);
        command.arg(format!("--port={port}")).status().is_ok_and(|status| status.success())
    }

    fn log_tail(&self) -> String {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }
}

/// Server settings that differ from the defaults.
fn settings(port: u16) -> Vec<String> {
    [
        format!("port={port}"),
        "listen_addresses=127.0.0.1".to_owned(),
        "unix_socket_directories=".to_owned(),
        format!("max_connections={MAX_CONNECTIONS}"),
    ]
    .into_iter()
    .flat_map(|setting| ["-c".to_owned(), setting])
    .collect()
}

/// Who the server runs as: the caller, or an unprivileged user where the caller is root.
enum Owner {
    Caller,
    Unprivileged { uid: u32, gid: u32 },
}

impl Owner {
    /// Picks the user and hands the folder over.
    fn pick(folder: &Path) -> anyhow::Result<Self> {
        if !rustix::process::geteuid().is_root() {
            return Ok(Self::Caller);
        }
        let passwd = fs::read_to_string("/etc/passwd").context("cannot read the list of users")?;
        let (uid, gid) = UNPRIVILEGED_USERS
            .iter()
            .find_map(|name| user_ids(&passwd, name))
            .context("PostgreSQL does not run as root, and there is no user `postgres` to run it as")?;
        chown(folder, Some(uid), Some(gid))?;
        Ok(Self::Unprivileged { uid, gid })
    }

    fn command(&self, program: &Path) -> Command {
        match self {
            Self::Caller => prerequisites::bound_to_parent(program),
            Self::Unprivileged { uid, gid } => {
                let mut command = Command::new("setpriv");
                command
                    .args([format!("--reuid={uid}"), format!("--regid={gid}")])
                    .args(["--clear-groups", "--pdeathsig", "INT"])
                    .arg(program)
                    // The caller's folder may be closed to that user.
                    .current_dir("/");
                command
            }
        }
    }
}

/// User and group number of a user in the form of `/etc/passwd`.
fn user_ids(passwd: &str, name: &str) -> Option<(u32, u32)> {
    let line = passwd.lines().find(|line| line.split(':').next() == Some(name))?;
    let mut fields = line.split(':').skip(2);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_ids_come_from_the_line_of_exactly_that_user() {
        let passwd = "root:x:0:0:root:/root:/bin/sh\npostgres2:x:9:9::/:\npostgres:x:104:112::/var/lib:/bin/sh\n";
        assert_eq!(user_ids(passwd, "postgres"), Some((104, 112)));
        assert_eq!(user_ids(passwd, "nobody"), None);
    }

    #[test]
    fn the_server_listens_on_the_loopback_interface_only() {
        let settings = settings(20_001).join(" ");
        assert!(settings.contains("-c listen_addresses=127.0.0.1"), "{settings}");
        assert!(settings.contains("-c unix_socket_directories= "), "{settings}");
    }
}
