//! Moves committed per second at 1, 16 and 256 running games, with group commit and with one transaction per move, on
//! SQLite and PostgreSQL in one run.
//!
//! Not here: how late flags fall (`flags.rs`), and the gateway. Figures of one machine mean nothing by themselves; the ratios do.

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
use std::time::Duration;

use farside_kit::time::Stopwatch;
use farside_proto::matches::v1 as proto;
use futures::future::join_all;

use harness::{Backend, World, challenge};

const MEASURED: Duration = Duration::from_secs(5);
const GAMES: [usize; 3] = [1, 16, 256];

/// How decisions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Grouped,
    OneByOne,
}

struct Figures {
    per_second: f64,
    p50_ms: f64,
    p99_ms: f64,
}

fn main() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    println!(
        "| database | games | group commit moves/s | p50 ms | p99 ms | one transaction per move, moves/s | p50 ms | p99 ms | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for backend in [Backend::Sqlite, Backend::Postgres] {
        for games in GAMES {
            let grouped = runtime.block_on(measure(backend, games, Mode::Grouped));
            let single = runtime.block_on(measure(backend, games, Mode::OneByOne));
            println!(
                "| {backend:?} | {games} | {:.0} | {:.1} | {:.1} | {:.0} | {:.1} | {:.1} | {:.1} |",
                grouped.per_second,
                grouped.p50_ms,
                grouped.p99_ms,
                single.per_second,
                single.p50_ms,
                single.p99_ms,
                grouped.per_second / single.per_second
            );
        }
    }
}

async fn measure(backend: Backend, games: usize, mode: Mode) -> Figures {
    let change = move |config: &mut farside_match::Config| {
        if mode == Mode::OneByOne {
            config.play.commit_batch = 1;
            config.play.commit_writers = 16;
        }
    };
    let world = Arc::new(World::start_with(backend, change, None).await);
    let stopwatch = Stopwatch::start();
    let drivers = (0..games).map(|number| tokio::spawn(drive(Arc::clone(&world), number)));
    let latencies = join_all(drivers).await.into_iter().flat_map(Result::unwrap).collect::<Vec<_>>();
    let elapsed = stopwatch.elapsed();
    figures(latencies, elapsed)
}

/// Plays one game after the other until the time is over; answers how long each move took.
async fn drive(world: Arc<World>, number: usize) -> Vec<Duration> {
    let pair = [world.bot(&format!("a{number}"), 0).await, world.bot(&format!("b{number}"), 0).await];
    let (total, mut latencies, mut chance) = (Stopwatch::start(), Vec::new(), number);
    while total.elapsed() < MEASURED {
        let made = world.create(challenge(&pair[0])).await.unwrap().challenge.unwrap();
        let set = world.accept(&pair[1], &made.id).await.unwrap();
        let mut game = set.games[0].clone();
        while game.status() == proto::GameStatus::Active && total.elapsed() < MEASURED {
            let actor = if game.to_move[0] == 1 { game.seat_1.clone() } else { game.seat_2.clone() };
            chance = chance.wrapping_mul(31).wrapping_add(17);
            let choice = game.legal_moves_json[chance % game.legal_moves_json.len()].clone();
            let stopwatch = Stopwatch::start();
            game = world.play(&set.id, &game, &actor, &choice).await.unwrap();
            latencies.push(stopwatch.elapsed());
            if game.status() != proto::GameStatus::Active {
                // The set's next game, when there is one: sets left unfinished would reach the limit of their players.
                game = world.set_for(&set.id, &pair[1].id).await.games.last().unwrap().clone();
            }
        }
    }
    latencies
}

fn figures(mut latencies: Vec<Duration>, elapsed: Duration) -> Figures {
    latencies.sort();
    let at =
        |percent: usize| latencies[(latencies.len() * percent / 100).min(latencies.len() - 1)].as_secs_f64() * 1_000.0;
    let count = u32::try_from(latencies.len()).unwrap();
    Figures { per_second: f64::from(count) / elapsed.as_secs_f64(), p50_ms: at(50), p99_ms: at(99) }
}
