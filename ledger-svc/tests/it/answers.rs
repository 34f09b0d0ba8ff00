//! What each call does and answers, on both databases.
//!
//! Not here: the order of errors, and what happens to many calls at once.

use farside_kit::fault::Kind;
use farside_kit::testing::TestDatabase;
use farside_proto::ledger::v1 as wire;
use farside_proto::ledger::v1::EntryKind;
use farside_proto::ledger::v1::posting::Posting;
use farside_proto::ledger::v1::posting_result::Result as Answered;

use crate::harness::{self, on_both};

on_both!(
    a_set_moves_points_from_the_loser_to_the_winner_less_the_fee,
    a_split_and_a_refund_give_each_stake_back_whole,
    the_same_request_id_returns_the_first_answer,
    a_release_before_its_hold_keeps_it_from_happening,
    a_batch_answers_each_posting_in_its_place,
    a_statement_has_every_change_with_its_balance_and_folds_to_the_balance,
    a_restart_keeps_everything,
);

async fn a_set_moves_points_from_the_loser_to_the_winner_less_the_fee(database: TestDatabase) {
    let ledger = harness::start(database).await;
    for owner in ["ann", "bob"] {
        let granted = ledger.grant(&format!("{owner}:sign-up"), owner, "FEE", 1_000).await.unwrap();
        assert!(granted.transaction_id.starts_with("txn_"));
        assert_eq!(granted.balance.unwrap().available_points, 1_000);
    }
    let held = ledger.hold("c1:a", "ann", "FEE", 100).await.unwrap();
    assert_eq!((held.winnings_points, held.balance.unwrap().held_points), (98, 100));
    ledger.hold("c1:b", "bob", "FEE", 100).await.unwrap();
    assert_eq!(ledger.balance("ann", "FEE").await, (1_000, 100));

    let settled = ledger.settle("set_1", "c1:b", "c1:a").await.unwrap();
    assert_eq!((settled.payout_points, settled.fee_points), (198, 2));
    assert_eq!(ledger.balance("ann", "FEE").await, (900, 0));
    assert_eq!(ledger.balance("bob", "FEE").await, (1_098, 0));

    let audit = ledger.audit().await;
    assert!(audit.ok, "{:?}", audit.violations);
    let totals = audit.totals.iter().find(|totals| totals.currency == "FEE").unwrap();
    assert_eq!((totals.players_posted_points, totals.fees_points, totals.issued_points), (1_998, 2, 2_000));
    assert_eq!((totals.open_holds, totals.accounts), (0, 2));
}

async fn a_split_and_a_refund_give_each_stake_back_whole(database: TestDatabase) {
    let ledger = harness::start(database).await;
    for owner in ["ann", "bob"] {
        ledger.grant(&format!("{owner}:sign-up"), owner, "FEE", 1_000).await.unwrap();
    }
    for (set, key) in [("set_1", "c1"), ("set_2", "c2")] {
        ledger.hold(&format!("{key}:a"), "ann", "FEE", 15).await.unwrap();
        ledger.hold(&format!("{key}:b"), "bob", "FEE", 15).await.unwrap();
        let holds = [&*format!("{key}:a"), &*format!("{key}:b")];
        if set == "set_1" {
            ledger.split(set, &holds).await.unwrap();
        } else {
            ledger.refund(set, &holds).await.unwrap();
        }
        assert_eq!(ledger.balance("ann", "FEE").await, (1_000, 0));
        assert_eq!(ledger.balance("bob", "FEE").await, (1_000, 0));
        let again = ledger.settle(set, holds[0], holds[1]).await.unwrap_err();
        assert_eq!((again.kind, again.reason.as_str()), (Kind::FailedPrecondition, "HOLD_CLOSED"));
    }
    let kinds: Vec<_> = ledger.statement("ann").await.iter().map(wire::Entry::kind).collect();
    assert_eq!(kinds, [EntryKind::Refund, EntryKind::Hold, EntryKind::Split, EntryKind::Hold, EntryKind::Grant]);
    assert!(ledger.audit().await.ok);
}

async fn the_same_request_id_returns_the_first_answer(database: TestDatabase) {
    let ledger = harness::start(database).await;
    let first = ledger.grant("k1", "ann", "PTS", 100).await.unwrap();
    assert_eq!(ledger.grant("k1", "ann", "PTS", 100).await.unwrap(), first);
    assert_eq!(ledger.balance("ann", "PTS").await, (100, 0));

    let other = ledger.grant("k1", "ann", "PTS", 101).await.unwrap_err();
    assert_eq!((other.kind, other.reason.as_str()), (Kind::AlreadyExists, "IDEMPOTENCY_MISMATCH"));

    let refused = ledger.hold("k2", "ann", "PTS", 101).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (Kind::FailedPrecondition, "INSUFFICIENT_BALANCE"));
    assert_eq!(refused.metadata["available_points"], "100");
    ledger.grant("k3", "ann", "PTS", 100).await.unwrap();
    let again = ledger.hold("k2", "ann", "PTS", 101).await.unwrap_err();
    assert_eq!(again.metadata["available_points"], "100", "a retry cannot change the answer");
    ledger.hold("k4", "ann", "PTS", 101).await.unwrap();
}

async fn a_release_before_its_hold_keeps_it_from_happening(database: TestDatabase) {
    let ledger = harness::start(database).await;
    ledger.grant("g", "ann", "PTS", 100).await.unwrap();
    let nothing = ledger.release("r1", "h1").await.unwrap();
    assert_eq!(nothing.transaction_id, "");
    let late = ledger.hold("h1", "ann", "PTS", 10).await.unwrap_err();
    assert_eq!((late.kind, late.reason.as_str()), (Kind::FailedPrecondition, "HOLD_RELEASED"));

    let first = ledger.hold("h2", "ann", "PTS", 10).await.unwrap();
    assert!(!ledger.release("r2", "h2").await.unwrap().transaction_id.is_empty());
    assert_eq!(ledger.release("r3", "h2").await.unwrap().transaction_id, "");
    assert_eq!(
        ledger.hold("h2", "ann", "PTS", 10).await.unwrap(),
        first,
        "a retry gets the first answer, not a new hold"
    );
    assert_eq!(ledger.balance("ann", "PTS").await, (100, 0));
    assert!(ledger.audit().await.ok);
}

async fn a_batch_answers_each_posting_in_its_place(database: TestDatabase) {
    let ledger = harness::start(database).await;
    let postings = [
        Posting::Grant(harness::grant("g1", "ann", "PTS", 100)),
        Posting::Grant(harness::grant("g1", "ann", "PTS", 100)),
        Posting::Hold(harness::hold("h1", "ann", "PTS", 9)),
        Posting::Grant(harness::grant("g1", "ann", "PTS", 7)),
        Posting::Hold(harness::hold("h2", "ann", "PTS", 10)),
        Posting::Release(harness::release("r2", "h2")),
        Posting::Settle(harness::settle("set_9", "h2", "h3")),
    ];
    let request =
        wire::PostRequest { postings: postings.map(|posting| wire::Posting { posting: Some(posting) }).to_vec() };
    let response = ledger.client.clone().post(request.clone()).await.unwrap().into_inner();
    let answers: Vec<_> = response.results.iter().map(|result| result.result.clone().unwrap()).collect();
    assert_eq!(answers[0], answers[1], "one effect, two equal answers");
    let reason = |answer: &Answered| match answer {
        Answered::Refusal(refusal) => refusal.reason.clone(),
        _ => "done".to_owned(),
    };
    let reasons: Vec<_> = answers.iter().map(reason).collect();
    assert_eq!(
        reasons,
        ["done", "done", "STAKE_OUT_OF_RANGE", "IDEMPOTENCY_MISMATCH", "done", "done", "HOLD_NOT_FOUND"]
    );
    assert_eq!(ledger.balance("ann", "PTS").await, (100, 0));
    assert_eq!(ledger.client.clone().post(request).await.unwrap().into_inner(), response, "a batch can be sent again");
}

async fn a_statement_has_every_change_with_its_balance_and_folds_to_the_balance(database: TestDatabase) {
    let ledger = harness::start(database).await;
    for currency in ["PTS", "FEE"] {
        ledger.grant(&format!("a{currency}"), "ann", currency, 1_000).await.unwrap();
        ledger.grant(&format!("b{currency}"), "bob", currency, 1_000).await.unwrap();
    }
    for round in 0..12 {
        let currency = if round % 3 == 0 { "FEE" } else { "PTS" };
        let (ann, bob) = (format!("{round}:a"), format!("{round}:b"));
        ledger.hold(&ann, "ann", currency, 40).await.unwrap();
        ledger.hold(&bob, "bob", currency, 40).await.unwrap();
        ledger.settle(&format!("set_{round}"), &ann, &bob).await.unwrap();
    }
    let statement = ledger.statement("ann").await;
    assert_eq!(statement.len(), 2 + 12 * 2);
    for currency in ["PTS", "FEE"] {
        let (mut posted, mut held) = (0, 0);
        for entry in statement.iter().rev().filter(|entry| entry.currency == currency) {
            posted += entry.posted_change_points;
            held += entry.held_change_points;
            let after = entry.balance_after.as_ref().unwrap();
            assert_eq!((after.posted_points, after.held_points), (posted, held));
        }
        assert_eq!(ledger.balance("ann", currency).await, (posted, held));
    }
    let won = statement.iter().find(|entry| entry.currency == "FEE" && entry.kind() == EntryKind::Win).unwrap();
    assert_eq!((won.posted_change_points, won.held_change_points, won.fee_points), (39, -40, 1));
    assert_eq!((won.subject.as_str(), won.participant_id.as_str()), ("set_9", "bot_of_ann"));
    assert!(statement.is_sorted_by(|newer, older| newer.at_ms >= older.at_ms));
    assert_eq!(ledger.page("ann", 10, "nonsense").await.unwrap_err().reason, "CURSOR_INVALID");
    assert_eq!(ledger.page("nobody", 10, "").await.unwrap_err().reason, "ACCOUNT_NOT_FOUND");
}

async fn a_restart_keeps_everything(database: TestDatabase) {
    let ledger = harness::start(database).await;
    let granted = ledger.grant("g1", "ann", "PTS", 100).await.unwrap();
    let refused = ledger.hold("h1", "ann", "PTS", 5_000).await.unwrap_err();
    ledger.hold("h2", "ann", "PTS", 30).await.unwrap();
    let statement = ledger.statement("ann").await;

    let database = ledger.stop().await;
    let ledger = harness::start_with(harness::config(&database), database).await;
    assert_eq!(ledger.balance("ann", "PTS").await, (100, 30));
    assert_eq!(ledger.statement("ann").await, statement);
    assert_eq!(ledger.grant("g1", "ann", "PTS", 100).await.unwrap(), granted);
    let again = ledger.hold("h1", "ann", "PTS", 5_000).await.unwrap_err();
    assert_eq!((again.reason, again.message), (refused.reason, refused.message));
    ledger.release("r2", "h2").await.unwrap();
    assert!(ledger.audit().await.ok);
}
