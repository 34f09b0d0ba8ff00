//! A bank under stress: 64 callers at once, answers that are lost, a ledger that is killed, and every posting retried
//! until it is answered. Nothing may be lost, nothing done twice.
//!
//! Not here: rules; each answer is taken as it comes and only the sums must be right.

use std::net::TcpListener;
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::Duration;

use farside_kit::config::Secret;
use farside_kit::fault::{Kind, Remote};
use farside_kit::grpc::{Endpoint, channel};
use farside_kit::ids::{IdSource as _, SeededIds};
use farside_kit::testing::TestDatabase;
use farside_proto::ledger::v1 as wire;
use farside_proto::ledger::v1::ledger_service_client::LedgerServiceClient;
use tokio::sync::Semaphore;

use crate::harness::{self, Client, on_both};

const CALLERS: usize = 64;
const SETS_EACH: usize = 8;
const KILLS: usize = 4;
const OWNERS: usize = 12;
const SEED: u64 = 0xba9c_0001;

on_both!(nothing_is_lost_or_done_twice_when_the_ledger_is_killed);

/// A ledger in a process of its own, that can be killed.
struct Process {
    child: Child,
    address: String,
    database_url: String,
}

impl Process {
    fn start(database: &TestDatabase) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let address = format!("127.0.0.1:{port}");
        let database_url = database.args().database_url.reveal().to_owned();
        Self { child: spawn(&address, &database_url), address, database_url }
    }

    /// As `kill -9` and a start by whoever watches over it.
    fn kill_and_restart(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.child = spawn(&self.address, &self.database_url);
    }

    fn client(&self, caller: &str) -> Client {
        let endpoint = Endpoint::url(&format!("http://{}", self.address)).unwrap();
        LedgerServiceClient::new(channel(&endpoint, Some(&Secret::new(caller)), Duration::from_secs(20)))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself, and the test says why.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(address: &str, database_url: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_ledger-svc"))
        .env("FARSIDE_LISTEN", address)
        .env("FARSIDE_ADMIN_LISTEN", "127.0.0.1:0")
        .env("FARSIDE_DATABASE_URL", database_url)
        .env("FARSIDE_CURRENCIES", harness::CURRENCIES)
        .env("FARSIDE_SERVICE_TOKENS", "match-svc=match-svc,gateway=gateway")
        .env("FARSIDE_LOG_LEVEL", "warn")
        .env("FARSIDE_LEDGER_AUDIT_INTERVAL_MS", "200")
        .spawn()
        .unwrap()
}

/// One caller's luck and its way to the ledger.
struct Caller {
    client: Client,
    random: SeededIds,
}

impl Caller {
    fn below(&self, end: usize) -> usize {
        usize::try_from(self.random.random_u128() % u128::try_from(end).unwrap()).unwrap()
    }

    /// Sends a posting until it is answered. Now and then the caller does not wait for the answer.
    async fn sure<T, F>(&self, call: impl Fn(Client) -> F) -> Result<T, Remote>
    where
        F: Future<Output = Result<tonic::Response<T>, tonic::Status>>,
    {
        loop {
            let patience = if self.below(4) == 0 { Duration::from_millis(2) } else { Duration::from_secs(20) };
            let answer = tokio::time::timeout(patience, call(self.client.clone())).await;
            let Ok(answer) = answer else { continue };
            match answer.map(tonic::Response::into_inner).map_err(Remote::from) {
                Err(fault) if matches!(fault.kind, Kind::Unavailable | Kind::DeadlineExceeded) => {
                    assert_ne!(fault.reason, "AUDIT_VIOLATION");
                    // Nobody listens while the ledger starts again.
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                answer => return answer,
            }
        }
    }

    async fn hold(&self, key: &str, owner: usize) -> bool {
        let request = harness::hold(key, &format!("owner{owner}"), "FEE", 100);
        match self
            .sure(|mut client| {
                let request = request.clone();
                async move { client.hold(request).await }
            })
            .await
        {
            Ok(_) => true,
            Err(fault) => {
                assert_eq!(fault.reason, "INSUFFICIENT_BALANCE", "{fault}");
                false
            }
        }
    }

    /// Plays a set and tells what it changed: winner, loser, fee.
    async fn set(&self, name: &str) -> Option<(usize, usize, i64)> {
        let first = self.below(OWNERS);
        let second = (first + 1 + self.below(OWNERS - 1)) % OWNERS;
        let keys = [format!("{name}:a"), format!("{name}:b")];
        let held = [self.hold(&keys[0], first).await, self.hold(&keys[1], second).await];
        let end = self.below(4);
        if held != [true, true] || end == 0 {
            for key in &keys {
                let request = harness::release(&format!("{key}:release"), key);
                self.sure(|mut client| {
                    let request = request.clone();
                    async move { client.release(request).await }
                })
                .await
                .unwrap();
            }
            return None;
        }
        if end == 1 {
            let request = harness::split(name, &[&keys[0], &keys[1]]);
            self.sure(|mut client| {
                let request = request.clone();
                async move { client.split(request).await }
            })
            .await
            .unwrap();
            return None;
        }
        let request = harness::settle(name, &keys[0], &keys[1]);
        let settled = self
            .sure(|mut client| {
                let request = request.clone();
                async move { client.settle(request).await }
            })
            .await
            .unwrap();
        assert_eq!(settled.payout_points + settled.fee_points, 200);
        Some((first, second, settled.fee_points))
    }
}

async fn nothing_is_lost_or_done_twice_when_the_ledger_is_killed(database: TestDatabase) {
    let mut process = Process::start(&database);
    let gateway = Caller { client: process.client("gateway"), random: SeededIds::new(SEED) };
    for owner in 0..OWNERS {
        let request = harness::grant(&format!("sign-up:{owner}"), &format!("owner{owner}"), "FEE", 1_000);
        gateway
            .sure(|mut client| {
                let request = request.clone();
                async move { client.grant(request).await }
            })
            .await
            .unwrap();
    }
    let done = Arc::new(Semaphore::new(0));
    let client = process.client("match-svc");
    let callers: Vec<_> = (0..CALLERS)
        .map(|number| {
            let seed = SEED + u64::try_from(number).unwrap();
            let caller = Caller { client: client.clone(), random: SeededIds::new(seed) };
            let done = Arc::clone(&done);
            tokio::spawn(async move {
                let mut ends = Vec::new();
                for set in 0..SETS_EACH {
                    ends.extend(caller.set(&format!("set_{number}_{set}")).await);
                    done.add_permits(1);
                }
                ends
            })
        })
        .collect();
    let sets_between = u32::try_from(CALLERS * SETS_EACH / (KILLS + 2)).unwrap();
    for _ in 0..KILLS {
        done.acquire_many(sets_between).await.unwrap().forget();
        process.kill_and_restart();
    }
    let mut balances = [1_000_i64; OWNERS];
    let mut fees = 0;
    for caller in callers {
        for (winner, loser, fee) in caller.await.unwrap() {
            balances[winner] += 100 - fee;
            balances[loser] -= 100;
            fees += fee;
        }
    }
    check(&gateway, balances, fees).await;
}

async fn check(gateway: &Caller, balances: [i64; OWNERS], fees: i64) {
    for (owner, posted) in balances.into_iter().enumerate() {
        let request = wire::GetBalanceRequest { account_id: format!("owner{owner}") };
        let answer = gateway.sure(|mut client| {
            let request = request.clone();
            async move { client.get_balance(request).await }
        });
        let balance = answer.await.unwrap().balances.remove(0);
        assert_eq!((balance.posted_points, balance.held_points), (posted, 0), "owner {owner}, seed {SEED}");
    }
    let answer = gateway.sure(|mut client| async move { client.run_audit(wire::RunAuditRequest {}).await });
    let audit = answer.await.unwrap().audit.unwrap();
    assert!(audit.ok, "{:?}", audit.violations);
    assert_eq!((audit.totals[0].fees_points, audit.totals[0].open_holds), (fees, 0));
}
