//! A private Redis on the loopback interface that keeps nothing on disk: Redis is never the source of truth here.

use std::{
    io::{Read as _, Write as _},
    net::{Ipv4Addr, TcpStream},
    process::Stdio,
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
/// It takes a fraction of that.
const START_LIMIT: Duration = Duration::from_secs(30);
/// One answer to one PING.
const PING_LIMIT: Duration = Duration::from_secs(1);

/// A running server; dropping it ends the server.
#[derive(Debug)]
pub(crate) struct Server {
    _process: Group,
    _folder: TempDir,
    port: u16,
}

impl Server {
    /// Starts a server.
    pub(crate) fn start(runner: &Runner) -> anyhow::Result<Self> {
        let program = prerequisites::find("redis-server").context("redis-server is not installed")?;
        let folder = tempfile::Builder::new().prefix("farside-redis-").tempdir()?;
        for attempt in 0..ATTEMPTS {
            let port = super::free_port(attempt)?;
            let mut command = prerequisites::bound_to_parent(&program);
            command
                .args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--port"])
                .arg(port.to_string())
                .current_dir(folder.path())
                .stdout(Stdio::null());
            if let Some(process) = serve(runner, Group::spawn(&mut command)?, port)? {
                return Ok(Self { _process: process, _folder: folder, port });
            }
        }
        bail!("redis-server ended at once");
    }

    /// Where tests connect to.
    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }
}

/// Waits for the server; `None` when it ended, as it does when the port was taken meanwhile.
fn serve(runner: &Runner, mut process: Group, port: u16) -> anyhow::Result<Option<Group>> {
    let mut ended = false;
    runner.wait_until(START_LIMIT, || {
        ended = process.finished()?.is_some();
        Ok(ended || answers_ping(port).unwrap_or(false))
    })?;
    Ok((!ended).then_some(process))
}

fn answers_ping(port: u16) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(PING_LIMIT))?;
    stream.write_all(b"PING\r\n")?;
    let mut answer = [0; 5];
    stream.read_exact(&mut answer)?;
    Ok(&answer == b"+PONG")
}
