//! A process of match-svc ends exactly between two steps, at each place that its failpoints name, while sets are played
//! on three replicas: no acknowledged move or placement is lost, no set is stuck, every stake ends once, and an outage
//! of all three is given back to every running clock.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use farside_match::{SCHEMA, failpoint::Failpoint};
use farside_proto::matches::v1 as proto;
use farside_tests::{
    callers::Callers,
    dice::Dice,
    pair::{Acknowledged, Pair, PlayedSet, Style},
    replicas::Replicas,
    wait,
};
use proto::set_event::Event;
use sea_orm::{ConnectionTrait as _, DatabaseConnection, Statement};
use tokio::task::JoinHandle;

use crate::kills::{Evening, Play, REPLICAS, Tally, all_adds_up, dice, one_log, stakes_ended_once};

const FAILPOINT: &str = "FARSIDE_FAILPOINT";
/// A process that starts gives back what is longer than this since the last beat.
const OUTAGE_MS: i64 = 1_500;

/// A pair that does something again and again until it is told to stop.
struct Table<T> {
    is_over: Arc<AtomicBool>,
    sitting: JoinHandle<T>,
}

impl<T> Table<T> {
    async fn end(self) -> T {
        self.is_over.store(true, Ordering::Relaxed);
        self.sitting.await.unwrap()
    }
}

/// A pair that plays sets with secret rounds.
async fn rounds(callers: &Callers, dice: &mut Dice) -> Table<Evening> {
    let pair = Pair::join(callers, dice.fork(), &Arc::new(AtomicUsize::new(0))).await;
    let mut pair = pair.at("maker-breaker", "");
    let is_over = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&is_over);
    let sitting = tokio::spawn(async move {
        let mut sets = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            sets.push(pair.play_rounds().await);
        }
        Evening { creator: pair.creator, acceptor: pair.acceptor, sets }
    });
    Table { is_over, sitting }
}

/// Somebody whose challenges come to nothing; answers its account.
async fn waverer(callers: &Callers, dice: &mut Dice) -> Table<String> {
    let mut pair = Pair::join(callers, dice.fork(), &Arc::new(AtomicUsize::new(0))).await;
    let is_over = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&is_over);
    let sitting = tokio::spawn(async move {
        while !stop.load(Ordering::Relaxed) {
            pair.change_mind().await;
        }
        pair.creator.owner_id
    });
    Table { is_over, sitting }
}

/// Ends one replica at `place` and starts it again, while the others go on.
async fn end_one(replicas: &mut Replicas, play: &mut Play, dice: &mut Dice, place: Failpoint) {
    let victim = replicas.replica(dice.below(REPLICAS));
    victim.kill();
    victim.set(FAILPOINT, &place.name()).start().await;
    victim.ended().await;
    victim.set(FAILPOINT, "").start().await;
    play.goes_on(4).await;
}

/// When all replicas were down: from the last moment in which something may have been written to the first.
#[derive(Clone, Copy, Debug)]
struct Night {
    from_ms: i64,
    to_ms: i64,
}

/// Ends all replicas and has the first one end again while it recovers.
async fn end_all(replicas: &mut Replicas, database: &DatabaseConnection, play: &mut Play, place: Failpoint) -> Night {
    for index in 0..REPLICAS {
        replicas.replica(index).kill();
    }
    let from_ms = now_ms(database).await;
    wait::until("the last beat to be old", async || {
        (now_ms(database).await - last_beat_ms(database).await > OUTAGE_MS).then_some(())
    })
    .await;
    let to_ms = now_ms(database).await;
    let victim = replicas.replica(0);
    victim.set(FAILPOINT, &place.name()).spawn();
    victim.ended().await;
    for index in 0..REPLICAS {
        replicas.replica(index).set(FAILPOINT, "").spawn();
    }
    for index in 0..REPLICAS {
        replicas.replica(index).ready().await;
    }
    play.goes_on(4).await;
    Night { from_ms, to_ms }
}

async fn number(database: &DatabaseConnection, sql: &str) -> i64 {
    let statement = Statement::from_string(database.get_database_backend(), sql);
    database.query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap()
}

/// The machine's clock, which the replicas share, as the database reads it.
async fn now_ms(database: &DatabaseConnection) -> i64 {
    number(database, "SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT").await
}

async fn last_beat_ms(database: &DatabaseConnection) -> i64 {
    number(database, &format!("SELECT at_ms FROM {SCHEMA}.beats")).await
}

/// Whatever was running through a night was given it back before anything else happened.
fn nights_are_given_back(log: &[proto::SetEvent], nights: &[Night]) -> usize {
    let mut given_back = 0;
    for night in nights {
        let Some(next) = log.iter().position(|event| event.at_ms > night.from_ms).filter(|next| *next > 0) else {
            continue;
        };
        let Some(Event::ClockCredited(credited)) = &log[next].event else {
            panic!("{night:?} was not given back: {log:?}");
        };
        let slept_ms = night.to_ms - night.from_ms;
        assert!(credited.credit_ms >= slept_ms, "{night:?} gave back {} ms", credited.credit_ms);
        given_back += 1;
    }
    given_back
}

/// Nobody loses on time: an outage flags nobody.
fn nobody_was_flagged(log: &[proto::SetEvent]) {
    for event in log {
        if let Some(Event::GameFinished(finished)) = &event.event {
            let reason = &finished.game.as_ref().unwrap().result.as_ref().unwrap().reason;
            assert!(!reason.contains("timeout"), "{event:?}");
        }
    }
}

/// Every acknowledged placement is in the log, and its round once.
async fn rounds_hold(callers: &Callers, played: PlayedSet) {
    let log = one_log(callers, &played.id).await;
    assert_eq!(played.watched.await.unwrap(), log, "who watched through all of it has missed nothing");
    let revealed: Vec<&proto::PlayedPly> = log.iter().filter_map(round).collect();
    assert!(revealed.windows(2).all(|pair| pair[0].ply + 1 == pair[1].ply), "each round once: {revealed:?}");
    for Acknowledged { request, answer } in &played.moves {
        let seat = if answer.seat_1 == request.actor_id { 1 } else { 2 };
        let ply = revealed.iter().find(|ply| ply.ply == request.ply).expect("the round of a placement");
        let mine = ply.moves.iter().find(|placed| placed.seat == seat).expect("the placement in its round");
        assert_eq!(mine.move_json, request.move_json);
    }
}

fn round(event: &proto::SetEvent) -> Option<&proto::PlayedPly> {
    match &event.event {
        Some(Event::MovePlayed(played)) => played.played.as_ref(),
        _ => None,
    }
}

async fn rounds_add_up(callers: &Callers, evening: Evening) {
    let (mut creator, mut acceptor) = (Tally::default(), Tally::default());
    for played in evening.sets {
        let request = proto::GetSetRequest { set_id: played.id.clone(), viewer_id: String::new() };
        let set = callers.matches[0].clone().get_set(request).await.unwrap().into_inner().set.unwrap();
        rounds_hold(callers, played).await;
        creator.count(&set, proto::Side::Creator);
        acceptor.count(&set, proto::Side::Acceptor);
    }
    stakes_ended_once(callers, &evening.creator.owner_id, creator).await;
    stakes_ended_once(callers, &evening.acceptor.owner_id, acceptor).await;
}

async fn clocks_add_up(callers: &Callers, evenings: &[Evening], nights: &[Night]) {
    let mut given_back = 0;
    for set in evenings.iter().flat_map(|evening| &evening.sets) {
        let log = one_log(callers, &set.id).await;
        nobody_was_flagged(&log);
        given_back += nights_are_given_back(&log, nights);
    }
    assert!(given_back >= nights.len(), "sets ran through every night: {given_back}");
}

/// Whether a place is met when a process starts, not while it plays.
fn is_of_recovery(place: Failpoint) -> bool {
    matches!(place, Failpoint::OutageFound | Failpoint::ClocksCredited)
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_a_replica_ends_between_any_two_steps() {
    let mut replicas = Replicas::start(REPLICAS).await;
    let database = sea_orm::Database::connect(replicas.platform.database.args().database_url.reveal()).await.unwrap();
    let (callers, mut dice) = (replicas.callers(), dice());
    let (rounds, waverer) = (rounds(&callers, &mut dice).await, waverer(&callers, &mut dice).await);
    let mut play = Play::start(&callers, &mut dice, Style::Moves).await;
    let mut nights = Vec::new();
    for place in Failpoint::ALL {
        if is_of_recovery(place) {
            nights.push(end_all(&mut replicas, &database, &mut play, place).await);
        } else {
            end_one(&mut replicas, &mut play, &mut dice, place).await;
        }
    }
    database.close().await.unwrap();
    let (evenings, rounds, account) = (play.end().await, rounds.end().await, waverer.end().await);
    stakes_ended_once(&callers, &account, Tally::default()).await;
    clocks_add_up(&callers, &evenings, &nights).await;
    rounds_add_up(&callers, rounds).await;
    all_adds_up(&replicas.platform, &callers, evenings).await;
}
