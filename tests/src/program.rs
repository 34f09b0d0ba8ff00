//! One of our own programs as a process: started with exactly the settings given, ready when its `/readyz` says so,
//! killed when dropped. What the settings mean is the program's matter.

use std::{
    collections::BTreeMap,
    fs::File,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    sync::atomic::{AtomicU16, Ordering},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use crate::wait;

/// Below the ports that the kernel hands out by itself, and apart from those of `cargo xtask`.
const PORTS: std::ops::Range<u16> = 10_000..20_000;

/// Lines of a program's log that a failing test shows.
const LOG_LINES: usize = 40;

/// A port of the loopback interface that nobody listens on, and that this process does not give out twice.
#[must_use]
pub fn free_address() -> SocketAddr {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let span = PORTS.end - PORTS.start;
    // Test programs that run at the same time begin their search at different places.
    let start = u16::try_from(std::process::id() * 37 % u32::from(span)).expect("less than the span");
    let mut ports = (0..span).map(|_| PORTS.start + (start + NEXT.fetch_add(1, Ordering::Relaxed) % span) % span);
    let port = ports.find(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok());
    SocketAddr::from((Ipv4Addr::LOCALHOST, port.expect("a free port on the loopback interface")))
}

/// Where cargo put one of the workspace's programs: beside the folder of the running test program.
///
/// # Panics
///
/// When it was not built.
#[must_use]
pub fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test program knows where it is");
    let folder = test.parent().and_then(|folder| folder.parent()).expect("test programs are in a folder of the target");
    let program = folder.join(name);
    assert!(program.is_file(), "{name} is not built: run `cargo xtask test`, or `cargo build --workspace` before");
    program
}

/// A program with its settings, running or not.
#[derive(Debug)]
pub struct Program {
    name: &'static str,
    settings: BTreeMap<String, String>,
    arguments: Vec<String>,
    admin: SocketAddr,
    folder: TempDir,
    child: Option<Child>,
}

impl Program {
    /// Describes the program called `name`. It runs in an empty folder of its own, sees no `FARSIDE_*` or `OTEL_*`
    /// variable but those that are set here, and serves its admin port where [`Program::admin_url`] says.
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        let admin = free_address();
        let folder = tempfile::tempdir().expect("a folder for a program");
        let mut program = Self { name, settings: BTreeMap::new(), arguments: Vec::new(), admin, folder, child: None };
        program.set("FARSIDE_ADMIN_LISTEN", &admin.to_string());
        program
    }

    /// Sets a variable for the next start.
    pub fn set(&mut self, variable: &str, value: &str) -> &mut Self {
        self.settings.insert(variable.to_owned(), value.to_owned());
        self
    }

    /// A variable that was set.
    ///
    /// # Panics
    ///
    /// When it was not.
    #[must_use]
    pub fn setting(&self, variable: &str) -> &str {
        self.settings.get(variable).unwrap_or_else(|| panic!("{variable} is not set for {}", self.name))
    }

    /// Describes another process of the same program with the same settings, but for its own admin port.
    #[must_use]
    pub fn twin(&self) -> Self {
        let mut twin = Self::new(self.name);
        let own = twin.settings.clone();
        twin.settings.extend(self.settings.clone());
        twin.settings.extend(own);
        twin.arguments.clone_from(&self.arguments);
        twin
    }

    /// Adds a command-line argument for the next start.
    pub fn argument(&mut self, argument: &str) -> &mut Self {
        self.arguments.push(argument.to_owned());
        self
    }

    /// Where the admin port is.
    #[must_use]
    pub fn admin_url(&self) -> String {
        format!("http://{}", self.admin)
    }

    /// Where it serves, as `FARSIDE_LISTEN` says.
    ///
    /// # Panics
    ///
    /// When that was not set.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.settings.get("FARSIDE_LISTEN").expect("a program that was told where to listen"))
    }

    /// Its process id.
    ///
    /// # Panics
    ///
    /// When it does not run.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.as_ref().expect("a program that was started").id()
    }

    /// Starts it, and does not wait.
    pub fn spawn(&mut self) {
        assert!(self.child.is_none(), "{} runs already", self.name);
        let log = File::options().create(true).append(true).open(self.log_path()).expect("a log file");
        let mut command = Command::new(built(self.name));
        for (variable, _) in std::env::vars_os() {
            let name = variable.to_string_lossy();
            if name.starts_with("FARSIDE_") || name.starts_with("OTEL_") {
                command.env_remove(&variable);
            }
        }
        command.args(&self.arguments).envs(&self.settings).current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(log.try_clone().expect("a log file")).stderr(log);
        self.child = Some(command.spawn().expect("a built program starts"));
    }

    /// Waits until it says that it is ready.
    ///
    /// # Panics
    ///
    /// When it ends instead, or never is; with the end of its log.
    pub async fn ready(&mut self) {
        let url = format!("{}/readyz", self.admin_url());
        let client = reqwest::Client::new();
        let (name, log) = (self.name, self.log_path());
        let child = self.child.as_mut().expect("a program that was started");
        wait::until(&format!("{name} to be ready (its log: {})", log.display()), async || {
            if let Ok(Some(status)) = child.try_wait() {
                panic!("{name} ended with {status}:\n{}", tail(&log));
            }
            let answer = client.get(&url).send().await.ok()?;
            answer.status().is_success().then_some(())
        })
        .await;
    }

    /// What it says of its readiness, check by check; nothing while its admin port does not answer.
    pub async fn readiness(&self) -> Option<Value> {
        reqwest::get(format!("{}/readyz", self.admin_url())).await.ok()?.json().await.ok()
    }

    /// Starts it and waits until it is ready.
    pub async fn start(&mut self) {
        self.spawn();
        self.ready().await;
    }

    /// Ends it at once (SIGKILL), as a crash does.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            // Both fail only for a process that has ended, which is what is wanted.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Asks it to stop (SIGTERM) and waits for that.
    pub async fn stop(&mut self) -> ExitStatus {
        self.signal(Signal::TERM);
        self.ended().await
    }

    /// Sends a signal, for example [`Signal::STOP`].
    pub fn signal(&self, signal: Signal) {
        let child = self.child.as_ref().expect("a program that was started");
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process id");
        kill_process(pid, signal).expect("a process of ours takes signals");
    }

    /// Waits until it ends by itself.
    pub async fn ended(&mut self) -> ExitStatus {
        let child = self.child.as_mut().expect("a program that was started");
        let name = self.name;
        let status = wait::until(&format!("{name} to end"), async || child.try_wait().ok().flatten()).await;
        self.child = None;
        status
    }

    /// All that it wrote so far, over all its starts.
    #[must_use]
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log_path()).unwrap_or_default()
    }

    fn log_path(&self) -> PathBuf {
        self.folder.path().join("program.log")
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            report(self.name, &tail(&self.log_path()));
        }
    }
}

/// Shows a failing test what the program said.
#[allow(clippy::print_stderr, reason = "the test harness shows it with the failure")]
fn report(name: &str, log: &str) {
    eprintln!("--- the end of {name}'s log:\n{log}");
}

fn tail(log: &std::path::Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LOG_LINES)..].join("\n")
}
