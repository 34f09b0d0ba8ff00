//! Reads balances and statements.
//!
//! Not here: locks. A reader sees what is committed; postings go on meanwhile.

use std::collections::BTreeMap;
use std::str::FromStr;

use farside_kit::time::UnixMs;
use sea_orm::{ConnectionTrait as _, QueryResult, Statement};

use super::Store;
use super::bulk::query_by_keys;
use super::fault::StoreFault;
use super::load::{ACCOUNT, account, account_key, named, points};
use crate::domain::account::Account;
use crate::domain::currency::Currency;
use crate::domain::ids::{AccountId, Text, TransactionId};
use crate::domain::points::Change;
use crate::domain::statement::{Line, LineKind};

/// Where a page of a statement begins: below which line of each currency. Currencies that are absent are at their end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page(BTreeMap<Currency, i64>);

/// A cursor that no page ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the cursor is none that a page ended with")]
pub struct PageFault;

impl FromStr for Page {
    type Err = PageFault;

    /// Reads `PTS.12-EUR.3`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let part = |part: &str| {
            let (code, line) = part.split_once('.')?;
            let line = line.parse().ok().filter(|line| *line > 0)?;
            Some((Currency::new(code)?, line))
        };
        text.split('-').map(part).collect::<Option<_>>().map(Self).ok_or(PageFault)
    }
}

impl Page {
    /// The cursor's text.
    #[must_use]
    pub fn cursor(&self) -> String {
        let parts: Vec<_> = self.0.iter().map(|(currency, line)| format!("{currency}.{line}")).collect();
        parts.join("-")
    }

    /// The page that begins after everything: the newest lines of these accounts.
    fn newest(accounts: &[Account]) -> Self {
        Self(accounts.iter().map(|account| (account.key.currency.clone(), account.lines.saturating_add(1))).collect())
    }
}

impl Store {
    /// The accounts of an owner, by currency; none when it was never opened.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn accounts(&self, owner: &AccountId) -> Result<Vec<Account>, StoreFault> {
        let sql = format!("{ACCOUNT} WHERE account_id {{keys}} ORDER BY currency");
        let rows = query_by_keys(self.db.read(), &sql, &[owner.as_str()]).await?;
        rows.iter().map(account).collect()
    }

    /// At most `limit` lines of an owner's statement, newest first, and where the next page begins if there is one.
    /// `None` for an owner without an account. Within a currency lines are in the order of their numbers; currencies
    /// are merged by time.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn statement(
        &self,
        owner: &AccountId,
        from: Option<Page>,
        limit: usize,
    ) -> Result<Option<(Vec<Line>, Option<Page>)>, StoreFault> {
        let accounts = self.accounts(owner).await?;
        if accounts.is_empty() {
            return Ok(None);
        }
        let from = from.unwrap_or_else(|| Page::newest(&accounts));
        let mut heads = BTreeMap::new();
        // A cursor is the caller's text: currencies that the owner has not are none of its statement.
        let has = |currency: &Currency| accounts.iter().any(|account| account.key.currency == *currency);
        for (currency, below) in from.0.iter().filter(|(currency, _)| has(currency)) {
            heads.insert(currency.clone(), self.lines_below(owner, currency, *below, limit).await?);
        }
        Ok(Some(merge(heads, limit)))
    }

    /// Newest first, reversed for popping.
    async fn lines_below(
        &self,
        owner: &AccountId,
        currency: &Currency,
        below: i64,
        limit: usize,
    ) -> Result<Vec<Line>, StoreFault> {
        let sql = "SELECT account_id, currency, line, transaction_id, kind, posted_change_points, held_change_points, \
             fee_points, posted_after_points, held_after_points, subject, participant_id, at_ms FROM statement_lines \
             WHERE account_id = $1 AND currency = $2 AND line < $3 ORDER BY line DESC LIMIT $4";
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let values = [owner.as_str().into(), currency.as_str().into(), below.into(), limit.into()];
        let rows = self.db.read().query_all_raw(Statement::from_sql_and_values(self.db.backend(), sql, values)).await?;
        rows.iter().rev().map(line).collect()
    }
}

/// Takes the newest line again and again. What is left of each currency is where the next page begins.
fn merge(mut heads: BTreeMap<Currency, Vec<Line>>, limit: usize) -> (Vec<Line>, Option<Page>) {
    let mut page = Vec::new();
    let mut next = BTreeMap::new();
    while page.len() < limit {
        let newest = heads.iter().filter_map(|(currency, lines)| Some((lines.last()?.at, currency.clone()))).max();
        let Some(line) = newest.and_then(|(_, currency)| heads.get_mut(&currency)?.pop()) else { break };
        page.push(line);
    }
    for (currency, lines) in heads {
        let last_shown = page.iter().rev().find(|line| line.after.key.currency == currency);
        let below = last_shown.map(|line| line.after.lines).or_else(|| lines.last().map(|line| line.after.lines + 1));
        if let Some(below) = below.filter(|below| *below > 1) {
            next.insert(currency, below);
        }
    }
    (page, Some(Page(next)).filter(|next| !next.0.is_empty()))
}

fn line(row: &QueryResult) -> Result<Line, StoreFault> {
    let kind = named(row, "kind", |name| LineKind::named(&name))?;
    let after = Account {
        key: account_key(row)?,
        posted: points(row, "posted_after_points")?,
        held: points(row, "held_after_points")?,
        lines: row.try_get("", "line")?,
    };
    Ok(Line {
        after,
        transaction: named(row, "transaction_id", TransactionId::new)?,
        kind,
        posted_change: Change::new(row.try_get("", "posted_change_points")?),
        held_change: Change::new(row.try_get("", "held_change_points")?),
        fee: points(row, "fee_points")?,
        subject: named(row, "subject", Text::new)?,
        participant: named(row, "participant_id", Text::new)?,
        at: UnixMs(row.try_get("", "at_ms")?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_back_as_it_was_told() {
        let page: Page = "EUR.3-PTS.12".parse().unwrap();
        assert_eq!(page.cursor(), "EUR.3-PTS.12");
        for bad in ["", "PTS", "PTS.", "PTS.0", "PTS.-1", "pts.1", "PTS.1-", "PTS.99999999999999999999"] {
            assert_eq!(bad.parse::<Page>(), Err(PageFault), "{bad}");
        }
    }
}
