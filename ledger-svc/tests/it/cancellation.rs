//! Callers that go away by the thousand: what they asked for is done once or not at all, and no transaction stays open.
//!
//! Not here: killed ledgers; see `bank`.

use std::sync::Arc;
use std::time::Duration;

use farside_kit::ids::{IdSource as _, SeededIds};
use farside_kit::testing::TestDatabase;
use farside_proto::ledger::v1 as wire;

use crate::harness::{self, Ledger, on_both};

const CALLS: usize = 2_000;
const SEED: u64 = 0x0f_a251_de01;

on_both!(a_caller_that_goes_away_loses_and_doubles_nothing);

fn request(n: usize) -> wire::GrantRequest {
    harness::grant(&format!("g{n}"), &format!("owner{}", n % 7), "PTS", 3)
}

async fn a_caller_that_goes_away_loses_and_doubles_nothing(database: TestDatabase) {
    let ledger = Arc::new(harness::start(database).await);
    let random = SeededIds::new(SEED);
    let calls: Vec<_> = (0..CALLS)
        .map(|n| {
            let mut client = ledger.client.clone();
            let patience = Duration::from_micros(u64::try_from(random.random_u128() % 20_000).unwrap());
            tokio::spawn(async move { tokio::time::timeout(patience, client.grant(request(n))).await.ok() })
        })
        .collect();
    let mut answers = Vec::new();
    for call in calls {
        let answer = call.await.unwrap();
        answers.push(answer.map(|answer| answer.expect("those who wait are answered").into_inner()));
    }
    assert!(answers.contains(&None), "nobody went away, seed {SEED}");
    let again = again(&ledger).await;
    for (first, again) in answers.into_iter().zip(again) {
        assert!(first.is_none_or(|first| first == again), "an acknowledged posting was lost, seed {SEED}");
    }
    let metrics = ledger.context.metrics.encode();
    assert!(metrics.contains("ledger_waiting_postings 0\n"), "{metrics}");
    let audit = ledger.audit().await;
    assert!(audit.ok, "{audit:?}");
    assert_eq!(audit.totals[0].issued_points, i64::try_from(CALLS * 3).unwrap(), "seed {SEED}");
}

/// The answers to all of them when they are sent again.
async fn again(ledger: &Ledger) -> Vec<wire::GrantResponse> {
    let mut answers = Vec::new();
    for keys in (0..CALLS).collect::<Vec<_>>().chunks(200) {
        let posting = |n: &usize| wire::Posting { posting: Some(wire::posting::Posting::Grant(request(*n))) };
        let postings: Vec<_> = keys.iter().map(posting).collect();
        let response = ledger.client.clone().post(wire::PostRequest { postings }).await.unwrap().into_inner();
        answers.extend(response.results.into_iter().map(|result| match result.result {
            Some(wire::posting_result::Result::Grant(granted)) => granted,
            other => panic!("{other:?}"),
        }));
    }
    answers
}
