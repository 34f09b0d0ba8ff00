//! The standing audit: what it sees when somebody edits the database, and what it does then.
//!
//! Not here: the judgement on figures; that is tested beside the domain.

use farside_kit::fault::{Kind, Remote};
use farside_kit::testing::TestDatabase;
use farside_ledger::Config;
use farside_proto::ledger::v1 as wire;
use sea_orm::{ConnectionTrait as _, DbBackend};
use std::sync::Arc;

use crate::harness::{self, Ledger, on_both};

on_both!(a_violation_stops_postings_until_it_is_mended, every_invariant_is_audited, system_accounts_are_folded);

/// A ledger whose audit looks all the time.
async fn watched(database: Arc<TestDatabase>) -> Ledger {
    let config = Config { ledger_audit_interval_ms: 5, ..harness::config(&database) };
    harness::start_with(config, database).await
}

/// Asks until the standing audit has found what is asked for.
async fn last_audit(ledger: &Ledger, ok: bool) -> wire::Audit {
    let wait = async {
        loop {
            let audit = ledger.client.clone().get_audit(wire::GetAuditRequest {}).await.unwrap().into_inner();
            let audit = audit.audit.unwrap();
            if audit.ok == ok {
                return audit;
            }
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), wait).await.unwrap()
}

fn is_stopped<T: std::fmt::Debug>(answer: Result<T, Remote>) -> bool {
    let fault = answer.unwrap_err();
    (fault.kind, fault.reason.as_str()) == (Kind::Unavailable, "AUDIT_VIOLATION")
}

async fn a_violation_stops_postings_until_it_is_mended(database: TestDatabase) {
    let ledger = watched(Arc::new(database)).await;
    ledger.grant("g1", "ann", "PTS", 100).await.unwrap();
    assert!(last_audit(&ledger, true).await.violations.is_empty());
    let raw = harness::raw(&ledger.database).await;
    raw.execute_unprepared("UPDATE accounts SET posted_points = posted_points + 1").await.unwrap();

    let audit = last_audit(&ledger, false).await;
    assert!(
        audit.violations.contains(&"the sum over all accounts in PTS is 1 points, not zero".to_owned()),
        "{audit:?}"
    );
    assert!(audit.violations.iter().any(|violation| violation.contains("account ann")), "{audit:?}");
    assert!(is_stopped(ledger.hold("h1", "ann", "PTS", 10).await));
    assert!(is_stopped(ledger.grant("g2", "ann", "PTS", 10).await));
    assert_eq!(ledger.balance("ann", "PTS").await.1, 0, "reading goes on");
    assert_eq!(ledger.statement("ann").await.len(), 1);
    let metrics = ledger.context.metrics.encode();
    assert!(metrics.contains("ledger_imbalance_points{currency=\"PTS\"} 1\n"), "{metrics}");

    let database = ledger.stop().await;
    let ledger = watched(database).await;
    assert!(is_stopped(ledger.hold("h1", "ann", "PTS", 10).await), "a restart forgets no violation");
    raw.execute_unprepared("UPDATE accounts SET posted_points = posted_points - 1").await.unwrap();
    last_audit(&ledger, true).await;
    ledger.hold("h1", "ann", "PTS", 10).await.unwrap();
}

async fn every_invariant_is_audited(database: TestDatabase) {
    let ledger = harness::start(database).await;
    ledger.grant("g1", "ann", "PTS", 100).await.unwrap();
    ledger.hold("h1", "ann", "PTS", 10).await.unwrap();
    let released = ledger.release("r1", "h1").await.unwrap().transaction_id;
    assert!(ledger.audit().await.ok);
    let raw = harness::raw(&ledger.database).await;
    let unchecked = match raw.get_database_backend() {
        DbBackend::Postgres => "ALTER TABLE accounts DROP CONSTRAINT held_is_part_of_posted",
        _ => "PRAGMA ignore_check_constraints = ON",
    };
    for (edit, said) in [
        ("INSERT INTO system_deltas VALUES ('txn_x', 'issuance', 'EXT', -5)".to_owned(), "in EXT is -5 points"),
        ("INSERT INTO holds VALUES ('h9', 'open', 'ann', 'PTS', 10, '', '', NULL)".to_owned(), "its open holds are 10"),
        (
            format!("INSERT INTO holds VALUES ('h8', 'released', 'ann', 'PTS', 7, '', '', '{released}')"),
            "ended stakes of 17",
        ),
        (
            format!("INSERT INTO entries VALUES ('{released}', 9, 'available', 'ann', 'available', 'bob', 'PTS', 3)"),
            "is not what the journal says",
        ),
        ("UPDATE accounts SET line_count = 7".to_owned(), "is not what its 3 lines add up to"),
        (format!("{unchecked}; UPDATE accounts SET held_points = 101"), "100 points posted and 101 held"),
    ] {
        raw.execute_unprepared(&edit).await.unwrap();
        let audit = ledger.audit().await;
        assert!(audit.violations.iter().any(|violation| violation.contains(said)), "{edit}: {audit:?}");
    }
}

async fn system_accounts_are_folded(database: TestDatabase) {
    let ledger = harness::start(database).await;
    for n in 0..20 {
        ledger.grant(&format!("g{n}"), "ann", "PTS", 10).await.unwrap();
    }
    let raw = harness::raw(&ledger.database).await;
    let count = "SELECT CAST(COUNT(*) AS BIGINT) AS unfolded FROM system_deltas";
    let wait = async {
        loop {
            let statement = sea_orm::Statement::from_string(raw.get_database_backend(), count);
            let row = raw.query_one_raw(statement).await.unwrap().unwrap();
            if row.try_get::<i64>("", "unfolded").unwrap() == 0 {
                return;
            }
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), wait).await.unwrap();
    let audit = ledger.audit().await;
    assert!(audit.ok, "{audit:?}");
    assert_eq!(audit.totals[0].issued_points, 200);
}
