//! Many callers in one transaction: nobody suffers from another, and two replicas agree.
//!
//! Not here: long runs; see `bank`.

use std::sync::Arc;

use farside_kit::fault::{Kind, Remote};
use farside_kit::testing::TestDatabase;
use farside_ledger::Config;
use farside_proto::ledger::v1 as wire;
use farside_proto::ledger::v1::posting::Posting;
use sea_orm::{ConnectionTrait as _, DbBackend};

use crate::harness::{self, Ledger, on_both};

on_both!(a_posting_that_cannot_be_written_spoils_no_other, beyond_the_queue_calls_are_refused_at_once);

/// Makes the database refuse one key, as a fault of ours would.
fn poison(backend: DbBackend) -> &'static str {
    match backend {
        DbBackend::Postgres => {
            "CREATE TRIGGER poison BEFORE INSERT ON postings FOR EACH ROW WHEN (NEW.request_id = 'poison') \
             EXECUTE FUNCTION refuse_change()"
        }
        _ => {
            "CREATE TRIGGER poison BEFORE INSERT ON postings WHEN NEW.request_id = 'poison' BEGIN SELECT RAISE(ABORT, 'no'); END"
        }
    }
}

async fn a_posting_that_cannot_be_written_spoils_no_other(database: TestDatabase) {
    let ledger = Arc::new(harness::start(database).await);
    let raw = harness::raw(&ledger.database).await;
    raw.execute_unprepared(poison(raw.get_database_backend())).await.unwrap();
    let keys: Vec<_> = (0..40).map(|n| if n == 17 { "poison".to_owned() } else { format!("g{n}") }).collect();
    let calls = keys.iter().map(|key| {
        let (ledger, key) = (Arc::clone(&ledger), key.clone());
        tokio::spawn(async move { ledger.grant(&key, "ann", "PTS", 1).await })
    });
    for (key, call) in keys.iter().zip(calls.collect::<Vec<_>>()) {
        let answer = call.await.unwrap();
        let expected = if key == "poison" { Some(Kind::Internal) } else { None };
        assert_eq!(answer.err().map(|fault| fault.kind), expected, "{key}");
    }
    assert_eq!(ledger.balance("ann", "PTS").await, (39, 0));

    let postings = ["g100", "poison", "g101"].map(|key| Posting::Grant(harness::grant(key, "ann", "PTS", 1)));
    let request =
        wire::PostRequest { postings: postings.map(|posting| wire::Posting { posting: Some(posting) }).to_vec() };
    let fault = Remote::from(ledger.client.clone().post(request.clone()).await.unwrap_err());
    assert_eq!((fault.kind, fault.message.as_str()), (Kind::Internal, "internal error"));
    assert_eq!(ledger.balance("ann", "PTS").await, (41, 0), "the others of the call are done");

    let drop = match raw.get_database_backend() {
        DbBackend::Postgres => "DROP TRIGGER poison ON postings",
        _ => "DROP TRIGGER poison",
    };
    raw.execute_unprepared(drop).await.unwrap();
    ledger.client.clone().post(request).await.unwrap();
    assert_eq!(ledger.balance("ann", "PTS").await, (42, 0), "the same call again does what was left");
}

async fn beyond_the_queue_calls_are_refused_at_once(database: TestDatabase) {
    let config = Config { ledger_queue: 2, ..harness::config(&database) };
    let ledger = Arc::new(harness::start_with(config, Arc::new(database)).await);
    let postings = ["a", "b", "c"].map(|key| Posting::Grant(harness::grant(key, "ann", "PTS", 1)));
    let request =
        wire::PostRequest { postings: postings.map(|posting| wire::Posting { posting: Some(posting) }).to_vec() };
    let fault = Remote::from(ledger.client.clone().post(request).await.unwrap_err());
    assert_eq!((fault.kind, fault.reason.as_str()), (Kind::ResourceExhausted, "QUEUE_FULL"));

    let calls: Vec<_> = (0..64)
        .map(|n| {
            let ledger = Arc::clone(&ledger);
            tokio::spawn(async move { ledger.grant(&format!("g{n}"), "ann", "PTS", 1).await })
        })
        .collect();
    let mut done = 0;
    for call in calls {
        match call.await.unwrap() {
            Ok(_) => done += 1,
            Err(fault) => assert_eq!(fault.reason, "QUEUE_FULL"),
        }
    }
    assert!(done > 0);
    assert_eq!(ledger.balance("ann", "PTS").await, (done, 0), "what was refused had no effect");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_replicas_give_one_key_one_effect_and_one_answer() {
    let database = Arc::new(TestDatabase::postgres().await);
    let mut replicas = Vec::<Arc<Ledger>>::new();
    for _ in 0..2 {
        replicas.push(Arc::new(harness::start_with(harness::config(&database), Arc::clone(&database)).await));
    }
    for owner in ["ann", "bob"] {
        replicas[0].grant(&format!("g:{owner}"), owner, "PTS", 1_000).await.unwrap();
    }
    for round in 0..30 {
        let both = replicas.iter().map(|replica| {
            let replica = Arc::clone(replica);
            tokio::spawn(async move {
                let opened = replica.grant(&format!("open{round}"), &format!("new{round}"), "PTS", 5).await.unwrap();
                let (a, b) = (format!("{round}:a"), format!("{round}:b"));
                let held = replica.hold(&a, "ann", "PTS", 10).await.unwrap();
                replica.hold(&b, "bob", "PTS", 10).await.unwrap();
                (opened, held, replica.settle(&format!("set_{round}"), &a, &b).await.unwrap())
            })
        });
        let both: Vec<_> = both.collect();
        let mut answers = Vec::new();
        for call in both {
            answers.push(call.await.unwrap());
        }
        assert_eq!(answers[0], answers[1], "round {round}");
    }
    assert_eq!(replicas[1].balance("ann", "PTS").await, (1_300, 0));
    assert_eq!(replicas[0].balance("bob", "PTS").await, (700, 0));
    assert_eq!(replicas[0].balance("new7", "PTS").await, (5, 0));
    assert!(replicas[0].audit().await.ok);
}
