//! The ledger against a model: random postings, in batches of random size, must be answered and add up as the model says.
//!
//! Not here: concurrency. The model is written without the domain's types on purpose.

use std::collections::{BTreeMap, BTreeSet};

use farside_kit::testing::TestDatabase;
use farside_proto::ledger::v1 as wire;
use farside_proto::ledger::v1::posting::Posting;
use farside_proto::ledger::v1::posting_result::Result as Answered;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};

use crate::harness::{self, Ledger};

/// One step: numbers that stand for names.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Grant { key: u8, who: u8, points: i64 },
    Hold { key: u8, who: u8, points: i64 },
    Release { key: u8, hold: u8 },
    Settle { key: u8, set: u8, winner: u8, loser: u8 },
    Split { key: u8, set: u8, holds: [u8; 2] },
    Refund { key: u8, set: u8, holds: [u8; 2] },
}

fn steps() -> impl Strategy<Value = Vec<Vec<Step>>> {
    let stake = prop_oneof![6 => Just(10_i64), 3 => Just(40), 1 => Just(9), 1 => Just(501), 1 => Just(-1)];
    let (key, who, hold, set) = (0..8_u8, 0..3_u8, 0..10_u8, 0..6_u8);
    let step = prop_oneof![
        3 => (key.clone(), who.clone(), prop_oneof![Just(30_i64), Just(0), Just(100), Just(-1)])
            .prop_map(|(key, who, points)| Step::Grant { key, who, points }),
        8 => (hold.clone(), who, stake).prop_map(|(key, who, points)| Step::Hold { key, who, points }),
        2 => (key.clone(), hold.clone()).prop_map(|(key, hold)| Step::Release { key, hold }),
        4 => (key.clone(), set.clone(), hold.clone(), hold.clone())
            .prop_map(|(key, set, winner, loser)| Step::Settle { key, set, winner, loser }),
        2 => (key.clone(), set.clone(), [hold.clone(), hold.clone()]).prop_map(|(key, set, holds)| Step::Split { key, set, holds }),
        2 => (key, set, [hold.clone(), hold]).prop_map(|(key, set, holds)| Step::Refund { key, set, holds }),
    ];
    prop::collection::vec(prop::collection::vec(step, 1..8), 1..16)
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Void,
    Open,
    Released,
    Ended,
}

/// Answers as far as the model tells them: `Ok` with the fee of a settlement, or the reason of a refusal.
type Told = Result<i64, &'static str>;

#[derive(Default)]
struct Model {
    accounts: BTreeMap<u8, (i64, i64)>,
    holds: BTreeMap<u8, (u8, i64, State)>,
    ended_sets: BTreeSet<u8>,
    first: BTreeMap<String, (Step, Told)>,
    issued: i64,
    fees: i64,
}

const KINDS: [&str; 3] = ["g", "r", "e"];

impl Step {
    /// Ends share their keys, so that a settlement's key is used for a split now and then.
    fn key(&self) -> String {
        match self {
            Self::Grant { key, .. } => format!("{}{key}", KINDS[0]),
            Self::Hold { key, .. } => format!("h{key}"),
            Self::Release { key, .. } => format!("{}{key}", KINDS[1]),
            Self::Settle { key, .. } | Self::Split { key, .. } | Self::Refund { key, .. } => {
                format!("{}{key}", KINDS[2])
            }
        }
    }

    /// The same content with what means nothing made equal.
    fn content(&self) -> Self {
        let sorted = |mut holds: [u8; 2]| {
            holds.sort_unstable();
            holds
        };
        match self.clone() {
            Self::Split { key, set, holds } => Self::Split { key, set, holds: sorted(holds) },
            Self::Refund { key, set, holds } => Self::Refund { key, set, holds: sorted(holds) },
            other => other,
        }
    }
}

impl Model {
    fn post(&mut self, step: &Step) -> Told {
        if let Some((first, told)) = self.first.get(&step.key()) {
            return if *first == step.content() { *told } else { Err("IDEMPOTENCY_MISMATCH") };
        }
        let told = self.decide(step);
        self.first.insert(step.key(), (step.content(), told));
        told
    }

    fn decide(&mut self, step: &Step) -> Told {
        match step {
            Step::Grant { who, points, .. } => self.grant(*who, *points),
            Step::Hold { key, who, points } => self.hold(*key, *who, *points),
            Step::Release { hold, .. } => self.release(*hold),
            Step::Settle { set, winner, loser, .. } => self.end(*set, [*winner, *loser], true),
            Step::Split { set, holds, .. } | Step::Refund { set, holds, .. } => self.end(*set, *holds, false),
        }
    }

    fn grant(&mut self, who: u8, points: i64) -> Told {
        if points < 0 {
            return Err("AMOUNT_INVALID");
        }
        self.accounts.entry(who).or_default().0 += points;
        self.issued += points;
        Ok(0)
    }

    fn hold(&mut self, key: u8, who: u8, points: i64) -> Told {
        if !(10..=1_000).contains(&points) {
            return Err("STAKE_OUT_OF_RANGE");
        }
        if points > 500 {
            return Err("STAKE_ABOVE_MAX");
        }
        let Some((posted, held)) = self.accounts.get_mut(&who) else { return Err("ACCOUNT_NOT_FOUND") };
        if self.holds.contains_key(&key) {
            return Err("HOLD_RELEASED");
        }
        if *posted - *held < points {
            return Err("INSUFFICIENT_BALANCE");
        }
        *held += points;
        self.holds.insert(key, (who, points, State::Open));
        Ok(0)
    }

    fn release(&mut self, hold: u8) -> Told {
        let (who, points, state) = self.holds.entry(hold).or_insert((0, 0, State::Void));
        match state {
            State::Void | State::Released => Ok(0),
            State::Ended => Err("HOLD_CLOSED"),
            State::Open => {
                *state = State::Released;
                self.accounts.get_mut(who).unwrap().1 -= *points;
                Ok(0)
            }
        }
    }

    fn end(&mut self, set: u8, holds: [u8; 2], is_won: bool) -> Told {
        let found = holds.map(|hold| self.holds.get(&hold).copied().filter(|(_, _, state)| *state != State::Void));
        let [Some(first), Some(second)] = found else { return Err("HOLD_NOT_FOUND") };
        if first.0 == second.0 || first.1 != second.1 {
            return Err("HOLDS_DIFFER");
        }
        if first.2 != State::Open || second.2 != State::Open || self.ended_sets.contains(&set) {
            return Err("HOLD_CLOSED");
        }
        self.ended_sets.insert(set);
        for (hold, (who, points, _)) in holds.into_iter().zip([first, second]) {
            self.holds.get_mut(&hold).unwrap().2 = State::Ended;
            self.accounts.get_mut(&who).unwrap().1 -= points;
        }
        let fee = if is_won { first.1 * 250 / 10_000 } else { 0 };
        if is_won {
            self.accounts.get_mut(&first.0).unwrap().0 += first.1 - fee;
            self.accounts.get_mut(&second.0).unwrap().0 -= first.1;
        }
        self.fees += fee;
        Ok(fee)
    }
}

/// Names are those of one case, so that every case can use the same ledger.
fn posting(case: u32, step: &Step) -> Posting {
    let key = format!("{case}:{}", step.key());
    let (owner, hold) = (|who: &u8| format!("{case}:owner{who}"), |hold: &u8| format!("{case}:h{hold}"));
    let set = |set: &u8| format!("{case}:set{set}");
    let both = |holds: &[u8; 2]| holds.iter().map(hold).collect::<Vec<_>>();
    match step {
        Step::Grant { who, points, .. } => Posting::Grant(harness::grant(&key, &owner(who), "FEE", *points)),
        Step::Hold { who, points, .. } => Posting::Hold(harness::hold(&key, &owner(who), "FEE", *points)),
        Step::Release { hold: id, .. } => Posting::Release(harness::release(&key, &hold(id))),
        Step::Settle { set: id, winner, loser, .. } => {
            let settle = harness::settle(&set(id), &hold(winner), &hold(loser));
            Posting::Settle(wire::SettleRequest { request_id: key, ..settle })
        }
        Step::Split { set: id, holds, .. } => {
            Posting::Split(wire::SplitRequest { request_id: key, set_id: set(id), hold_ids: both(holds) })
        }
        Step::Refund { set: id, holds, .. } => {
            Posting::Refund(wire::RefundRequest { request_id: key, set_id: set(id), hold_ids: both(holds) })
        }
    }
}

fn told(answer: &Answered) -> Result<i64, String> {
    match answer {
        Answered::Refusal(refusal) => Err(refusal.reason.clone()),
        Answered::Settle(settle) => Ok(settle.fee_points),
        _ => Ok(0),
    }
}

/// Runs one case; a difference is told as a failure of the case.
async fn run(ledger: &Ledger, case: u32, batches: &[Vec<Step>], issued: &mut (i64, i64)) -> Result<(), TestCaseError> {
    let mut model = Model::default();
    for batch in batches {
        let postings = batch.iter().map(|step| wire::Posting { posting: Some(posting(case, step)) }).collect();
        let response = ledger.client.clone().post(wire::PostRequest { postings }).await.unwrap().into_inner();
        for (step, result) in batch.iter().zip(&response.results) {
            let expected = model.post(step).map_err(str::to_owned);
            prop_assert_eq!(told(result.result.as_ref().unwrap()), expected, "{:?}", step);
        }
        for (who, balance) in &model.accounts {
            prop_assert_eq!(ledger.balance(&format!("{case}:owner{who}"), "FEE").await, *balance, "owner {}", who);
        }
    }
    issued.0 += model.issued;
    issued.1 += model.fees;
    let audit = ledger.audit().await;
    prop_assert!(audit.ok, "{:?}", audit.violations);
    let totals = audit.totals.first().cloned().unwrap_or_default();
    prop_assert_eq!((totals.issued_points, totals.fees_points), *issued);
    Ok(())
}

fn check(database: impl Future<Output = TestDatabase>, cases: u32) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let ledger = runtime.block_on(async { harness::start(database.await).await });
    let (mut case, mut issued) = (0, (0, 0));
    let state = std::cell::RefCell::new((&mut case, &mut issued));
    let outcome =
        TestRunner::new(Config { cases, failure_persistence: None, max_shrink_iters: 200, ..Config::default() }).run(
            &steps(),
            |batches| {
                let (case, issued) = &mut *state.borrow_mut();
                **case += 1;
                runtime.block_on(run(&ledger, **case, &batches, issued))
            },
        );
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, batches)) => panic!("{reason}\nsmallest case: {batches:#?}"),
        Err(other) => panic!("{other}"),
    }
    runtime.block_on(async { drop(ledger.stop().await) });
}

#[test]
fn random_postings_are_answered_as_the_model_says_on_sqlite() {
    check(async { TestDatabase::sqlite() }, 150);
}

#[test]
fn random_postings_are_answered_as_the_model_says_on_postgres() {
    check(TestDatabase::postgres(), 60);
}
