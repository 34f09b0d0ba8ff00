//! Runs child commands so that nothing outlives the task: each in a process group of its own, ended with all its
//! descendants when the task is interrupted. What is run is decided elsewhere.

use std::{
    os::unix::process::CommandExt as _,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::fault::Interrupted;

/// How often a running child is looked at; short against any stage.
const POLL: Duration = Duration::from_millis(20);

/// How long a child may take to end after it was asked to.
pub(crate) const END_GRACE: Duration = Duration::from_secs(10);

/// Runs commands and knows whether the task was interrupted.
#[derive(Clone, Debug)]
pub(crate) struct Runner {
    interrupted: Arc<AtomicBool>,
}

impl Runner {
    /// From here on SIGINT, SIGTERM and SIGHUP no longer end this process at once: commands end first.
    pub(crate) fn new() -> anyhow::Result<Self> {
        let interrupted = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::flag::register(signal, Arc::clone(&interrupted)).context("cannot handle signals")?;
        }
        Ok(Self { interrupted })
    }

    /// Fails when the task was asked to stop.
    pub(crate) fn check_interrupted(&self) -> anyhow::Result<()> {
        if self.interrupted.load(Ordering::Relaxed) {
            bail!(Interrupted);
        }
        Ok(())
    }

    /// Runs a command to its end, with this process's output and no input.
    pub(crate) fn status(&self, command: &mut Command) -> anyhow::Result<ExitStatus> {
        let name = command.get_program().to_string_lossy().into_owned();
        command.stdin(Stdio::null()).process_group(0);
        let child = command.spawn().with_context(|| format!("cannot start {name}"))?;
        let mut group = Group(Some(child));
        loop {
            if let Some(status) = group.finished().with_context(|| format!("cannot wait for {name}"))? {
                return Ok(status);
            }
            self.check_interrupted()?;
            thread::sleep(POLL);
        }
    }

    /// Runs a command and fails unless it succeeds.
    pub(crate) fn run(&self, command: &mut Command) -> anyhow::Result<()> {
        let status = self.status(command)?;
        if !status.success() {
            bail!("{} failed: {status}", describe(command));
        }
        Ok(())
    }

    /// Waits until `ready` says so; `ready` fails when waiting is pointless.
    pub(crate) fn wait_until(
        &self,
        limit: Duration,
        mut ready: impl FnMut() -> anyhow::Result<bool>,
    ) -> anyhow::Result<()> {
        let start = Instant::now();
        while !ready()? {
            self.check_interrupted()?;
            if start.elapsed() > limit {
                bail!("not ready within {} s", limit.as_secs());
            }
            thread::sleep(POLL);
        }
        Ok(())
    }
}

/// A command as one would type it.
pub(crate) fn describe(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    let program = program.rsplit('/').next().unwrap_or_default();
    let arguments = command.get_args().map(|argument| argument.to_string_lossy());
    std::iter::once(program.into()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// A child that leads a process group; dropping it ends the whole group.
#[derive(Debug)]
pub(crate) struct Group(Option<Child>);

impl Group {
    /// Starts a command in the background, without input.
    pub(crate) fn spawn(command: &mut Command) -> anyhow::Result<Self> {
        command.stdin(Stdio::null()).process_group(0);
        let child = command.spawn().with_context(|| format!("cannot start {}", describe(command)))?;
        Ok(Self(Some(child)))
    }

    /// The leader's process id, unless it was waited for.
    pub(crate) fn id(&self) -> Option<u32> {
        self.0.as_ref().map(Child::id)
    }

    /// The leader's exit status once it has ended; its descendants are ended then too.
    pub(crate) fn finished(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        let Some(child) = self.0.as_mut() else {
            bail!("it was waited for already");
        };
        let Some(status) = child.try_wait()? else {
            return Ok(None);
        };
        signal_group(child, Signal::KILL);
        self.0 = None;
        Ok(Some(status))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let Some(mut child) = self.0.take() else {
            return;
        };
        // SIGINT rather than SIGTERM: PostgreSQL then ends its sessions instead of waiting for them.
        signal_group(&child, Signal::INT);
        let start = Instant::now();
        while start.elapsed() < END_GRACE && matches!(child.try_wait(), Ok(None)) {
            thread::sleep(POLL);
        }
        signal_group(&child, Signal::KILL);
        // Nothing is left to do about a child that cannot be waited for.
        let _ = child.wait();
    }
}

/// Signals the child's whole group; a group that is gone already is what was wanted.
fn signal_group(child: &Child, signal: Signal) {
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(pid, signal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    fn alive(pid: &str) -> bool {
        // A zombie that nobody reaped yet is dead for our purpose.
        std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
    }

    #[test]
    fn a_failing_command_fails_with_its_name() {
        let error = Runner::new().unwrap().run(&mut shell("exit 3")).unwrap_err();
        assert!(error.to_string().starts_with("sh -c exit 3 failed"), "{error}");
    }

    #[test]
    fn dropping_a_group_ends_its_descendants() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let script = format!("sleep 600 & echo $! > '{0}.new'; mv '{0}.new' '{0}'; wait", file.display());
        // First the runner: where a shell started the tests in its background, SIGINT is ignored until then.
        let runner = Runner::new().unwrap();
        let group = Group::spawn(&mut shell(&script)).unwrap();
        runner.wait_until(END_GRACE, || Ok(file.exists())).unwrap();
        let pid = std::fs::read_to_string(&file).unwrap();
        drop(group);
        runner.wait_until(END_GRACE, || Ok(!alive(pid.trim()))).unwrap();
    }

    #[test]
    fn an_interrupt_ends_the_command_and_is_told_apart() {
        let runner = Runner::new().unwrap();
        runner.interrupted.store(true, Ordering::Relaxed);
        let error = runner.status(&mut shell("sleep 600")).unwrap_err();
        assert!(error.is::<Interrupted>());
    }
}
