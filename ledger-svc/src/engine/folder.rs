//! Folds system accounts in the background, so that their balances are read from few rows.
//!
//! Not here: correctness. Sums are over folded and unfolded changes, so folding late or never is only slower.

use std::time::Duration;

use farside_kit::fault::Chain;
use farside_kit::shutdown::Shutdown;

use crate::store::Store;

/// Folds every `interval` until a shutdown is requested.
pub async fn fold_now_and_then(store: Store, interval: Duration, shutdown: Shutdown) {
    loop {
        tokio::select! {
            () = shutdown.requested() => return,
            () = tokio::time::sleep(interval) => fold_all(&store).await,
        }
    }
}

async fn fold_all(store: &Store) {
    loop {
        match store.fold_system_accounts().await {
            Ok(true) => {}
            Ok(false) => return,
            Err(fault) => {
                tracing::warn!(chain = %Chain(&fault), "system accounts were not folded");
                return;
            }
        }
    }
}
