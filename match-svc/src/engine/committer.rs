//! Group commit: what is waiting is written in one transaction, and each caller is answered once it is durable. Every
//! decision keeps its own fence; a batch that fails as a whole is bisected, so that one bad decision spoils no other.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::{Mutex, mpsc, oneshot};
use tracing::{Instrument as _, Span};

use super::Parts;
use crate::domain::fault::MatchFault;
use crate::failpoint::Failpoint;
use crate::metrics::MatchMetrics;
use crate::store::{Prepared, SharedStore};

type Answer = oneshot::Sender<Result<bool, MatchFault>>;

/// A decision that waits, with the way back to its caller.
#[derive(Debug)]
struct Waiting {
    prepared: Arc<Prepared>,
    answer: Answer,
    span: Span,
}

/// The way to the tasks of this replica that write decisions: one unless the settings say otherwise.
#[derive(Clone, Debug)]
pub(super) struct Committer {
    queue: mpsc::Sender<Waiting>,
}

impl Committer {
    /// Starts the writers. They end when everything that could submit is gone, after writing what is waiting.
    pub(super) fn start(parts: &Parts) -> Self {
        let (queue, waiting) = mpsc::channel(parts.settings.queue);
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..parts.settings.writers {
            let (store, metrics) = (Arc::clone(&parts.store), parts.metrics.clone());
            let writer = Writer { store, metrics, batch: parts.settings.batch, waiting: Arc::clone(&waiting) };
            tokio::spawn(writer.run());
        }
        Self { queue }
    }

    /// Writes a decision; true when it won its fence and is durable.
    pub(super) async fn submit(&self, prepared: Prepared) -> Result<bool, MatchFault> {
        let (answer, answered) = oneshot::channel();
        match self.queue.try_send(Waiting { prepared: Arc::new(prepared), answer, span: Span::current() }) {
            Ok(()) => {}
            Err(mpsc::error::TrySendError::Full(_)) => return Err(MatchFault::QueueFull),
            Err(mpsc::error::TrySendError::Closed(_)) => return Err(stopped()),
        }
        answered.await.unwrap_or_else(|_| Err(stopped()))
    }
}

fn stopped() -> MatchFault {
    MatchFault::Unavailable("the committer has stopped".into())
}

struct Writer {
    store: SharedStore,
    metrics: MatchMetrics,
    batch: usize,
    waiting: Arc<Mutex<mpsc::Receiver<Waiting>>>,
}

impl Writer {
    async fn take(&self) -> Vec<Waiting> {
        let mut items = Vec::new();
        self.waiting.lock().await.recv_many(&mut items, self.batch).await;
        items
    }

    async fn run(self) {
        loop {
            let items = self.take().await;
            if items.is_empty() {
                return;
            }
            let mut work = VecDeque::from([items]);
            while let Some(batch) = work.pop_front() {
                if let Some((one, other)) = self.write(batch).await {
                    work.push_back(one);
                    work.push_back(other);
                }
            }
        }
    }

    /// Writes a batch, in the trace of its first decision; answers its two halves when it failed for a reason that may
    /// lie in one of them.
    async fn write(&self, batch: Vec<Waiting>) -> Option<(Vec<Waiting>, Vec<Waiting>)> {
        let stopwatch = farside_kit::time::Stopwatch::start();
        let prepared = batch.iter().map(|waiting| Arc::clone(&waiting.prepared)).collect();
        let parent = batch.first().map_or_else(Span::none, |waiting| waiting.span.clone());
        let span = tracing::info_span!(parent: &parent, "commit", items = batch.len());
        let written = self.store.commit(prepared).instrument(span).await;
        self.metrics.batch(batch.len(), stopwatch.elapsed());
        match written {
            Ok(won) => {
                Failpoint::CommitDurable.reach();
                for (waiting, won) in batch.into_iter().zip(won) {
                    // A caller that went away needs no answer.
                    let _ = waiting.answer.send(Ok(won));
                }
                None
            }
            Err(MatchFault::Internal(error)) if batch.len() > 1 => {
                tracing::warn!(%error, items = batch.len(), "batch is bisected");
                let mut items = batch;
                let half = items.split_off(items.len() / 2);
                Some((items, half))
            }
            Err(fault) => {
                refuse(&fault, batch);
                None
            }
        }
    }
}

fn refuse(fault: &MatchFault, batch: Vec<Waiting>) {
    tracing::warn!(chain = %farside_kit::fault::Chain(fault), items = batch.len(), "commit failed");
    for waiting in batch {
        let told = match fault {
            MatchFault::Internal(_) => MatchFault::internal("commit failed"),
            _ => MatchFault::Unavailable("commit failed".into()),
        };
        // A caller that went away needs no answer.
        let _ = waiting.answer.send(Err(told));
    }
}
