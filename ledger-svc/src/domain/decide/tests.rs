//! The order of errors, walked by tables, and the effects of each posting.
//!
//! Each table starts with a posting that is wrong in every way at once and repairs one thing after the other: what it
//! is refused for must be the next error of its contract every time.

use std::collections::HashMap;

use farside_kit::fault::Fault as _;
use farside_kit::time::UnixMs;

use super::{Loaded, decide};
use crate::domain::account::{Account, AccountKey};
use crate::domain::answer::{Answer, Outcome};
use crate::domain::book::{Book, Remembered};
use crate::domain::currency::{Currency, CurrencyTable};
use crate::domain::effects::{Effects, Place, Stamp, System};
use crate::domain::hold::{Ending, Hold, HoldRecord, HoldState};
use crate::domain::ids::{AccountId, HoldId, RequestId, SetId, Text, TransactionId};
use crate::domain::points::{Change, Points};
use crate::domain::posting::{ByHand, Close, Command, Grant, PlaceHold, Posting, Release, Settle};
use crate::domain::refusal::Refusal;

/// A posting and everything that it is decided on.
struct World {
    key: &'static str,
    command: Command,
    loaded: Loaded,
    remembered: HashMap<RequestId, Remembered>,
}

fn table() -> CurrencyTable {
    "PTS:10-1000:0,FEE:10-1000:250".parse().unwrap()
}

fn stamp() -> Stamp {
    Stamp { transaction: TransactionId::new("txn_1").unwrap(), now: UnixMs(7) }
}

fn key(account: &str, currency: &str) -> AccountKey {
    AccountKey { account: AccountId::new(account).unwrap(), currency: Currency::new(currency).unwrap() }
}

fn points(number: i64) -> Points {
    Points::new(number).unwrap()
}

fn hold_id(id: &str) -> HoldId {
    HoldId::new(id).unwrap()
}

fn release(hold: &str) -> Command {
    Command::Release(Release { hold: hold_id(hold), by_hand: None })
}

impl World {
    fn new(command: Command) -> Self {
        Self { key: "k", command, loaded: Loaded::default(), remembered: HashMap::new() }
    }

    /// With this key used before for something else.
    fn with_used_key(mut self) -> Self {
        let fingerprint = release("something-else").fingerprint();
        let outcome = Ok(Answer::Released { transaction: None });
        self.remembered.insert(RequestId::new(self.key).unwrap(), Remembered { fingerprint, outcome });
        self
    }

    fn with_account(mut self, account: &str, currency: &str, posted: i64, held: i64) -> Self {
        self.put_account(account, currency, posted, held);
        self
    }

    fn put_account(&mut self, account: &str, currency: &str, posted: i64, held: i64) {
        let key = key(account, currency);
        let account = Account { key: key.clone(), posted: points(posted), held: points(held), lines: 3 };
        self.loaded.accounts.insert(key, account);
    }

    fn put_hold(&mut self, id: &str, account: &str, currency: &str, amount: i64, state: HoldState) {
        let (subject, participant) = (Text::new("chal_1").unwrap(), Text::new(format!("bot_of_{account}")).unwrap());
        let hold =
            Hold { id: hold_id(id), key: key(account, currency), amount: points(amount), subject, participant, state };
        self.loaded.holds.insert(hold_id(id), HoldRecord::Made(hold));
    }

    fn posting(&self) -> Posting {
        Posting { key: RequestId::new(self.key).unwrap(), command: self.command.clone() }
    }

    fn outcome(&self) -> Outcome {
        let table = table();
        Book::new(&table, self.loaded.clone(), self.remembered.clone()).post(&self.posting(), stamp())
    }

    fn effects(&self) -> Effects {
        decide(&self.posting(), &table(), &self.loaded, &stamp()).unwrap()
    }
}

/// The reason that is due, and the repair that leads to the next one.
type StepTo = (&'static str, fn(&mut World));

/// Walks a table: the reason that is due, and the repair that leads to the next one.
fn walk(mut world: World, steps: &[StepTo]) {
    for (reason, repair) in steps {
        let outcome = world.outcome();
        assert_eq!(outcome.as_ref().map_err(|refusal| refusal.reason()).err(), Some(*reason), "{outcome:?}");
        repair(&mut world);
    }
    assert!(world.outcome().is_ok(), "{:?}", world.outcome());
}

fn forget(world: &mut World) {
    world.remembered.clear();
}

fn grant_of(world: &mut World) -> &mut Grant {
    match &mut world.command {
        Command::Grant(grant) => grant,
        other => panic!("{other:?}"),
    }
}

fn hold_of(world: &mut World) -> &mut PlaceHold {
    match &mut world.command {
        Command::Hold(hold) => hold,
        other => panic!("{other:?}"),
    }
}

fn grant(account: &str, currency: &str, amount_points: i64) -> Command {
    let (account, currency) = (account.to_owned(), currency.to_owned());
    Command::Grant(Grant { account, currency, amount_points, memo: Text::new("sign-up").unwrap(), by_hand: None })
}

fn place_hold(account: &str, currency: &str, amount_points: i64) -> Command {
    let (account, currency, max_stake_points) = (account.to_owned(), currency.to_owned(), 500);
    let (subject, participant) = (Text::new("chal_1").unwrap(), Text::new("bot_1").unwrap());
    Command::Hold(PlaceHold { account, currency, amount_points, max_stake_points, subject, participant })
}

fn settle() -> Command {
    Command::Settle(Settle { set: SetId::new("set_1").unwrap(), winner: hold_id("w"), loser: hold_id("l") })
}

fn close(holds: &[&str]) -> Close {
    Close { set: SetId::new("set_1").unwrap(), holds: holds.iter().map(|id| hold_id(id)).collect() }
}

#[test]
fn a_grant_is_refused_in_the_order_of_its_contract() {
    walk(
        World::new(grant("", "XXX", -1)).with_used_key(),
        &[
            ("IDEMPOTENCY_MISMATCH", forget),
            ("ACCOUNT_INVALID", |world| grant_of(world).account = "ann".to_owned()),
            ("CURRENCY_UNKNOWN", |world| grant_of(world).currency = "PTS".to_owned()),
            ("AMOUNT_INVALID", |world| grant_of(world).amount_points = i64::MAX),
            ("AMOUNT_INVALID", |world| grant_of(world).amount_points = 1_000_000_000_001),
            ("AMOUNT_INVALID", |world| grant_of(world).amount_points = 1_000_000_000_000),
        ],
    );
}

#[test]
fn a_hold_is_refused_in_the_order_of_its_contract() {
    let mut world = World::new(place_hold("ann", "XXX", 1_001)).with_used_key();
    world.loaded.holds.insert(hold_id("k"), HoldRecord::Void);
    walk(
        world,
        &[
            ("IDEMPOTENCY_MISMATCH", forget),
            ("CURRENCY_UNKNOWN", |world| hold_of(world).currency = "PTS".to_owned()),
            ("STAKE_OUT_OF_RANGE", |world| hold_of(world).amount_points = 9),
            ("STAKE_OUT_OF_RANGE", |world| hold_of(world).amount_points = 501),
            ("STAKE_ABOVE_MAX", |world| hold_of(world).amount_points = 500),
            ("ACCOUNT_NOT_FOUND", |world| world.put_account("ann", "PTS", 600, 101)),
            ("HOLD_RELEASED", |world| world.loaded.holds.clear()),
            ("INSUFFICIENT_BALANCE", |world| world.put_account("ann", "PTS", 600, 100)),
        ],
    );
}

#[test]
fn a_hold_on_a_name_that_no_account_can_have_finds_none() {
    let world = World::new(place_hold("", "PTS", 10));
    assert_eq!(world.outcome(), Err(Refusal::AccountNotFound));
}

#[test]
fn a_release_is_refused_when_its_hold_ended_otherwise() {
    for ending in [Ending::Settled, Ending::Split, Ending::Refunded] {
        let mut world = World::new(release("h")).with_used_key().with_account("ann", "PTS", 50, 0);
        world.put_hold("h", "ann", "PTS", 10, HoldState::Ended(ending, stamp().transaction));
        walk(
            world,
            &[
                ("IDEMPOTENCY_MISMATCH", forget),
                ("HOLD_CLOSED", |world| {
                    world.put_hold("h", "ann", "PTS", 10, HoldState::Ended(Ending::Released, stamp().transaction));
                }),
            ],
        );
    }
}

#[test]
fn a_release_by_hand_is_of_a_hold_that_happened() {
    let by_hand = ByHand {
        operation: "release-hold",
        operator: "ann".to_owned(),
        arguments: "{}".to_owned(),
        reason: "a test".to_owned(),
    };
    let command = Command::Release(Release { hold: hold_id("h"), by_hand: Some(by_hand) });
    let mut world = World::new(command).with_used_key().with_account("ann", "PTS", 50, 10);
    world.loaded.holds.insert(hold_id("h"), HoldRecord::Void);
    walk(
        world,
        &[
            ("IDEMPOTENCY_MISMATCH", forget),
            ("HOLD_NOT_FOUND", |world| world.loaded.holds.clear()),
            ("HOLD_NOT_FOUND", |world| {
                world.put_hold("h", "ann", "PTS", 10, HoldState::Ended(Ending::Settled, stamp().transaction));
            }),
            ("HOLD_CLOSED", |world| world.put_hold("h", "ann", "PTS", 10, HoldState::Open)),
        ],
    );
}

/// The errors that settle, split and refund share.
fn walk_an_end(command: Command) {
    let mut world =
        World::new(command).with_used_key().with_account("ann", "PTS", 50, 10).with_account("bob", "PTS", 50, 20);
    world.put_account("bob", "FEE", 50, 10);
    world.loaded.ended_sets.insert(SetId::new("set_1").unwrap());
    let ended = |ending| HoldState::Ended(ending, stamp().transaction);
    world.put_hold("w", "ann", "PTS", 10, ended(Ending::Released));
    walk(
        world,
        &[
            ("IDEMPOTENCY_MISMATCH", forget),
            ("HOLD_NOT_FOUND", |world| drop(world.loaded.holds.insert(hold_id("l"), HoldRecord::Void))),
            ("HOLD_NOT_FOUND", |world| world.put_hold("l", "bob", "PTS", 20, HoldState::Open)),
            ("HOLDS_DIFFER", |world| world.put_hold("l", "bob", "FEE", 10, HoldState::Open)),
            ("HOLDS_DIFFER", |world| world.put_hold("l", "ann", "PTS", 10, HoldState::Open)),
            ("HOLDS_DIFFER", |world| world.put_hold("l", "bob", "PTS", 10, HoldState::Open)),
            ("HOLD_CLOSED", |world| {
                world.put_hold("w", "ann", "PTS", 10, HoldState::Open);
                world.put_hold("l", "bob", "PTS", 10, HoldState::Ended(Ending::Split, stamp().transaction));
            }),
            ("HOLD_CLOSED", |world| world.put_hold("l", "bob", "PTS", 10, HoldState::Open)),
            ("HOLD_CLOSED", |world| world.loaded.ended_sets.clear()),
        ],
    );
}

#[test]
fn the_end_of_a_set_is_refused_in_the_order_of_its_contract() {
    walk_an_end(settle());
    walk_an_end(Command::Split(close(&["w", "l"])));
    walk_an_end(Command::Refund(close(&["w", "l"])));
}

#[test]
fn a_set_has_two_different_holds() {
    for holds in [&[][..], &["w"], &["w", "w"], &["w", "l", "w"]] {
        let mut world = World::new(Command::Split(close(holds)));
        world.put_hold("w", "ann", "PTS", 10, HoldState::Open);
        world.put_hold("l", "bob", "PTS", 10, HoldState::Open);
        assert_eq!(world.outcome(), Err(Refusal::HoldsDiffer), "{holds:?}");
    }
    let world = World::new(Command::Split(close(&["unknown"])));
    assert_eq!(world.outcome(), Err(Refusal::HoldNotFound));
}

#[test]
fn a_grant_of_nothing_only_opens_the_account() {
    let effects = World::new(grant("ann", "PTS", 0)).effects();
    assert_eq!(effects.accounts, [Account::open(key("ann", "PTS"))]);
    assert!(effects.entries.is_empty() && effects.lines.is_empty() && effects.holds.is_empty());
    let world = World::new(grant("ann", "PTS", 0)).with_account("ann", "PTS", 2_000_000_000_000, 0);
    assert!(world.outcome().is_ok(), "an account may be richer than a grant can make it");
}

#[test]
fn a_settlement_pays_the_winner_both_stakes_less_the_fee_on_the_losers() {
    let mut world = World::new(settle()).with_account("ann", "FEE", 500, 100).with_account("bob", "FEE", 300, 100);
    world.put_hold("w", "ann", "FEE", 100, HoldState::Open);
    world.put_hold("l", "bob", "FEE", 100, HoldState::Open);
    let effects = world.effects();
    let answer = Answer::Settled { transaction: stamp().transaction, payout: points(198), fee: points(2) };
    assert_eq!(effects.answer, answer);
    let balances: Vec<_> = effects.accounts.iter().map(|account| (account.posted.get(), account.held.get())).collect();
    assert_eq!(balances, [(598, 0), (200, 0)]);
    let moved = |from: &dyn Fn(&Place) -> bool, to: &dyn Fn(&Place) -> bool| {
        effects.entries.iter().filter(|entry| from(&entry.from) && to(&entry.to)).map(|entry| entry.amount.get()).sum()
    };
    let escrow: i64 = moved(&|from| matches!(from, Place::Escrow(_)), &|_| true);
    let fee: i64 = moved(&|_| true, &|to| *to == Place::System(System::Fee));
    assert_eq!((escrow, fee), (200, 2), "payout and fee are both stakes");
    let won = &effects.lines[0];
    assert_eq!((won.posted_change, won.held_change, won.fee), (Change::new(98), Change::new(-100), points(2)));
    let ended = |id| {
        matches!(&effects.holds.iter().find(|(found, _)| *found == hold_id(id)).unwrap().1,
        HoldRecord::Made(hold) if hold.state == HoldState::Ended(Ending::Settled, stamp().transaction))
    };
    assert!(ended("w") && ended("l"));
}

#[test]
fn a_fee_of_everything_leaves_the_winner_its_stake() {
    let table: CurrencyTable = "ALL:10-1000:10000".parse().unwrap();
    let mut world = World::new(settle()).with_account("ann", "ALL", 10, 10).with_account("bob", "ALL", 10, 10);
    world.put_hold("w", "ann", "ALL", 10, HoldState::Open);
    world.put_hold("l", "bob", "ALL", 10, HoldState::Open);
    let effects = decide(&world.posting(), &table, &world.loaded, &stamp()).unwrap();
    assert_eq!(
        effects.answer,
        Answer::Settled { transaction: stamp().transaction, payout: points(10), fee: points(10) }
    );
    assert!(effects.entries.iter().all(|entry| entry.amount > Points::ZERO));
}

#[test]
fn a_hold_tells_what_a_win_brings() {
    let world = World::new(place_hold("ann", "FEE", 100)).with_account("ann", "FEE", 100, 0);
    let Answer::Held { winnings, balance, .. } = world.effects().answer else { panic!() };
    assert_eq!((winnings.get(), balance.available().get()), (98, 0));
}

#[test]
fn postings_of_a_batch_see_what_those_before_them_did() {
    let table = table();
    let mut book = Book::new(&table, Loaded::default(), HashMap::new());
    let mut post = |key: &str, command: Command| {
        let posting = Posting { key: RequestId::new(key).unwrap(), command };
        book.post(&posting, stamp()).map_err(|refusal| refusal.reason())
    };
    for owner in ["ann", "bob"] {
        post(&format!("g:{owner}"), grant(owner, "PTS", 15)).unwrap();
    }
    let first = post("w", place_hold("ann", "PTS", 10));
    assert_eq!(post("w", place_hold("ann", "PTS", 10)), first, "the same key twice has one effect");
    assert_eq!(post("w2", place_hold("ann", "PTS", 10)), Err("INSUFFICIENT_BALANCE"));
    post("l", place_hold("bob", "PTS", 10)).unwrap();
    post("end", settle()).unwrap();
    assert_eq!(post("end", Command::Split(close(&["w", "l"]))), Err("IDEMPOTENCY_MISMATCH"));
    assert_eq!(post("end2", Command::Split(close(&["w", "l"]))), Err("HOLD_CLOSED"));
    post("w3", place_hold("ann", "PTS", 10)).unwrap();
    post("l3", place_hold("bob", "PTS", 10)).unwrap_err();
    assert_eq!(post("w2", place_hold("ann", "PTS", 10)), Err("INSUFFICIENT_BALANCE"), "a refusal is remembered");
    assert_eq!(book.into_decided().len(), 9);
}

#[test]
fn answers_survive_storage_word_for_word() {
    let balance = Account::open(key("ann", "PTS")).balance();
    let outcomes: [Outcome; 4] = [
        Ok(Answer::Held { balance: balance.clone(), winnings: points(3), transaction: stamp().transaction }),
        Ok(Answer::Granted { balance, transaction: None }),
        Err(Refusal::InsufficientBalance { available: points(4) }),
        Err(Refusal::HoldClosed),
    ];
    let stored = outcomes.each_ref().map(|outcome| serde_json::to_string(outcome).unwrap());
    assert_eq!(stored[2], r#"{"Err":{"INSUFFICIENT_BALANCE":{"available":4}}}"#);
    for (text, outcome) in stored.iter().zip(outcomes) {
        assert_eq!(serde_json::from_str::<Outcome>(text).unwrap(), outcome);
    }
}
