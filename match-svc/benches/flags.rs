//! How late flags fall while 10,000 games run and moves flow: nine thousand stand still with long clocks, some play,
//! and the clocks of a thousand run out. On PostgreSQL, in one process, through the contracts.
//!
//! Not here: whether a flag is right (the tests say), and the gateway. Lateness is from the deadline to the durable
//! flag, as the service's own metric counts it; the grace that moves in time are given is part of it.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    dead_code,
    missing_docs,
    unreachable_pub,
    reason = "a measurement that cannot go on should say where, and prints; it shares the tests' harness"
)]

#[path = "../tests/it/harness.rs"]
mod harness;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use farside_kit::time::Stopwatch;
use farside_proto::matches::v1 as proto;
use futures::future::join_all;
use proto::clock_setting::Kind;
use proto::create_challenge_request::ClockChoice;

use harness::{Backend, World, challenge};

const STANDING: usize = 9_000;
const STANDING_S: u32 = 600;
const FALLING: usize = 1_000;
const FALLING_S: u32 = 10;
/// Pairs of bots that open sets at the same time.
const OPENERS: usize = 40;
/// Games in which moves flow, and how long their players think.
const MOVERS: usize = 50;
const PACE: Duration = Duration::from_millis(50);
const LIMIT: Duration = Duration::from_secs(120);
const LOOK: Duration = Duration::from_millis(100);

fn main() {
    tokio::runtime::Runtime::new().unwrap().block_on(measure());
}

async fn measure() {
    let change = |config: &mut farside_match::Config| config.play.set_limit = 100_000;
    let world = Arc::new(World::start_with(Backend::Postgres, change, None).await);
    let watch = Stopwatch::start();
    open_all(&world, "standing", STANDING, STANDING_S).await;
    println!("{STANDING} games opened in {:.0} s, two moves in each", watch.elapsed().as_secs_f64());
    let (moves, is_over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let movers: Vec<_> = (0..MOVERS)
        .map(|number| {
            let (world, moves, is_over) = (Arc::clone(&world), Arc::clone(&moves), Arc::clone(&is_over));
            tokio::spawn(async move { keep_moving(&world, number, &moves, &is_over).await })
        })
        .collect();
    let watch = Stopwatch::start();
    open_all(&world, "falling", FALLING, FALLING_S).await;
    let buckets = until_fallen(&world).await;
    let rate = moves.load(Ordering::Relaxed) as f64 / watch.elapsed().as_secs_f64();
    is_over.store(true, Ordering::Relaxed);
    join_all(movers).await.into_iter().for_each(|ended| ended.unwrap());
    let [p50, p99] = [0.5, 0.99].map(|share| quantile(&buckets, share) * 1_000.0);
    println!("| running games | moves/s meanwhile | flags | lateness p50 ms | p99 ms |");
    println!("|---|---|---|---|---|");
    let flags = buckets.last().map_or(0.0, |(_, count)| *count);
    println!("| {} | {rate:.0} | {flags:.0} | {p50:.0} | {p99:.0} (bar 250) |", STANDING + FALLING + MOVERS);
}

async fn open_all(world: &Arc<World>, name: &'static str, count: usize, initial_s: u32) {
    let openers = (0..OPENERS).map(|opener| {
        let world = Arc::clone(world);
        tokio::spawn(async move {
            let pair = pair(&world, &format!("{name}{opener}")).await;
            for _ in (opener..count).step_by(OPENERS) {
                open(&world, &pair, initial_s).await;
            }
        })
    });
    join_all(openers).await.into_iter().for_each(|ended| ended.unwrap());
}

async fn pair(world: &World, name: &str) -> [proto::Participant; 2] {
    [world.bot(&format!("{name}a"), 0).await, world.bot(&format!("{name}b"), 0).await]
}

/// Begins a set and makes both first moves: from then on the clock runs.
async fn open(world: &World, pair: &[proto::Participant; 2], initial_s: u32) {
    let clock = proto::ClockSetting { kind: Some(Kind::Fischer(proto::FischerClock { initial_s, increment_s: 0 })) };
    let request =
        proto::CreateChallengeRequest { clock_choice: Some(ClockChoice::Clock(clock)), ..challenge(&pair[0]) };
    let made = world.create(request).await.unwrap().challenge.unwrap();
    let set = world.accept(&pair[1], &made.id).await.unwrap();
    let mut game = set.games[0].clone();
    for _ in 0..2 {
        game = step(world, &set.id, &game, 0).await;
    }
}

async fn step(world: &World, set: &str, game: &proto::Game, chance: usize) -> proto::Game {
    let actor = if game.to_move[0] == 1 { &game.seat_1 } else { &game.seat_2 };
    let choice = &game.legal_moves_json[chance % game.legal_moves_json.len()];
    world.play(set, game, actor, choice).await.unwrap()
}

async fn keep_moving(world: &World, number: usize, moves: &AtomicU64, is_over: &AtomicBool) {
    let pair = pair(world, &format!("moving{number}")).await;
    let mut chance = number;
    while !is_over.load(Ordering::Relaxed) {
        let made = world.create(challenge(&pair[0])).await.unwrap().challenge.unwrap();
        let set = world.accept(&pair[1], &made.id).await.unwrap();
        let mut game = set.games[0].clone();
        while game.status() == proto::GameStatus::Active && !is_over.load(Ordering::Relaxed) {
            tokio::time::sleep(PACE).await;
            chance = chance.wrapping_mul(31).wrapping_add(17);
            game = step(world, &set.id, &game, chance).await;
            moves.fetch_add(1, Ordering::Relaxed);
            if game.status() != proto::GameStatus::Active {
                game = world.set_for(&set.id, &pair[1].id).await.games.last().unwrap().clone();
            }
        }
    }
}

/// Waits for the flags; answers their lateness as upper bounds in seconds, with how many were no later.
async fn until_fallen(world: &World) -> Vec<(f64, f64)> {
    let watch = Stopwatch::start();
    loop {
        let buckets = buckets(&world.context.metrics.encode());
        if buckets.last().is_some_and(|(_, count)| *count >= FALLING as f64) {
            return buckets;
        }
        assert!(watch.elapsed() < LIMIT, "flags do not fall: {buckets:?}");
        tokio::time::sleep(LOOK).await;
    }
}

fn buckets(metrics: &str) -> Vec<(f64, f64)> {
    let bucket = |line: &str| {
        let (bound, count) = line.split_once("le=\"")?.1.split_once("\"}")?;
        let bound = if bound == "+Inf" { f64::INFINITY } else { bound.parse().ok()? };
        Some((bound, count.split_whitespace().next()?.parse().ok()?))
    };
    metrics
        .lines()
        .filter(|line| line.starts_with("farside_match_flag_lateness_seconds_bucket"))
        .filter_map(bucket)
        .collect()
}

/// The value below which this share lies, taken as spread evenly within a bucket.
fn quantile(buckets: &[(f64, f64)], share: f64) -> f64 {
    let wanted = buckets.last().map_or(0.0, |(_, count)| count * share);
    let (mut low, mut below) = (0.0, 0.0);
    for &(bound, count) in buckets {
        if count >= wanted && count > below {
            return low + (bound - low) * (wanted - below) / (count - below);
        }
        (low, below) = (bound, count);
    }
    f64::INFINITY
}
