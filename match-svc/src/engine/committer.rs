//! Group commit: what is waiting is written in one transaction, and each caller is answered once it is durable. Every
//! decision keeps its own fence; a batch that fails as a whole is bisected, so that one bad decision spoils no other.

use std::collections::VecDeque;

use tokio::sync::{mpsc, oneshot};

use super::Parts;
use crate::domain::fault::MatchFault;
use crate::metrics::MatchMetrics;
use crate::store::{Prepared, Store};

type Answer = oneshot::Sender<Result<bool, MatchFault>>;

/// The way to the one task of this replica that writes decisions.
#[derive(Clone, Debug)]
pub(super) struct Committer {
    queue: mpsc::Sender<(Prepared, Answer)>,
}

impl Committer {
    /// Starts the task. It ends when everything that could submit is gone, after writing what is waiting.
    pub(super) fn start(parts: &Parts) -> Self {
        let (queue, waiting) = mpsc::channel(parts.settings.queue);
        let writer = Writer { store: parts.store.clone(), metrics: parts.metrics.clone(), batch: parts.settings.batch };
        tokio::spawn(writer.run(waiting));
        Self { queue }
    }

    /// Writes a decision; true when it won its fence and is durable.
    pub(super) async fn submit(&self, prepared: Prepared) -> Result<bool, MatchFault> {
        let (answer, answered) = oneshot::channel();
        match self.queue.try_send((prepared, answer)) {
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
    store: Store,
    metrics: MatchMetrics,
    batch: usize,
}

impl Writer {
    async fn run(self, mut waiting: mpsc::Receiver<(Prepared, Answer)>) {
        let mut items = Vec::with_capacity(self.batch);
        while waiting.recv_many(&mut items, self.batch).await > 0 {
            let mut work = VecDeque::from([std::mem::take(&mut items)]);
            while let Some(batch) = work.pop_front() {
                if let Some((one, other)) = self.write(batch).await {
                    work.push_back(one);
                    work.push_back(other);
                }
            }
        }
    }

    /// Writes a batch; answers its two halves when it failed for a reason that may lie in one of them.
    async fn write(
        &self,
        batch: Vec<(Prepared, Answer)>,
    ) -> Option<(Vec<(Prepared, Answer)>, Vec<(Prepared, Answer)>)> {
        let stopwatch = farside_kit::time::Stopwatch::start();
        let (mut prepared, mut answers) = (Vec::with_capacity(batch.len()), Vec::with_capacity(batch.len()));
        for (item, answer) in batch {
            prepared.push(item);
            answers.push(answer);
        }
        let written = self.store.commit(prepared.clone()).await;
        self.metrics.batch(prepared.len(), stopwatch.elapsed());
        match written {
            Ok(won) => {
                for (answer, won) in answers.into_iter().zip(won) {
                    // A caller that went away needs no answer.
                    let _ = answer.send(Ok(won));
                }
                None
            }
            Err(MatchFault::Internal(error)) if prepared.len() > 1 => {
                tracing::warn!(%error, items = prepared.len(), "batch is bisected");
                let mut items: Vec<(Prepared, Answer)> = prepared.into_iter().zip(answers).collect();
                let half = items.split_off(items.len() / 2);
                Some((items, half))
            }
            Err(fault) => {
                refuse(&fault, answers);
                None
            }
        }
    }
}

fn refuse(fault: &MatchFault, answers: Vec<Answer>) {
    tracing::warn!(chain = %farside_kit::fault::Chain(fault), items = answers.len(), "commit failed");
    for answer in answers {
        let told = match fault {
            MatchFault::Internal(_) => MatchFault::internal("commit failed"),
            _ => MatchFault::Unavailable("commit failed".into()),
        };
        // A caller that went away needs no answer.
        let _ = answer.send(Err(told));
    }
}
