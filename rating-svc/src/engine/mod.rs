//! The imperative shell: takes what is asked to the store, and carries out what follows from it.
//!
//! Not here: arithmetic (`domain/`), SQL and Redis (`store/`), protobuf (`grpc/`).

mod board;
mod cache;

pub(crate) use board::BoardPage;
pub(crate) use cache::Boards;

use farside_kit::operator::{Operation, OperatorLog};
use farside_kit::time::{SharedClock, UnixMs};

use crate::domain::cursor;
use crate::domain::ids::GameId;
use crate::domain::set::FinishedSet;
use crate::domain::standing::Standing;
use crate::metrics::RatingMetrics;
use crate::store::{HistoryPoint, PracticeStatistics, Rebuilt, Recorded, Store, StoreFault};

/// Rows on a page unless something else is asked for.
const PAGE_ROWS: usize = 20;
/// Most rows on a page.
const PAGE_ROWS_MAX: usize = 100;

/// Everything that rating-svc can do.
#[derive(Clone, Debug)]
pub(crate) struct Ratings {
    store: Store,
    boards: Option<Boards>,
    clock: SharedClock,
    metrics: RatingMetrics,
    log: OperatorLog,
}

/// A page of a history.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HistoryPage {
    /// Newest first.
    pub(crate) points: Vec<HistoryPoint>,
    /// For the next page; empty at the end.
    pub(crate) next_cursor: String,
}

impl Ratings {
    /// Puts it together; without boards in Redis, leaderboards are read from the database.
    pub(crate) const fn new(
        store: Store,
        boards: Option<Boards>,
        clock: SharedClock,
        metrics: RatingMetrics,
        log: OperatorLog,
    ) -> Self {
        Self { store, boards, clock, metrics, log }
    }

    /// The present moment.
    pub(crate) fn now(&self) -> UnixMs {
        self.clock.now()
    }

    /// Records a set.
    pub(crate) async fn record(&self, set: FinishedSet) -> Result<Recorded, StoreFault> {
        let game = set.game.clone();
        let recorded = self.store.record(set.checked()?).await?;
        self.metrics.recorded(recorded.how);
        if let Some(boards) = &self.boards {
            boards.put(&game, &recorded.changed).await;
        }
        Ok(recorded)
    }

    /// Where a participant stands in each game.
    pub(crate) async fn standings(&self, participant: &str) -> Result<Vec<(GameId, Standing)>, StoreFault> {
        self.store.standings(participant).await
    }

    /// A page of a participant's history.
    pub(crate) async fn history(
        &self,
        participant: &str,
        game: &str,
        limit: u32,
        cursor: &str,
    ) -> Result<HistoryPage, StoreFault> {
        let before = cursor::history(cursor, participant, game)?;
        let limit = page_rows(limit);
        let mut points = self.store.history(participant, game, before.as_ref(), limit + 1).await?;
        let more = points.len() > limit;
        points.truncate(limit);
        let last = points.last().filter(|_| more);
        let next_cursor = last.map(|last| cursor::of_history(participant, game, &last.order)).unwrap_or_default();
        Ok(HistoryPage { points, next_cursor })
    }

    /// A person's practice statistics.
    pub(crate) async fn practice(&self, player: &str) -> Result<Vec<PracticeStatistics>, StoreFault> {
        self.store.practice(player).await
    }

    /// Makes everything anew from the log of sets, once for each key.
    pub(crate) async fn rebuild(&self, operation: Operation) -> Result<Rebuilt, StoreFault> {
        let request_id = operation.request_id.clone();
        tracing::info!(request_id, "rebuild begins");
        let rebuilt = self.store.rebuild(&self.log, operation).await?;
        if let Some(boards) = &self.boards {
            boards.reload(&self.store.games().await?).await;
        }
        self.metrics.corrected(rebuilt.corrected);
        tracing::info!(request_id, sets = rebuilt.sets, corrected = rebuilt.corrected, "rebuild ended");
        Ok(rebuilt)
    }
}

/// How many rows a page has when `asked` for: 0 means the usual number.
fn page_rows(asked: u32) -> usize {
    let asked = usize::try_from(asked).unwrap_or(PAGE_ROWS_MAX);
    if asked == 0 { PAGE_ROWS } else { asked.min(PAGE_ROWS_MAX) }
}
