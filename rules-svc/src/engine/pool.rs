//! Threads for thinking: a bounded number that run, a bounded number that wait, and a way to stop each.
//!
//! Rules are checked on the runtime's own threads and never wait here. A pool in the background also gives way to those
//! threads when both want the same processor.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::Instant;

/// How far a background thread stands back, in steps of nice(2): it gets a third of what a thread like any other gets when
/// both want the same processor, so that a house bot goes on, if slowly, while everything is busy.
#[cfg(target_os = "linux")]
const BACKGROUND_NICENESS: i32 = 5;

/// Why a thought did not come to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PoolFault {
    /// Every place to wait is taken.
    Busy,
    /// The work panicked, or the system had no thread left for it.
    Broken,
}

/// Tells work to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Whether the work is to stop.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Stops the work when the call that wanted it goes away.
struct StopOnDrop(StopFlag);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// How a pool's threads stand towards the rest of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Like any other thread.
    Equal,
    /// Behind every other thread that wants the processor.
    Background,
}

/// A bounded pool.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    standing: Standing,
    places: Arc<Semaphore>,
    threads: Arc<Semaphore>,
}

impl Pool {
    /// A pool with so many threads and so many places to wait for one.
    pub(crate) fn new(standing: Standing, threads: usize, waiting: usize) -> Self {
        Self {
            standing,
            places: Arc::new(Semaphore::new(threads + waiting)),
            threads: Arc::new(Semaphore::new(threads)),
        }
    }

    /// Runs work on a thread of the pool. It is told to stop `limit` after the call, and when the caller goes away.
    ///
    /// # Errors
    /// [`PoolFault::Busy`] at once when there is no place to wait, and when no thread was free before `limit`.
    pub(crate) async fn run<T, F>(&self, limit: Option<Duration>, work: F) -> Result<T, PoolFault>
    where
        T: Send + 'static,
        F: FnOnce(&StopFlag) -> T + Send + 'static,
    {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| PoolFault::Busy)?;
        let end = limit.map(|limit| Instant::now() + limit);
        let thread = self.thread(end).await?;
        let guard = StopOnDrop(StopFlag::default());
        let flag = guard.0.clone();
        let mut running = self.spawn(move || {
            let result = work(&flag);
            drop((place, thread));
            result
        })?;
        let finished = match end {
            None => running.await,
            Some(end) => tokio::select! {
                finished = &mut running => finished,
                () = tokio::time::sleep_until(end) => {
                    guard.0.set();
                    running.await
                }
            },
        };
        finished.map_err(|_| PoolFault::Broken)
    }

    /// Starts a thread for the work. Each work has one of its own, since a thread that stood back may not come forward
    /// again; that costs some ten microseconds, where thinking takes milliseconds.
    fn spawn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<oneshot::Receiver<T>, PoolFault> {
        let standing = self.standing;
        let (finished, running) = oneshot::channel();
        let thread = std::thread::Builder::new().name("thinking".to_owned()).spawn(move || {
            if standing == Standing::Background {
                stand_back();
            }
            // Nobody hears it when the caller has gone.
            let _gone = finished.send(work());
        });
        thread.map(|_detached| running).map_err(|fault| {
            tracing::error!(%fault, "no thread to think on");
            PoolFault::Broken
        })
    }

    /// A thread, as soon as one is free.
    async fn thread(&self, end: Option<Instant>) -> Result<OwnedSemaphorePermit, PoolFault> {
        let free = Arc::clone(&self.threads).acquire_owned();
        let free = match end {
            None => free.await,
            Some(end) => tokio::time::timeout_at(end, free).await.map_err(|_| PoolFault::Busy)?,
        };
        free.map_err(|_| PoolFault::Broken)
    }
}

/// Puts the calling thread behind the others. Elsewhere than on Linux a process has one priority, not its threads.
fn stand_back() {
    #[cfg(target_os = "linux")]
    if let Err(fault) = rustix::process::setpriority_process(None, BACKGROUND_NICENESS) {
        tracing::warn!(%fault, "a background thread keeps its priority");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn until_stopped(flag: &StopFlag) {
        while !flag.is_set() {
            std::thread::yield_now();
        }
    }

    /// Work that has a thread of the pool until its caller goes away.
    async fn occupied(pool: &Pool) -> tokio::task::JoinHandle<Result<(), PoolFault>> {
        let (started, has_started) = mpsc::channel();
        let busy = pool.clone();
        let caller = tokio::spawn(async move {
            busy.run(None, move |flag| {
                started.send(()).unwrap();
                until_stopped(flag);
            })
            .await
        });
        tokio::task::spawn_blocking(move || has_started.recv().unwrap()).await.unwrap();
        caller
    }

    #[tokio::test]
    async fn work_is_refused_when_every_place_is_taken() {
        let pool = Pool::new(Standing::Background, 1, 0);
        let first = occupied(&pool).await;
        assert_eq!(pool.run(None, |_| ()).await, Err(PoolFault::Busy));
        first.abort();
        first.await.unwrap_err();
        while pool.places.available_permits() == 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(pool.run(None, |_| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn work_is_told_to_stop_at_its_limit() {
        let pool = Pool::new(Standing::Background, 1, 1);
        assert_eq!(pool.run(Some(Duration::from_millis(1)), until_stopped).await, Ok(()));
    }

    #[tokio::test]
    async fn waiting_for_a_thread_counts_as_well() {
        let pool = Pool::new(Standing::Background, 1, 1);
        let first = occupied(&pool).await;
        assert_eq!(pool.run(Some(Duration::from_millis(1)), |_| ()).await, Err(PoolFault::Busy));
        first.abort();
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn only_background_work_stands_back() {
        let niceness = |_: &StopFlag| rustix::process::getpriority_process(None).unwrap();
        let own = niceness(&StopFlag::default());
        assert_eq!(Pool::new(Standing::Equal, 1, 0).run(None, niceness).await, Ok(own));
        assert_eq!(Pool::new(Standing::Background, 1, 0).run(None, niceness).await, Ok(BACKGROUND_NICENESS));
        assert_eq!(niceness(&StopFlag::default()), own);
    }

    #[tokio::test]
    async fn a_panic_frees_its_place() {
        let pool = Pool::new(Standing::Background, 1, 0);
        assert_eq!(pool.run(None, |_| panic!("on purpose")).await, Err::<(), _>(PoolFault::Broken));
        assert_eq!(pool.run(None, |_| 1).await, Ok(1));
    }
}
