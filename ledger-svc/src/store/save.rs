//! Writes what a batch decided: answers, journal, statements, holds and accounts, each table in one statement and its
//! rows in the order of their keys, so that replicas that write the same keys wait for each other and not in a circle.
//!
//! Not here: deciding, and locking; the rows that are changed here were locked when they were loaded.

use std::collections::{BTreeMap, HashSet};

use sea_orm::DatabaseTransaction;

use super::bulk::{insert, json, upsert};
use super::fault::StoreFault;
use super::rows::{AccountRow, DeltaRow, EntryRow, HoldRow, LineRow, PostingRow};
use crate::domain::account::{Account, AccountKey};
use crate::domain::book::Decided;
use crate::domain::effects::Effects;
use crate::domain::hold::HoldRecord;
use crate::domain::ids::{HoldId, SetId};

/// Which accounts and holds were there before the batch.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) accounts: HashSet<AccountKey>,
    pub(super) holds: HashSet<HoldId>,
}

/// Writes everything that was decided.
pub(super) async fn decided(tx: &DatabaseTransaction, known: &Known, decided: &[Decided]) -> Result<(), StoreFault> {
    if decided.is_empty() {
        return Ok(());
    }
    let mut postings: Vec<_> = decided.iter().map(posting_row).collect::<Result<_, _>>()?;
    postings.sort_by_key(|row| row.request_id);
    insert(tx, &postings).await?;
    let effects = || decided.iter().filter_map(|item| item.result.as_ref().ok());
    save_accounts(tx, known, effects()).await?;
    save_holds(tx, known, effects()).await?;
    save_journal(tx, decided).await?;
    let lines: Vec<_> = effects().flat_map(|effects| &effects.lines).map(LineRow::of).collect();
    insert(tx, &lines).await?;
    Ok(())
}

fn posting_row(item: &Decided) -> Result<PostingRow<'_>, StoreFault> {
    let transaction = item.transaction();
    Ok(PostingRow {
        request_id: item.posting.key.as_str(),
        kind: item.posting.command.kind(),
        fingerprint: item.fingerprint.as_str(),
        answer: json(&item.outcome())?,
        transaction_id: transaction.map(|id| id.as_str()),
        ended_set_id: transaction.and(item.posting.command.set()).map(SetId::as_str),
        at_ms: item.stamp.now.0,
    })
}

/// The last state of each account. One that is new is inserted for itself first, so that a replica that opened it at
/// the same time makes this batch start again instead of being overwritten.
async fn save_accounts<'a>(
    tx: &DatabaseTransaction,
    known: &Known,
    effects: impl Iterator<Item = &'a Effects>,
) -> Result<(), StoreFault> {
    let last: BTreeMap<&AccountKey, &Account> =
        effects.flat_map(|effects| &effects.accounts).map(|account| (&account.key, account)).collect();
    let (old, new): (Vec<_>, Vec<_>) = last.into_values().partition(|account| known.accounts.contains(&account.key));
    let rows = |accounts: Vec<&'a Account>| accounts.into_iter().map(AccountRow::of).collect::<Vec<_>>();
    insert(tx, &rows(new)).await?;
    let updates = ["posted_points", "held_points", "line_count"];
    upsert(tx, &rows(old), "account_id, currency", &updates).await?;
    Ok(())
}

/// The last state of each hold, new ones apart for the same reason.
async fn save_holds<'a>(
    tx: &DatabaseTransaction,
    known: &Known,
    effects: impl Iterator<Item = &'a Effects>,
) -> Result<(), StoreFault> {
    let last: BTreeMap<&HoldId, &HoldRecord> =
        effects.flat_map(|effects| &effects.holds).map(|(id, record)| (id, record)).collect();
    let (old, new): (Vec<_>, Vec<_>) = last.into_iter().partition(|(id, _)| known.holds.contains(*id));
    let rows = |holds: Vec<(&'a HoldId, &'a HoldRecord)>| {
        holds.into_iter().map(|(id, record)| HoldRow::of(id, record)).collect::<Vec<_>>()
    };
    insert(tx, &rows(new)).await?;
    upsert(tx, &rows(old), "hold_id", &["state", "ended_by"]).await?;
    Ok(())
}

async fn save_journal(tx: &DatabaseTransaction, decided: &[Decided]) -> Result<(), StoreFault> {
    let posted = || {
        decided.iter().filter_map(|item| Some((&item.stamp.transaction, item.result.as_ref().ok()?))).flat_map(
            |(transaction, effects)| {
                effects.entries.iter().enumerate().map(move |(leg, entry)| (transaction, leg, entry))
            },
        )
    };
    let entries: Vec<_> = posted().map(|(transaction, leg, entry)| EntryRow::of(transaction, leg, entry)).collect();
    insert(tx, &entries).await?;
    let deltas: Vec<_> =
        posted().filter_map(|(transaction, leg, entry)| DeltaRow::of(transaction, leg, entry)).collect();
    insert(tx, &deltas).await?;
    Ok(())
}
