//! Moves through the public API: how many a second, how late, and what they cost, with 1, 64 and 512 games; the same
//! through gRPC alone, in one process, and at boardgame.io.

use std::time::Duration;

use super::boardgame_io::{self, Server};
use super::direct::Direct;
use super::figures::{Sample, print_head};
use super::http::Connection;
use super::load::{closed, open};
use super::platform::Platform;
use super::table::{Bot, Stable, Table, Way};

const WARM_UP: Duration = Duration::from_secs(2);
const WINDOW: Duration = Duration::from_secs(5);
/// The open loop counts the slowest hundredth, which takes more moves.
const OPEN_WINDOW: Duration = Duration::from_secs(10);
const GAMES: [usize; 3] = [1, 64, 512];
/// Windows of each of the two ways that are compared.
const TURNS: usize = 3;
/// boardgame.io 0.50 in memory on the machine of the bars, moves a second: taken where it does not run beside.
const PEER_RATE: f64 = 1_100.0;
/// Games among which the open loop and direct gRPC play.
const POOL: usize = 256;
/// Whose processor time is the platform's.
const SERVICES: [&str; 5] = ["gateway", "match-svc", "rules-svc", "ledger-svc", "rating-svc"];

/// Measures boardgame.io, where its folder is given; answers its best rate.
pub async fn peer() -> Option<f64> {
    let server = Server::start().await?;
    print_head("boardgame.io, in memory, one Node process; a move is done when both players have seen it");
    let mut best: Option<f64> = None;
    for games in GAMES {
        let tables = server.tables(games).await;
        let (_, sample) = closed(tables, || server.used(), WARM_UP, WINDOW).await;
        sample.print(&format!("boardgame.io, {games} games"));
        best = Some(best.unwrap_or(0.0).max(sample.per_second()));
    }
    println!("\n{}", boardgame_io::VERSION_NOTE);
    best
}

/// Measures the five processes.
pub async fn apart(parts: &[&str], peer: Option<f64>) {
    let platform = Platform::apart().await;
    let rate = peer.unwrap_or(PEER_RATE);
    let mut bots = Bots::default();
    if parts.contains(&"apart") {
        print_head("five processes on PostgreSQL and Redis, JSON over HTTP");
        let mut best: f64 = 0.0;
        for games in GAMES {
            let sample = run(&platform, &mut bots, games, || Way::Http).await;
            sample.print(&format!("{games} games"));
            best = best.max(sample.per_second());
        }
        run(&platform, &mut bots, 64, || Way::Streamed).await.print("64 games, both bots' event streams open");
        let tables = bots.tables(&platform, POOL, || Way::Http).await;
        let sample = open(tables, || platform.used(), rate, OPEN_WINDOW).await;
        sample.print(&format!("open loop, {rate:.0} moves due a second"));
        println!("\n{:.1} × boardgame.io's {rate:.0} moves a second (bar 3, beyond 6)", best / rate);
        let p99 = sample.latencies.at_ms(0.99);
        println!("p99 of a move at that rate in the open loop: {p99:.1} ms (bar 10, beyond 5)");
    }
    if parts.contains(&"direct") {
        compare(&platform, &mut bots).await;
    }
}

/// The same games through the gateway and through gRPC alone, in turns, so that a machine that slows down slows both.
async fn compare(platform: &Platform, bots: &mut Bots) {
    let direct = Direct::new(platform.apart.as_ref().expect("five processes"));
    print_head("the same call through the gateway and on gRPC directly, five processes on PostgreSQL and Redis");
    let (mut through, mut straight) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        through.push(run(platform, bots, 64, || Way::Http).await);
        straight.push(run(platform, bots, 64, || Way::Grpc(Box::new(direct.clone()))).await);
    }
    let [through, straight] = [through, straight].map(Sample::joined);
    through.print("through the gateway, 64 games");
    straight.print("gRPC, 64 games");
    let services = |sample: &Sample| sample.micros_per_move(|name| SERVICES.contains(&name));
    let server = |sample: &Sample| sample.micros_per_move(|name| name != "generator");
    println!(
        "\nCPU of the five services for each move: {:.0} µs through the gateway, {:.0} µs directly: {:.2} × (bar 1.5, beyond 1.2); \
         with PostgreSQL and Redis {:.0} and {:.0} µs: {:.2} ×",
        services(&through),
        services(&straight),
        services(&through) / services(&straight),
        server(&through),
        server(&straight),
        server(&through) / server(&straight)
    );
}

/// Measures one process, on SQLite and on PostgreSQL.
pub async fn one() {
    print_head("one process, JSON over HTTP");
    for (database, is_postgres) in [("SQLite", false), ("PostgreSQL", true)] {
        let platform = Platform::one(is_postgres).await;
        let mut bots = Bots::default();
        for games in GAMES {
            run(&platform, &mut bots, games, || Way::Http).await.print(&format!("{database}, {games} games"));
        }
    }
}

async fn run(platform: &Platform, bots: &mut Bots, games: usize, way: impl Fn() -> Way) -> Sample {
    let tables = bots.tables(platform, games, way).await;
    closed(tables, || platform.used(), WARM_UP, WINDOW).await.1
}

/// Pairs of bots of different owners, made as they are needed and used again.
#[derive(Default)]
struct Bots {
    stables: [Stable; 2],
    pairs: Vec<[Bot; 2]>,
}

impl Bots {
    /// Seats so many pairs, each with a set that has begun.
    async fn tables(&mut self, platform: &Platform, count: usize, way: impl Fn() -> Way) -> Vec<Table> {
        let mut connection = Connection::open(platform.address).await;
        while self.pairs.len() < count {
            let [one, other] = &mut self.stables;
            self.pairs.push([one.bot(&mut connection).await, other.bot(&mut connection).await]);
        }
        let pairs = self.pairs.iter().take(count).cloned().enumerate();
        let opened = pairs.map(|(number, pair)| tokio::spawn(Table::open(platform.address, pair, way(), number)));
        let mut tables = Vec::new();
        for table in opened {
            tables.push(table.await.expect("a table"));
        }
        tables
    }
}
