//! The end of a process: one request to stop, tracked background tasks, and a bounded wait for them.
//!
//! Not here: what each task does to stop; it watches [`Shutdown`] and returns.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt as _;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The request to stop, shared by every part of a process.
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
    token: CancellationToken,
}

impl Shutdown {
    /// Nobody has asked to stop yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every part to stop.
    pub fn trigger(&self) {
        self.token.cancel();
    }

    /// Whether stopping was asked for.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Waits until stopping is asked for.
    pub async fn requested(&self) {
        self.token.cancelled().await;
    }

    /// Waits until stopping is asked for; owns what it waits on, so that it may be handed to a server.
    pub fn requested_owned(&self) -> impl Future<Output = ()> + Send + 'static + use<> {
        self.token.clone().cancelled_owned()
    }

    /// A shutdown of a part: follows this one, and may be triggered alone.
    #[must_use]
    pub fn child(&self) -> Self {
        Self { token: self.token.child_token() }
    }
}

/// The background tasks of a process.
#[derive(Clone, Debug)]
pub struct Tasks {
    tracker: TaskTracker,
    abort: CancellationToken,
}

impl Default for Tasks {
    fn default() -> Self {
        Self::new()
    }
}

impl Tasks {
    /// No tasks yet.
    #[must_use]
    pub fn new() -> Self {
        Self { tracker: TaskTracker::new(), abort: CancellationToken::new() }
    }

    /// Runs `task` in the background. It is waited for by [`Tasks::drain`] and dropped when the grace is over. A task
    /// that panics takes no other with it, and is logged.
    pub fn spawn(&self, name: &'static str, task: impl Future<Output = ()> + Send + 'static) {
        let abort = self.abort.clone();
        self.tracker.spawn(async move {
            tokio::select! {
                ended = AssertUnwindSafe(task).catch_unwind() => match ended {
                    Ok(()) => tracing::debug!(task = name, "task ended"),
                    Err(_) => tracing::error!(task = name, "task panicked"),
                },
                () = abort.cancelled() => tracing::warn!(task = name, "task stopped by force"),
            }
        });
    }

    /// How many tasks are running.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tracker.len()
    }

    /// Whether no task is running.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tracker.is_empty()
    }

    /// Waits for every task, at most `grace`, then drops what is left. True when all had ended by themselves.
    pub async fn drain(&self, grace: Duration) -> bool {
        self.tracker.close();
        let in_time = tokio::time::timeout(grace, self.tracker.wait()).await.is_ok();
        self.abort.cancel();
        self.tracker.wait().await;
        in_time
    }
}

/// Triggers `shutdown` at the first SIGINT or SIGTERM.
///
/// # Errors
///
/// When the operating system refuses the signal handlers.
pub fn on_signals(shutdown: &Shutdown) -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let shutdown = shutdown.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => tracing::info!(signal = "SIGINT", "stopping"),
            _ = terminate.recv() => tracing::info!(signal = "SIGTERM", "stopping"),
            () = shutdown.requested() => {}
        }
        shutdown.trigger();
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_drain_waits_for_tasks_that_heed_the_request() {
        let (shutdown, tasks) = (Shutdown::new(), Tasks::new());
        let watched = shutdown.clone();
        tasks.spawn("watcher", async move { watched.requested().await });
        shutdown.trigger();
        assert!(tasks.drain(Duration::from_secs(30)).await);
        assert!(tasks.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_drain_ends_tasks_that_do_not() {
        let tasks = Tasks::new();
        tasks.spawn("deaf", std::future::pending());
        assert!(!tasks.drain(Duration::from_secs(5)).await);
        assert!(tasks.is_empty());
    }

    #[tokio::test]
    async fn a_part_may_stop_alone() {
        let whole = Shutdown::new();
        let part = whole.child();
        part.trigger();
        assert!(part.is_requested() && !whole.is_requested());
        whole.trigger();
        assert!(whole.child().is_requested());
    }
}
