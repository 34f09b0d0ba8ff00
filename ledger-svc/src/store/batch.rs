//! One batch of postings in one transaction.
//!
//! Not here: what to do when it fails; the batcher tries again, or halves it. A key, a set, a hold or an account that
//! another replica wrote in the meantime is a unique violation: the batch starts again and finds it then.

use std::sync::Arc;

use farside_kit::ids::{SharedIds, new_ulid};
use farside_kit::operator::{self, Operation, OperatorLog};
use farside_kit::time::SharedClock;
use sea_orm::{DatabaseTransaction, DbErr};
use serde_json::json;

use super::fault::StoreFault;
use super::save::Known;
use super::{Store, load, save};
use crate::domain::answer::Outcome;
use crate::domain::book::{Book, Decided};
use crate::domain::currency::CurrencyTable;
use crate::domain::effects::Stamp;
use crate::domain::ids::{RequestId, TransactionId};
use crate::domain::posting::{ByHand, Posting};

/// What a batch is decided with.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The currencies.
    pub table: Arc<CurrencyTable>,
    /// The time of each posting.
    pub clock: SharedClock,
    /// For the ids of transactions.
    pub ids: SharedIds,
    /// Where postings by hand are written down.
    pub log: OperatorLog,
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
    let decided = book.into_decided();
    save::decided(tx, &known, &decided).await?;
    for item in &decided {
        log_by_hand(tx, batch, item).await?;
    }
    Ok(outcomes)
}

/// A posting by hand that was carried out stands in the log of operations. A key that the log has for another operation
/// makes the posting fail: nothing is done without a line of its own.
async fn log_by_hand(tx: &DatabaseTransaction, batch: &Batch, item: &Decided) -> Result<(), StoreFault> {
    let Some(by_hand) = item.posting.command.by_hand() else { return Ok(()) };
    if item.result.is_err() {
        return Ok(());
    }
    let operation = operation(&item.posting.key, by_hand);
    let detail = json!({ "transaction_id": item.transaction().map(TransactionId::as_str) });
    if operator::append(tx, &batch.log.done(&operation, &detail)).await? {
        Ok(())
    } else {
        Err(DbErr::Custom("the key of a posting by hand is in the log of operations already".to_owned()).into())
    }
}

fn operation(key: &RequestId, by_hand: &ByHand) -> Operation {
    let ByHand { operation, operator, arguments, reason } = by_hand.clone();
    Operation { operator, name: operation, arguments, request_id: key.as_str().to_owned(), reason }
}

impl Batch {
    fn stamp(&self) -> Stamp {
        let now = self.clock.now();
        let id = format!("txn_{}", new_ulid(now, self.ids.random_u128()));
        let transaction = TransactionId::new(id).expect("a prefix and a ULID are a name");
        Stamp { transaction, now }
    }
}
