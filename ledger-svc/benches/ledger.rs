//! Hold and settle per second through gRPC with 64 callers, against one interactive transaction per posting with a
//! locked fee row, and against raw batched SQL: one run, the same PostgreSQL, less than a minute.
//!
//! Not here: other databases and other calls. Figures of one machine mean nothing by themselves; the ratios do.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a measurement that cannot go on should say where, and prints"
)]

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use farside_kit::Context;
use farside_kit::config::{Secret, ServiceTokens};
use farside_kit::grpc::{Endpoint, Listener, Traced, channel};
use farside_kit::testing::TestDatabase;
use farside_kit::time::Stopwatch;
use farside_ledger::Config;
use farside_ledger::store::Store;
use farside_proto::ledger::v1 as wire;
use farside_proto::ledger::v1::ledger_service_client::LedgerServiceClient;
use sea_orm::ConnectionTrait as _;

const CALLERS: u64 = 64;
const OWNERS: u64 = 1_000;
const WARM_UP: Duration = Duration::from_secs(2);
const MEASURED: Duration = Duration::from_secs(8);
/// A set is two holds and a settlement.
const POSTINGS_OF_A_SET: f64 = 3.0;
/// A run of the batched script is 64 sets.
const SETS_OF_A_BATCH: f64 = 64.0;
const INTERACTIVE: &str = include_str!("interactive.sql");
const BATCHED: &str = include_str!("batched.sql");

type Client = LedgerServiceClient<Traced>;

fn main() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let interactive = runtime.block_on(scripted(INTERACTIVE, CALLERS)) * POSTINGS_OF_A_SET;
    let kinder = runtime.block_on(scripted(&without_fee_row_in_holds(), CALLERS)) * POSTINGS_OF_A_SET;
    let per_run = SETS_OF_A_BATCH * POSTINGS_OF_A_SET;
    let batched = [1, 2].map(|clients| runtime.block_on(scripted(BATCHED, clients)) * per_run);
    let ceiling = batched[0].max(batched[1]);
    let (ours, batch) = runtime.block_on(through_grpc());
    println!("hold + settle, postings per second, {CALLERS} callers, PostgreSQL, {} s each", MEASURED.as_secs());
    println!();
    println!("| what | postings/s | ledger-svc is |");
    println!("|---|---|---|");
    println!("| ledger-svc through gRPC ({batch:.0} postings a transaction) | {ours:.0} | |");
    println!(
        "| (a) interactive transaction per posting, fee row locked | {interactive:.0} | {:.1} × (bar 5 ×) |",
        ours / interactive
    );
    println!("| (a') the same, fee row locked by settlements only | {kinder:.0} | {:.1} × |", ours / kinder);
    println!("| (b) raw batched SQL, the ceiling | {ceiling:.0} | {:.2} of it (bar 0.5) |", ours / ceiling);
}

fn without_fee_row_in_holds() -> String {
    INTERACTIVE.lines().filter(|line| !line.ends_with("-- fee row")).collect::<Vec<_>>().join("\n")
}

/// Runs a pgbench script against the ledger's own tables and tells its runs per second.
async fn scripted(script: &str, clients: u64) -> f64 {
    let database = TestDatabase::postgres().await;
    let store = Store::open(database.connect(Store::SCHEMA).await).await.unwrap();
    let connection = store.database().read();
    connection
        .execute_unprepared(&format!(
            "INSERT INTO accounts SELECT 'owner' || i, 'FEE', 1000000000, 0, 0 FROM generate_series(1, {OWNERS}) AS i; \
             INSERT INTO system_balances VALUES ('fee', 'FEE', 0); ANALYZE"
        ))
        .await
        .unwrap();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("script.sql");
    std::fs::write(&file, script).unwrap();
    let output = Command::new("pgbench")
        .args(["--no-vacuum", "--protocol=prepared", "--jobs=2", &format!("--client={clients}")])
        .args([&format!("--time={}", MEASURED.as_secs()), "--file"])
        .arg(&file)
        .arg(database.args().database_url.reveal())
        .env("PGOPTIONS", "-c search_path=ledger")
        .output()
        .expect("pgbench comes with PostgreSQL");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let figure = text.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
    figure.unwrap_or_else(|| panic!("pgbench told no figure: {text}"))
}

/// Postings per second through gRPC over TCP, and postings in a transaction on average.
async fn through_grpc() -> (f64, f64) {
    let database = TestDatabase::postgres().await;
    let config = Config { currencies: "FEE:10-1000:250".parse().unwrap(), ..Config::new(database.args().clone()) };
    let tokens: ServiceTokens = "match-svc=m,gateway=g".parse().unwrap();
    let context = Context { known: tokens.into(), ..Context::new() };
    let listener = Listener::tcp("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let running = farside_ledger::start(config, context.clone(), listener).await.unwrap();
    let endpoint = Endpoint::url(&format!("http://{}", running.local_addr.unwrap())).unwrap();
    let client =
        |token: &str| LedgerServiceClient::new(channel(&endpoint, Some(&Secret::new(token)), Duration::from_secs(30)));
    grant_all(client("g")).await;
    let (done, is_over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let client = client("m");
    let callers: Vec<_> = (0..CALLERS)
        .map(|caller| {
            let (client, done, is_over) = (client.clone(), Arc::clone(&done), Arc::clone(&is_over));
            tokio::spawn(async move { play(client, caller, &done, &is_over).await })
        })
        .collect();
    tokio::time::sleep(WARM_UP).await;
    let (before, watch) = (done.load(Ordering::Relaxed), Stopwatch::start());
    let commits_before = commits(&context);
    tokio::time::sleep(MEASURED).await;
    let postings = (done.load(Ordering::Relaxed) - before) as f64;
    let rate = postings / watch.elapsed().as_secs_f64();
    let batch = postings / (commits(&context) - commits_before);
    is_over.store(true, Ordering::Relaxed);
    for caller in callers {
        caller.await.unwrap();
    }
    let mut auditor = LedgerServiceClient::new(channel(&endpoint, Some(&Secret::new("g")), Duration::from_secs(60)));
    let audit = auditor.run_audit(wire::RunAuditRequest {}).await.unwrap().into_inner().audit.unwrap();
    assert!(audit.ok, "{:?}", audit.violations);
    context.shutdown.trigger();
    context.tasks.drain(Duration::from_secs(20)).await;
    (rate, batch)
}

fn commits(context: &Context) -> f64 {
    let text = context.metrics.encode();
    text.lines().find_map(|line| line.strip_prefix("farside_ledger_batch_postings_count ")?.parse().ok()).unwrap()
}

async fn grant_all(mut client: Client) {
    for owner in 1..=OWNERS {
        let request = wire::GrantRequest {
            request_id: format!("grant:{owner}"),
            account_id: format!("owner{owner}"),
            currency: "FEE".to_owned(),
            amount_points: 1_000_000_000,
            memo: "sign-up".to_owned(),
            reason: String::new(),
        };
        client.grant(request).await.unwrap();
    }
}

/// One caller: set after set, the next posting when the one before is answered.
async fn play(mut client: Client, caller: u64, done: &AtomicU64, is_over: &AtomicBool) {
    for round in 0.. {
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        let set = format!("set_{caller}_{round}");
        let first = (caller * 7_919 + round * 104_729) % OWNERS;
        let owners = [first + 1, (first + 1 + (caller + round) % (OWNERS - 1)) % OWNERS + 1];
        let holds = [format!("{set}:creator"), format!("{set}:acceptor")];
        for (key, owner) in holds.iter().zip(owners) {
            client.hold(hold(key, owner)).await.unwrap();
            done.fetch_add(1, Ordering::Relaxed);
        }
        let [winner_hold_id, loser_hold_id] = holds;
        let request_id = format!("{set}:settle");
        client.settle(wire::SettleRequest { request_id, set_id: set, winner_hold_id, loser_hold_id }).await.unwrap();
        done.fetch_add(1, Ordering::Relaxed);
    }
}

fn hold(key: &str, owner: u64) -> wire::HoldRequest {
    wire::HoldRequest {
        request_id: key.to_owned(),
        account_id: format!("owner{owner}"),
        currency: "FEE".to_owned(),
        amount_points: 100,
        max_stake_points: 500,
        subject: "chal_01J0000000000000000000000".to_owned(),
        participant_id: format!("bot_of_{owner}"),
    }
}
