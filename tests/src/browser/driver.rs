//! Debian's chromedriver: one process for all browsers of a test program. What the browsers show is not here.

use std::{
    process::{Child, Command, Stdio},
    sync::{Arc, Weak},
};

use tempfile::TempDir;
use tokio::sync::Mutex;

use crate::{program::free_address, wait};

/// A running chromedriver; it ends with its last handle, and its browsers with it.
#[derive(Debug)]
pub(super) struct Driver {
    url: String,
    child: Child,
    /// Where the browsers keep their profiles.
    _folder: TempDir,
}

impl Driver {
    /// The one that other browsers use already, or a new one.
    pub(super) async fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<Driver>> = Mutex::const_new(Weak::new());
        let mut shared = SHARED.lock().await;
        if let Some(driver) = shared.upgrade() {
            return driver;
        }
        let driver = Arc::new(Self::start().await);
        *shared = Arc::downgrade(&driver);
        driver
    }

    /// Where it takes commands.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    async fn start() -> Self {
        let (address, folder) = (free_address(), tempfile::tempdir().expect("a folder for profiles"));
        let mut command = Command::new("chromedriver");
        command.arg(format!("--port={}", address.port())).arg("--log-level=SEVERE");
        command.env("TMPDIR", folder.path()).env("HOME", folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let child = command.spawn().expect("chromedriver is installed: `cargo xtask test` sees to it");
        let driver = Self { url: format!("http://{address}"), child, _folder: folder };
        wait::until("chromedriver to be ready", async || {
            let answer = reqwest::get(format!("{}/status", driver.url)).await.ok()?;
            answer.status().is_success().then_some(())
        })
        .await;
        driver
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Both fail only for a process that has ended, which is what is wanted. Its browsers notice that their pipe to
        // it is closed, and end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
