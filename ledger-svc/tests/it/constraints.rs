//! The database keeps the domain's invariants by itself: what no posting does, nobody can do.
//!
//! Not here: faults that constraints cannot see; the audit finds those.

use farside_kit::testing::TestDatabase;
use sea_orm::ConnectionTrait as _;

use crate::harness::{self, on_both};

on_both!(history_cannot_be_rewritten);

async fn history_cannot_be_rewritten(database: TestDatabase) {
    let ledger = harness::start(database).await;
    ledger.grant("g1", "ann", "PTS", 100).await.unwrap();
    ledger.hold("h1", "ann", "PTS", 10).await.unwrap();
    ledger.hold("h2", "ann", "PTS", 10).await.unwrap();
    ledger.release("r1", "h1").await.unwrap();
    let before = ledger.statement("ann").await;
    let raw = harness::raw(&ledger.database).await;
    for refused in [
        "UPDATE entries SET amount_points = 1",
        "DELETE FROM entries",
        "UPDATE statement_lines SET posted_change_points = 1",
        "DELETE FROM statement_lines",
        "UPDATE postings SET answer = ''",
        "DELETE FROM postings",
        "DELETE FROM accounts",
        "DELETE FROM holds",
        "UPDATE holds SET state = 'open', ended_by = NULL WHERE hold_id = 'h1'",
        "UPDATE holds SET amount_points = 11 WHERE hold_id = 'h2'",
        "UPDATE holds SET state = 'released' WHERE hold_id = 'h2'",
        "UPDATE accounts SET held_points = posted_points + 1",
        "UPDATE accounts SET posted_points = -1, held_points = -1",
        "INSERT INTO entries VALUES ('txn_x', 0, 'available', 'ann', 'escrow', 'ann', 'PTS', 0)",
        "INSERT INTO entries VALUES ('txn_x', 0, 'available', NULL, 'escrow', 'ann', 'PTS', 1)",
        "INSERT INTO entries VALUES ('txn_x', 0, 'escrow', 'ann', 'escrow', 'ann', 'PTS', 1)",
        "INSERT INTO holds VALUES ('h9', 'open', 'nobody', 'PTS', 10, '', '', NULL)",
        "INSERT INTO holds VALUES ('h9', 'open', 'ann', 'PTS', NULL, '', '', NULL)",
        "INSERT INTO holds VALUES ('h9', 'settled', 'ann', 'PTS', 10, '', '', NULL)",
    ] {
        assert!(raw.execute_unprepared(refused).await.is_err(), "{refused}");
    }
    assert_eq!(ledger.statement("ann").await, before);
    assert!(ledger.audit().await.ok);
}
