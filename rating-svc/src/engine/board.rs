//! Pages of leaderboards: rows are read in slices until a page is full or the board ends.

use super::{Ratings, page_rows};
use crate::domain::board::{Entry, Page, PageQuery, Place, page};
use crate::domain::cursor;
use crate::domain::error::Refusal;
use crate::domain::ids::GameId;
use crate::metrics::Source;
use crate::store::StoreFault;

/// A page of a leaderboard and where to go on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoardPage {
    /// Its rows.
    pub(crate) page: Page,
    /// For the next page; empty at the end.
    pub(crate) next_cursor: String,
}

impl Ratings {
    /// A page of a game's leaderboard. A game that nobody has played has an empty one.
    pub(crate) async fn leaderboard(&self, game: &str, limit: u32, cursor: &str) -> Result<BoardPage, StoreFault> {
        let Some(game) = GameId::parse(game) else {
            let refused = Refusal::CursorInvalid;
            return if cursor.is_empty() { Ok(BoardPage::empty()) } else { Err(refused.into()) };
        };
        let after = cursor::board(cursor, &game, self.now())?;
        let query = PageQuery { game, limit: page_rows(limit), after };
        let (page, source) = self.page(&query).await?;
        self.metrics.page(source);
        let next_cursor = page.next.as_ref().map(|after| cursor::of_board(&query.game, after)).unwrap_or_default();
        Ok(BoardPage { page, next_cursor })
    }

    async fn page(&self, query: &PageQuery) -> Result<(Page, Source), StoreFault> {
        match self.cached_page(query).await {
            Some(page) => Ok((page, Source::Cache)),
            None => Ok((self.database_page(query).await?, Source::Database)),
        }
    }

    /// Only first pages, which nearly everybody reads and nobody else does, come from the cache: a copy that lags behind could
    /// show on a later page, further down, whom an earlier page has shown. What a first page shows is at the earliest of the
    /// moment that the copy is in step with, so the pages after it leave out whoever moved since then.
    async fn cached_page(&self, query: &PageQuery) -> Option<Page> {
        let boards = self.boards.as_ref().filter(|_| query.after.is_none())?;
        let top = boards.top(&query.game, query.limit + 1).await?;
        Some(page(query, top.entries, top.synced_at))
    }

    async fn database_page(&self, query: &PageQuery) -> Result<Page, StoreFault> {
        let read_at = self.now();
        let wanted = query.limit + 1;
        let mut entries: Vec<Entry> = Vec::with_capacity(wanted);
        let mut after: Option<Place> = query.after.as_ref().map(|after| after.place.clone());
        loop {
            let slice = self.store.board(&query.game, after.as_ref(), wanted).await?;
            let is_last = slice.len() < wanted;
            after = slice.last().map(Entry::place);
            entries.extend(
                slice.into_iter().filter(|entry| query.after.as_ref().is_none_or(|after| entry.may_follow(after))),
            );
            if is_last || entries.len() >= wanted {
                return Ok(page(query, entries, read_at));
            }
        }
    }
}

impl BoardPage {
    const fn empty() -> Self {
        Self { page: Page { rows: Vec::new(), next: None }, next_cursor: String::new() }
    }
}
