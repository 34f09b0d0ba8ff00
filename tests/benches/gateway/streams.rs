//! Idle event streams: memory of the gateway and of match-svc for each, and how long a move takes to reach every watcher
//! of its set. Clients are bare sockets, from several loopback addresses where there are more of them than ports.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use farside_kit::time::Stopwatch;
use futures::future::join_all;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::watch;

use super::figures::{Latencies, micros};
use super::http::Connection;
use super::load::Play as _;
use super::platform::Platform;
use super::table::{Bot, Stable, Table, Way};

/// Streams that are open before the first look, so that what the first ones bring along is not counted.
const BEFORE: usize = 500;
const STREAMS: usize = 10_000;
/// Streams are opened so many at a time.
const AT_ONCE: usize = 50;
const SETS: usize = 50;
/// Streams from one address, well below the ports that it has.
const PER_ADDRESS: usize = 10_000;
/// Watchers of the one set whose moves are followed.
const WATCHERS: usize = 2_000;
const FOLLOWED_MOVES: usize = 20;
/// Memory is looked at after so long, when what opening needed has been given back.
const SETTLE: Duration = Duration::from_secs(2);
const GIB: f64 = (1_u64 << 30) as f64;

/// Measures and prints.
pub async fn measure() {
    println!("\nidle event streams, five processes\n");
    println!("| what | gateway, bytes each | match-svc, bytes each | streams per GiB of both |\n|---|---|---|---|");
    of_sets().await;
    of_participants().await;
}

/// Streams of sets, many for each set, as spectators hold them; then moves in one of the sets.
async fn of_sets() {
    let platform = Platform::apart().await;
    let mut connection = Connection::open(platform.address).await;
    let mut stables = [Stable::default(), Stable::default()];
    let mut tables = Vec::new();
    for number in 0..SETS {
        let [one, other] = &mut stables;
        let bots = [one.bot(&mut connection).await, other.bot(&mut connection).await];
        tables.push(Table::open(platform.address, bots, Way::Http, number).await);
    }
    let paths: Vec<String> = tables.iter().map(|table| format!("/v1/sets/{}/events", table.set_id())).collect();
    let request = |number: usize| (paths[number % paths.len()].clone(), String::new());
    let idle = hold(&platform, request, "of sets, 50 sets").await;
    drop(idle);
    fan_out(&platform, &mut tables[0]).await;
}

/// Streams of participants, as bots hold them: many bots, a few streams each.
async fn of_participants() {
    let platform = Platform::apart().await;
    let mut connection = Connection::open(platform.address).await;
    let mut stable = Stable::default();
    let mut bots: Vec<Bot> = Vec::new();
    for _ in 0..STREAMS / 20 {
        bots.push(stable.bot(&mut connection).await);
    }
    let request = |number: usize| ("/v1/me/events".to_owned(), bots[number % bots.len()].key.clone());
    hold(&platform, request, "of bots (`/v1/me/events`), 20 for each").await;
}

/// Opens the streams and prints what they take.
async fn hold(platform: &Platform, request: impl Fn(usize) -> (String, String), what: &str) -> Vec<Watcher> {
    let mut watchers = Vec::new();
    open(platform.address, &mut watchers, BEFORE, &request).await;
    tokio::time::sleep(SETTLE).await;
    let before = ["gateway", "match-svc"].map(|name| platform.resident_bytes(name));
    open(platform.address, &mut watchers, STREAMS, &request).await;
    tokio::time::sleep(SETTLE).await;
    let after = ["gateway", "match-svc"].map(|name| platform.resident_bytes(name));
    let each = |index: usize| after[index].saturating_sub(before[index]) as f64 / (STREAMS - BEFORE) as f64;
    println!("| {what} | {:.0} | {:.0} | {:.0} |", each(0), each(1), GIB / (each(0) + each(1)));
    watchers
}

async fn open(
    address: SocketAddr,
    watchers: &mut Vec<Watcher>,
    count: usize,
    request: &impl Fn(usize) -> (String, String),
) {
    while watchers.len() < count {
        let numbers = watchers.len()..(watchers.len() + AT_ONCE).min(count);
        let opened = numbers.map(|number| {
            let (path, key) = request(number);
            async move { Watcher::open(address, number, &path, &key).await }
        });
        watchers.extend(join_all(opened).await);
    }
}

/// Has moves played in a set with many watchers, and prints how long each took to reach them.
async fn fan_out(platform: &Platform, table: &mut Table) {
    let path = format!("/v1/sets/{}/events", table.set_id());
    let mut watchers = Vec::new();
    open(platform.address, &mut watchers, WATCHERS, &|_| (path.clone(), String::new())).await;
    let (start, started) = watch::channel(Stopwatch::start());
    let mut latencies = Vec::new();
    let mut slowest = Vec::new();
    for _ in 0..FOLLOWED_MOVES {
        start.send(Stopwatch::start()).unwrap();
        let waiting: Vec<_> = watchers
            .drain(..)
            .map(|mut watcher| {
                let started = started.clone();
                tokio::spawn(async move {
                    watcher.await_event("event: move").await;
                    let latency = micros(started.borrow().elapsed());
                    (watcher, latency)
                })
            })
            .collect();
        table.play().await;
        let mut of_move = Vec::new();
        for ended in join_all(waiting).await {
            let (watcher, latency) = ended.unwrap();
            watchers.push(watcher);
            of_move.push(latency);
        }
        slowest.push(*of_move.iter().max().unwrap());
        latencies.extend(of_move);
    }
    let (all, slowest) = (Latencies::new(latencies), Latencies::new(slowest));
    println!(
        "\none set, {WATCHERS} watchers, from sending a move to its event at a watcher: p50 {:.1} ms, p99 {:.1} ms; the last watcher: p50 {:.1} ms\n",
        all.at_ms(0.5),
        all.at_ms(0.99),
        slowest.at_ms(0.5)
    );
    println!("| what | gateway, bytes each | match-svc, bytes each | streams per GiB of both |\n|---|---|---|---|");
}

/// A client of an event stream.
struct Watcher(TcpStream);

impl Watcher {
    /// Opens a stream and waits for its first event, which is a snapshot.
    async fn open(address: SocketAddr, number: usize, path: &str, key: &str) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        let host = u8::try_from(2 + number / PER_ADDRESS).expect("an address");
        socket.bind(SocketAddr::from((Ipv4Addr::new(127, 0, 0, host), 0))).unwrap();
        let stream = socket.connect(address).await.expect("a gateway that takes connections");
        let mut watcher = Self(stream);
        let authorization = if key.is_empty() { String::new() } else { format!("Authorization: Bearer {key}\r\n") };
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n{authorization}\r\n");
        watcher.0.write_all(request.as_bytes()).await.unwrap();
        watcher.await_event("event: snapshot").await;
        watcher
    }

    /// Reads until the event has come. The name may be cut by the end of what is read: the rest is kept.
    async fn await_event(&mut self, event: &str) {
        let (mut part, mut kept) = (vec![0; 4_096], Vec::new());
        loop {
            let length = self.0.read(&mut part).await.expect("a stream that does not break");
            assert!(length > 0, "a stream that goes on: {}", String::from_utf8_lossy(&kept));
            kept.extend_from_slice(&part[..length]);
            if kept.windows(event.len()).any(|window| window == event.as_bytes()) {
                return;
            }
            kept.drain(..kept.len().saturating_sub(event.len()));
        }
    }
}
