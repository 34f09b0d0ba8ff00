//! Loads and locks what a batch needs, in the one order of locks: holds by name, then accounts by owner.
//!
//! Not here: deciding. Keys, sets, holds and accounts that do not exist are simply absent.

use std::collections::{BTreeSet, HashMap, HashSet};

use sea_orm::{ConnectionTrait as _, DatabaseTransaction, QueryResult};

use super::bulk::{for_update, query_by_keys};
use super::fault::StoreFault;
use super::rows::{OPEN, VOID, ending_named};
use crate::domain::account::{Account, AccountKey};
use crate::domain::book::Remembered;
use crate::domain::currency::Currency;
use crate::domain::decide::Loaded;
use crate::domain::hold::{Hold, HoldRecord, HoldState};
use crate::domain::ids::{AccountId, HoldId, RequestId, SetId, Text, TransactionId};
use crate::domain::points::Points;
use crate::domain::posting::{Command, Fingerprint, Posting};

/// The first answers to those of the keys that were used before.
pub(super) async fn remembered(
    tx: &DatabaseTransaction,
    postings: &[Posting],
) -> Result<HashMap<RequestId, Remembered>, StoreFault> {
    let keys: Vec<_> = postings.iter().map(|posting| posting.key.as_str()).collect();
    let sql = "SELECT request_id, fingerprint, answer FROM postings WHERE request_id {keys}";
    query_by_keys(tx, sql, &keys).await?.iter().map(remembered_row).collect()
}

fn remembered_row(row: &QueryResult) -> Result<(RequestId, Remembered), StoreFault> {
    let answer: String = row.try_get("", "answer")?;
    let outcome = serde_json::from_str(&answer).map_err(|_| StoreFault::unreadable("answer", &answer))?;
    let fingerprint = Fingerprint::stored(row.try_get("", "fingerprint")?);
    Ok((named(row, "request_id", RequestId::new)?, Remembered { fingerprint, outcome }))
}

/// Everything that these postings are decided on.
pub(super) async fn loaded(tx: &DatabaseTransaction, postings: &[Posting]) -> Result<Loaded, StoreFault> {
    let ended_sets = ended_sets(tx, postings).await?;
    let holds = holds(tx, postings).await?;
    let accounts = accounts(tx, postings, &holds).await?;
    Ok(Loaded { accounts, holds, ended_sets })
}

async fn ended_sets(tx: &DatabaseTransaction, postings: &[Posting]) -> Result<HashSet<SetId>, StoreFault> {
    let sets: Vec<_> = postings.iter().filter_map(|posting| posting.command.set()).map(SetId::as_str).collect();
    let sql = "SELECT ended_set_id FROM postings WHERE ended_set_id {keys} AND ended_set_id IS NOT NULL";
    query_by_keys(tx, sql, &sets).await?.iter().map(|row| named(row, "ended_set_id", SetId::new)).collect()
}

async fn holds(tx: &DatabaseTransaction, postings: &[Posting]) -> Result<HashMap<HoldId, HoldRecord>, StoreFault> {
    let ids: BTreeSet<_> = postings.iter().flat_map(hold_ids).collect();
    let ids: Vec<_> = ids.iter().map(HoldId::as_str).collect();
    let lock = for_update(tx.get_database_backend());
    let sql = format!(
        "SELECT hold_id, state, account_id, currency, amount_points, subject, participant_id, ended_by \
         FROM holds WHERE hold_id {{keys}} ORDER BY hold_id{lock}"
    );
    query_by_keys(tx, &sql, &ids).await?.iter().map(hold_row).collect()
}

/// The holds that a posting is about: for one that makes a hold, whether its name is taken.
fn hold_ids(posting: &Posting) -> Vec<HoldId> {
    match &posting.command {
        Command::Hold(_) => vec![HoldId::from(posting.key.clone())],
        command => command.holds(),
    }
}

fn hold_row(row: &QueryResult) -> Result<(HoldId, HoldRecord), StoreFault> {
    let id = named(row, "hold_id", HoldId::new)?;
    let state: String = row.try_get("", "state")?;
    if state == VOID {
        return Ok((id, HoldRecord::Void));
    }
    let hold = Hold {
        id: id.clone(),
        key: account_key(row)?,
        amount: points(row, "amount_points")?,
        subject: named(row, "subject", Text::new)?,
        participant: named(row, "participant_id", Text::new)?,
        state: hold_state(row, &state)?,
    };
    Ok((id, HoldRecord::Made(hold)))
}

fn hold_state(row: &QueryResult, state: &str) -> Result<HoldState, StoreFault> {
    if state == OPEN {
        return Ok(HoldState::Open);
    }
    let ending = ending_named(state).ok_or_else(|| StoreFault::unreadable("state of a hold", state))?;
    Ok(HoldState::Ended(ending, named(row, "ended_by", TransactionId::new)?))
}

async fn accounts(
    tx: &DatabaseTransaction,
    postings: &[Posting],
    holds: &HashMap<HoldId, HoldRecord>,
) -> Result<HashMap<AccountKey, Account>, StoreFault> {
    let named = postings.iter().filter_map(|posting| posting.command.account());
    let held = holds.values().filter_map(|record| match record {
        HoldRecord::Made(hold) => Some(hold.key.account.clone()),
        HoldRecord::Void => None,
    });
    let ids: BTreeSet<AccountId> = named.chain(held).collect();
    let ids: Vec<_> = ids.iter().map(AccountId::as_str).collect();
    let lock = for_update(tx.get_database_backend());
    let sql = format!("{ACCOUNT} WHERE account_id {{keys}} ORDER BY account_id, currency{lock}");
    let rows = query_by_keys(tx, &sql, &ids).await?;
    rows.iter().map(|row| account(row).map(|account| (account.key.clone(), account))).collect()
}

/// The query that [`account`] reads.
pub(super) const ACCOUNT: &str = "SELECT account_id, currency, posted_points, held_points, line_count FROM accounts";

pub(super) fn account(row: &QueryResult) -> Result<Account, StoreFault> {
    Ok(Account {
        key: account_key(row)?,
        posted: points(row, "posted_points")?,
        held: points(row, "held_points")?,
        lines: row.try_get("", "line_count")?,
    })
}

pub(super) fn account_key(row: &QueryResult) -> Result<AccountKey, StoreFault> {
    let account = named(row, "account_id", AccountId::new)?;
    Ok(AccountKey { account, currency: named(row, "currency", Currency::new)? })
}

pub(super) fn points(row: &QueryResult, column: &'static str) -> Result<Points, StoreFault> {
    let number: i64 = row.try_get("", column)?;
    Points::new(number).ok_or_else(|| StoreFault::unreadable(column, &number))
}

/// Reads a text column as one of the domain's names.
pub(super) fn named<T>(
    row: &QueryResult,
    column: &'static str,
    read: impl FnOnce(String) -> Option<T>,
) -> Result<T, StoreFault> {
    let text: String = row.try_get("", column)?;
    read(text.clone()).ok_or_else(|| StoreFault::unreadable(column, &text))
}
