//! Many callers, one transaction: postings wait in a bounded queue, and each worker commits all that are waiting.
//!
//! While one batch is being made durable the next one gathers, so a lone caller waits for nobody and many share the
//! cost of a commit. Not here: deciding. A batch that fails for a fault (not a refusal) is halved until the posting
//! that makes it fail is alone; the others are committed without it.

use std::sync::Arc;

use farside_kit::db::DbProblem;
use farside_kit::shutdown::{Shutdown, Tasks};
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tracing::Instrument as _;

use super::fault::EngineFault;
use super::gate::Gate;
use crate::domain::answer::Outcome;
use crate::domain::posting::Posting;
use crate::metrics::LedgerMetrics;
use crate::store::{Batch, Store, StoreFault};

/// How often a batch that met another replica's rows is started again before it is halved.
const ATTEMPTS: u32 = 4;

/// How the batcher is dimensioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Postings that may wait; one more is refused.
    pub queue_postings: usize,
    /// Postings in one transaction. One call's postings are never torn apart, so it may be more by one call.
    pub batch_postings: usize,
    /// Transactions under way at once.
    pub workers: usize,
}

type Answers = Result<Vec<Outcome>, EngineFault>;

/// The postings of one call, and where their answers go.
#[derive(Debug)]
struct Job {
    postings: Vec<Posting>,
    answer: oneshot::Sender<Answers>,
    span: tracing::Span,
    _room: Room,
}

/// The room that a call's postings take up in the queue, from asking to answer, whether or not the caller still waits.
#[derive(Debug)]
struct Room {
    postings: u32,
    metrics: LedgerMetrics,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Room {
    fn drop(&mut self) {
        self.metrics.unqueued(self.postings);
    }
}

/// The way into the ledger for every posting. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Batcher {
    queue: mpsc::UnboundedSender<Job>,
    room: Arc<Semaphore>,
    gate: Gate,
    metrics: LedgerMetrics,
}

impl Batcher {
    /// Starts the workers. They end once a shutdown is requested and nothing is waiting.
    #[must_use]
    pub fn start(committer: &Committer, sizes: Sizes, tasks: &Tasks, shutdown: &Shutdown) -> Self {
        let (queue, jobs) = mpsc::unbounded_channel();
        let jobs = Arc::new(Mutex::new(jobs));
        let (gate, metrics) = (committer.gate.clone(), committer.metrics.clone());
        for _ in 0..sizes.workers {
            let (committer, jobs, shutdown) = (committer.clone(), Arc::clone(&jobs), shutdown.clone());
            tasks.spawn("ledger batcher", async move { committer.work(&jobs, sizes.batch_postings, &shutdown).await });
        }
        Self { queue, room: Arc::new(Semaphore::new(sizes.queue_postings)), gate, metrics }
    }

    /// Posts these, in their order and in one transaction, and answers when they are durable. Whoever stops waiting
    /// stops nothing: the postings are carried out all the same.
    ///
    /// # Errors
    ///
    /// When the ledger cannot answer; the same postings may be sent again.
    pub async fn post(&self, postings: Vec<Posting>) -> Answers {
        self.gate.check()?;
        if postings.is_empty() {
            return Ok(Vec::new());
        }
        let room = self.room_for(postings.len())?;
        let (answer, answered) = oneshot::channel();
        let job = Job { postings, answer, span: tracing::Span::current(), _room: room };
        self.queue.send(job).map_err(|_| EngineFault::Stopping)?;
        answered.await.unwrap_or(Err(EngineFault::Stopping))
    }

    fn room_for(&self, postings: usize) -> Result<Room, EngineFault> {
        let postings = u32::try_from(postings).map_err(|_| EngineFault::QueueFull)?;
        let permit = Arc::clone(&self.room).try_acquire_many_owned(postings);
        let permit = permit.map_err(|_| EngineFault::QueueFull)?;
        self.metrics.queued(postings);
        Ok(Room { postings, metrics: self.metrics.clone(), _permit: permit })
    }
}

/// Commits batches.
#[derive(Clone, Debug)]
pub struct Committer {
    /// Where to.
    pub store: Store,
    /// What with.
    pub batch: Batch,
    /// Whether to.
    pub gate: Gate,
    /// What is told about it.
    pub metrics: LedgerMetrics,
}

impl Committer {
    async fn work(&self, jobs: &Mutex<mpsc::UnboundedReceiver<Job>>, batch_postings: usize, shutdown: &Shutdown) {
        while let Some(batch) = next_batch(jobs, batch_postings, shutdown).await {
            // A transaction that many calls share is told in the trace of the first.
            let span = batch.first().map_or_else(tracing::Span::none, |job| job.span.clone());
            self.carry_out(batch).instrument(span).await;
        }
    }

    async fn carry_out(&self, jobs: Vec<Job>) {
        let postings: Arc<[Posting]> = jobs.iter().flat_map(|job| job.postings.iter().cloned()).collect();
        let mut answers = self.answers(postings).await.into_iter();
        for job in jobs {
            let answers: Answers = answers.by_ref().take(job.postings.len()).collect();
            if let Ok(outcomes) = &answers {
                self.metrics.answered(&job.postings, outcomes);
            }
            // A caller that went away misses nothing: its key has the answer.
            let _ = job.answer.send(answers);
        }
    }

    /// One answer for each posting. Parts of a batch wait on a stack while it is halved.
    async fn answers(&self, postings: Arc<[Posting]>) -> Vec<Result<Outcome, EngineFault>> {
        let mut answers = Vec::with_capacity(postings.len());
        let mut parts = vec![postings];
        while let Some(part) = parts.pop() {
            match self.commit(&part).await {
                Ok(outcomes) => answers.extend(outcomes.into_iter().map(Ok)),
                Err(fault @ (EngineFault::Failed(_) | EngineFault::Unavailable(_)))
                    if is_halved(&fault, part.len()) =>
                {
                    tracing::warn!(postings = part.len(), "a batch that failed is halved");
                    let (first, second) = part.split_at(part.len() / 2);
                    parts.extend([second.into(), first.into()]);
                }
                Err(fault) => answers.extend(part.iter().map(|_| Err(fault.clone()))),
            }
        }
        answers
    }

    async fn commit(&self, postings: &Arc<[Posting]>) -> Result<Vec<Outcome>, EngineFault> {
        for attempt in 1.. {
            self.gate.check()?;
            let measured = self.metrics.commit_begins(postings.len());
            match self.store.post(&self.batch, Arc::clone(postings)).await {
                Err(fault) if attempt < ATTEMPTS && fault.problem() == DbProblem::UniqueViolation => {
                    tracing::debug!(attempt, "another replica was first, the batch starts again");
                }
                outcome => {
                    measured.ends();
                    return outcome.map_err(EngineFault::from);
                }
            }
        }
        unreachable!("the last attempt returns")
    }
}

/// Halving helps against whatever one posting brings in, not against a database that is away.
fn is_halved(fault: &EngineFault, postings: usize) -> bool {
    let away = |fault: &StoreFault| fault.problem() == DbProblem::Unavailable;
    match fault {
        EngineFault::Failed(_) => postings > 1,
        EngineFault::Unavailable(source) => postings > 1 && !away(source),
        EngineFault::AuditViolation | EngineFault::QueueFull | EngineFault::Stopping => false,
    }
}

/// Waits for a job and takes what else is waiting. `None` at the end.
async fn next_batch(
    jobs: &Mutex<mpsc::UnboundedReceiver<Job>>,
    batch_postings: usize,
    shutdown: &Shutdown,
) -> Option<Vec<Job>> {
    let mut jobs = jobs.lock().await;
    let first = tokio::select! {
        biased;
        job = jobs.recv() => job?,
        () = shutdown.requested() => {
            jobs.close();
            jobs.recv().await?
        }
    };
    let mut postings = first.postings.len();
    let mut batch = vec![first];
    while postings < batch_postings {
        let Ok(job) = jobs.try_recv() else { break };
        postings += job.postings.len();
        batch.push(job);
    }
    Some(batch)
}
