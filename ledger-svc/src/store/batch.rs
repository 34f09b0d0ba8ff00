//! One batch of postings in one transaction.
//!
//! Not here: what to do when it fails; the batcher tries again, or halves it. A key, a set, a hold or an account that
//! another replica wrote in the meantime is a unique violation: the batch starts again and finds it then.

use std::sync::Arc;

use farside_kit::ids::{SharedIds, new_ulid};
use farside_kit::time::SharedClock;
use sea_orm::DatabaseTransaction;

use super::fault::StoreFault;
use super::save::Known;
use super::{Store, load, save};
use crate::domain::answer::Outcome;
use crate::domain::book::Book;
use crate::domain::currency::CurrencyTable;
use crate::domain::effects::Stamp;
use crate::domain::ids::TransactionId;
use crate::domain::posting::Posting;

/// What a batch is decided with.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The currencies.
    pub table: Arc<CurrencyTable>,
    /// The time of each posting.
    pub clock: SharedClock,
    /// For the ids of transactions.
    pub ids: SharedIds,
}

impl Store {
    /// Decides these postings in their order and commits what they do, all in one transaction. The answers, refusals
    /// included, are in the same order and durable.
    ///
    /// # Errors
    ///
    /// When nothing was committed, or (with the database out of reach) it is not known whether it was.
    pub async fn post(&self, batch: &Batch, postings: Arc<[Posting]>) -> Result<Vec<Outcome>, StoreFault> {
        let batch = batch.clone();
        self.db
            .write(move |tx| {
                let (batch, postings) = (batch.clone(), Arc::clone(&postings));
                Box::pin(async move { post(tx, &batch, &postings).await })
            })
            .await
    }
}

async fn post(tx: &DatabaseTransaction, batch: &Batch, postings: &[Posting]) -> Result<Vec<Outcome>, StoreFault> {
    let remembered = load::remembered(tx, postings).await?;
    let loaded = load::loaded(tx, postings).await?;
    let known =
        Known { accounts: loaded.accounts.keys().cloned().collect(), holds: loaded.holds.keys().cloned().collect() };
    let mut book = Book::new(&batch.table, loaded, remembered);
    let outcomes = postings.iter().map(|posting| book.post(posting, batch.stamp())).collect();
    save::decided(tx, &known, &book.into_decided()).await?;
    Ok(outcomes)
}

impl Batch {
    fn stamp(&self) -> Stamp {
        let now = self.clock.now();
        let id = format!("txn_{}", new_ulid(now, self.ids.random_u128()));
        let transaction = TransactionId::new(id).expect("a prefix and a ULID are a name");
        Stamp { transaction, now }
    }
}
