//! Writes what a batch decided: answers, journal, statements, holds and accounts, each table at once and its rows in
//! the order of their keys, so that replicas that write the same keys wait for each other and not in a circle.
//!
//! Not here: deciding, and locking; the rows that are changed here were locked when they were loaded.

use std::collections::{BTreeMap, HashSet};

use sea_orm::{ConnectionTrait as _, DatabaseTransaction, DbErr};

use super::bulk::{Writes, json};
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
    let mut writes = Writes::new(tx.get_database_backend());
    writes.insert(&postings)?;
    let effects = || decided.iter().filter_map(|item| item.result.as_ref().ok());
    put_accounts(&mut writes, known, effects())?;
    put_holds(&mut writes, known, effects())?;
    put_journal(&mut writes, decided)?;
    let lines: Vec<_> = effects().flat_map(|effects| &effects.lines).map(LineRow::of).collect();
    writes.insert(&lines)?;
    writes.execute(tx).await?;
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

/// The last state of each account. One that is new is only inserted, so that a replica that opened it at the same
/// time makes this batch start again instead of being overwritten.
fn put_accounts<'a>(
    writes: &mut Writes,
    known: &Known,
    effects: impl Iterator<Item = &'a Effects>,
) -> Result<(), DbErr> {
    let last: BTreeMap<&AccountKey, &Account> =
        effects.flat_map(|effects| &effects.accounts).map(|account| (&account.key, account)).collect();
    let (old, new): (Vec<_>, Vec<_>) = last.into_values().partition(|account| known.accounts.contains(&account.key));
    let rows = |accounts: Vec<&'a Account>| accounts.into_iter().map(AccountRow::of).collect::<Vec<_>>();
    writes.insert(&rows(new))?;
    let updates = ["posted_points", "held_points", "line_count"];
    writes.upsert(&rows(old), "account_id, currency", &updates)
}

/// The last state of each hold, new ones apart for the same reason.
fn put_holds<'a>(writes: &mut Writes, known: &Known, effects: impl Iterator<Item = &'a Effects>) -> Result<(), DbErr> {
    let last: BTreeMap<&HoldId, &HoldRecord> =
        effects.flat_map(|effects| &effects.holds).map(|(id, record)| (id, record)).collect();
    let (old, new): (Vec<_>, Vec<_>) = last.into_iter().partition(|(id, _)| known.holds.contains(*id));
    let rows = |holds: Vec<(&'a HoldId, &'a HoldRecord)>| {
        holds.into_iter().map(|(id, record)| HoldRow::of(id, record)).collect::<Vec<_>>()
    };
    writes.insert(&rows(new))?;
    writes.upsert(&rows(old), "hold_id", &["state", "ended_by"])
}

fn put_journal(writes: &mut Writes, decided: &[Decided]) -> Result<(), DbErr> {
    let posted = || {
        decided.iter().filter_map(|item| Some((&item.stamp.transaction, item.result.as_ref().ok()?))).flat_map(
            |(transaction, effects)| {
                effects.entries.iter().enumerate().map(move |(leg, entry)| (transaction, leg, entry))
            },
        )
    };
    let entries: Vec<_> = posted().map(|(transaction, leg, entry)| EntryRow::of(transaction, leg, entry)).collect();
    writes.insert(&entries)?;
    let deltas = DeltaRow::sums(posted().map(|(transaction, _, entry)| (transaction, entry)));
    writes.insert(&deltas)
}
