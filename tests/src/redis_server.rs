//! A Redis of one test's own, so that it may be killed and started again. Tests that only use Redis take
//! [`crate::redis_url`].

use std::{
    net::SocketAddr,
    process::{Child, Command, Stdio},
};

use tempfile::TempDir;

use crate::{program::free_address, wait};

/// A Redis that listens on the loopback interface and keeps nothing.
#[derive(Debug)]
pub struct RedisServer {
    address: SocketAddr,
    folder: TempDir,
    child: Option<Child>,
}

impl RedisServer {
    /// Starts one and waits until it answers.
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder for Redis");
        let mut server = Self { address: free_address(), folder, child: None };
        server.start_again().await;
        server
    }

    /// Where it is, now and after it was started again.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://{}", self.address)
    }

    /// Kills it.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            // Both fail only for a process that has ended, which is what is wanted.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Starts it again at the same address, empty.
    pub async fn start_again(&mut self) {
        self.kill();
        let mut command = Command::new("redis-server");
        command.args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--port"]);
        command.arg(self.address.port().to_string()).current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let child = command.spawn().expect("redis-server is installed: `cargo xtask test` sees to it");
        self.child = Some(child);
        let client = redis::Client::open(self.url()).expect("an address of Redis");
        wait::until("Redis to answer", async || {
            let mut connection = client.get_multiplexed_async_connection().await.ok()?;
            redis::cmd("PING").query_async::<String>(&mut connection).await.ok()
        })
        .await;
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.kill();
    }
}
