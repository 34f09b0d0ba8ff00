//! Callers that go away by the thousand: what they asked for is done once or not at all, and no transaction stays open.
//!
//! Not here: killed ledgers; see `bank`.

use std::sync::Arc;
use std::time::Duration;

use farside_kit::ids::{IdSource as _, SeededIds};
use farside_kit::testing::TestDatabase;

use crate::harness::{self, on_both};

const CALLS: usize = 2_000;

on_both!(a_caller_that_goes_away_loses_and_doubles_nothing);

async fn a_caller_that_goes_away_loses_and_doubles_nothing(database: TestDatabase) {
    let ledger = Arc::new(harness::start(database).await);
    let random = SeededIds::new(0x0f_a251_de01);
    let calls: Vec<_> = (0..CALLS)
        .map(|n| {
            let ledger = Arc::clone(&ledger);
            let patience = Duration::from_micros(u64::try_from(random.random_u128() % 20_000).unwrap());
            tokio::spawn(async move {
                tokio::time::timeout(patience, ledger.grant(&format!("g{n}"), &format!("owner{}", n % 7), "PTS", 3))
                    .await
                    .is_ok()
            })
        })
        .collect();
    let mut answered = 0;
    for call in calls {
        answered += usize::from(call.await.unwrap());
    }
    assert!(answered < CALLS, "nobody went away");
    for n in 0..CALLS {
        ledger.grant(&format!("g{n}"), &format!("owner{}", n % 7), "PTS", 3).await.unwrap();
    }
    let audit = ledger.audit().await;
    assert!(audit.ok, "{audit:?}");
    assert_eq!(audit.totals[0].issued_points, i64::try_from(CALLS * 3).unwrap());
}
