//! A running ledger for a test, on a database of its own, and short ways to call it.
//!
//! Not here: expectations.

use std::sync::Arc;
use std::time::Duration;

use farside_kit::Context;
use farside_kit::fault::Remote;
use farside_kit::grpc::{Endpoint, Traced, channel};
use farside_kit::testing::TestDatabase;
use farside_ledger::Config;
use farside_proto::ledger::v1 as wire;
use farside_proto::ledger::v1::ledger_service_client::LedgerServiceClient;

/// Declares a test that runs on both databases: `async fn name(database: TestDatabase)`.
macro_rules! on_both {
    ($($name:ident),+ $(,)?) => {
        $(mod $name {
            use farside_kit::testing::TestDatabase;

            #[tokio::test(flavor = "multi_thread")]
            async fn on_sqlite() {
                super::$name(TestDatabase::sqlite()).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn on_postgres() {
                super::$name(TestDatabase::postgres().await).await;
            }
        })+
    };
}
pub(crate) use on_both;

pub(crate) type Client = LedgerServiceClient<Traced>;

/// A running ledger.
pub(crate) struct Ledger {
    pub(crate) client: Client,
    pub(crate) context: Context,
    pub(crate) database: Arc<TestDatabase>,
}

/// The currencies of the tests: one without a fee, one with 250 basis points.
pub(crate) const CURRENCIES: &str = "PTS:10-1000:0,FEE:10-1000:250";

pub(crate) fn config(database: &TestDatabase) -> Config {
    Config { currencies: CURRENCIES.parse().unwrap(), ..Config::new(database.args().clone()) }
}

pub(crate) async fn start(database: TestDatabase) -> Ledger {
    let config = config(&database);
    start_with(config, Arc::new(database)).await
}

pub(crate) async fn start_with(config: Config, database: Arc<TestDatabase>) -> Ledger {
    let context = Context::in_process();
    let hub = context.hub.clone().unwrap();
    let listener = hub.listen(farside_ledger::NAME);
    farside_ledger::start(config, context.clone(), listener).await.unwrap();
    let endpoint = Endpoint::memory(&hub, farside_ledger::NAME);
    let client = LedgerServiceClient::new(channel(&endpoint, None, Duration::from_secs(30)));
    Ledger { client, context, database }
}

impl Ledger {
    /// Ends this process's ledger, as a restart does, and hands back its database.
    pub(crate) async fn stop(self) -> Arc<TestDatabase> {
        self.context.shutdown.trigger();
        assert!(self.context.tasks.drain(Duration::from_secs(20)).await, "the ledger's tasks end");
        self.database
    }

    pub(crate) async fn grant(
        &self,
        key: &str,
        account: &str,
        currency: &str,
        points: i64,
    ) -> Result<wire::GrantResponse, Remote> {
        let response = self.client.clone().grant(grant(key, account, currency, points)).await;
        response.map(tonic::Response::into_inner).map_err(Remote::from)
    }

    pub(crate) async fn hold(
        &self,
        key: &str,
        account: &str,
        currency: &str,
        points: i64,
    ) -> Result<wire::HoldResponse, Remote> {
        let response = self.client.clone().hold(hold(key, account, currency, points)).await;
        response.map(tonic::Response::into_inner).map_err(Remote::from)
    }

    pub(crate) async fn release(&self, key: &str, hold: &str) -> Result<wire::ReleaseResponse, Remote> {
        let response = self.client.clone().release(release(key, hold)).await;
        response.map(tonic::Response::into_inner).map_err(Remote::from)
    }

    pub(crate) async fn settle(&self, set: &str, winner: &str, loser: &str) -> Result<wire::SettleResponse, Remote> {
        let response = self.client.clone().settle(settle(set, winner, loser)).await;
        response.map(tonic::Response::into_inner).map_err(Remote::from)
    }

    pub(crate) async fn split(&self, set: &str, holds: &[&str]) -> Result<wire::SplitResponse, Remote> {
        let response = self.client.clone().split(split(set, holds)).await;
        response.map(tonic::Response::into_inner).map_err(Remote::from)
    }

    pub(crate) async fn refund(&self, set: &str, holds: &[&str]) -> Result<wire::RefundResponse, Remote> {
        let response = self.client.clone().refund(refund(set, holds)).await;
        response.map(tonic::Response::into_inner).map_err(Remote::from)
    }

    /// Posted and held points of an account.
    pub(crate) async fn balance(&self, account: &str, currency: &str) -> (i64, i64) {
        let request = wire::GetBalanceRequest { account_id: account.to_owned() };
        let balances = self.client.clone().get_balance(request).await.unwrap().into_inner().balances;
        let balance = balances.into_iter().find(|balance| balance.currency == currency).unwrap();
        assert_eq!(balance.available_points, balance.posted_points - balance.held_points);
        (balance.posted_points, balance.held_points)
    }

    pub(crate) async fn page(
        &self,
        account: &str,
        limit: u32,
        cursor: &str,
    ) -> Result<wire::ListEntriesResponse, Remote> {
        let request = wire::ListEntriesRequest { account_id: account.to_owned(), limit, cursor: cursor.to_owned() };
        self.client.clone().list_entries(request).await.map(tonic::Response::into_inner).map_err(Remote::from)
    }

    /// The whole statement, newest first.
    pub(crate) async fn statement(&self, account: &str) -> Vec<wire::Entry> {
        let (mut entries, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = self.page(account, 7, &cursor).await.unwrap();
            entries.extend(page.entries);
            cursor = page.next_cursor;
            if cursor.is_empty() {
                return entries;
            }
        }
    }

    pub(crate) async fn audit(&self) -> wire::Audit {
        let response = self.client.clone().run_audit(wire::RunAuditRequest {}).await.unwrap();
        response.into_inner().audit.unwrap()
    }
}

pub(crate) fn grant(key: &str, account: &str, currency: &str, points: i64) -> wire::GrantRequest {
    wire::GrantRequest {
        request_id: key.to_owned(),
        account_id: account.to_owned(),
        currency: currency.to_owned(),
        amount_points: points,
        memo: "sign-up".to_owned(),
        reason: String::new(),
    }
}

pub(crate) fn hold(key: &str, account: &str, currency: &str, points: i64) -> wire::HoldRequest {
    wire::HoldRequest {
        request_id: key.to_owned(),
        account_id: account.to_owned(),
        currency: currency.to_owned(),
        amount_points: points,
        max_stake_points: 500,
        subject: "chal_1".to_owned(),
        participant_id: format!("bot_of_{account}"),
    }
}

pub(crate) fn release(key: &str, hold: &str) -> wire::ReleaseRequest {
    wire::ReleaseRequest { request_id: key.to_owned(), hold_id: hold.to_owned(), reason: String::new() }
}

pub(crate) fn settle(set: &str, winner: &str, loser: &str) -> wire::SettleRequest {
    wire::SettleRequest {
        request_id: format!("{set}:settle"),
        set_id: set.to_owned(),
        winner_hold_id: winner.to_owned(),
        loser_hold_id: loser.to_owned(),
    }
}

pub(crate) fn split(set: &str, holds: &[&str]) -> wire::SplitRequest {
    let hold_ids = holds.iter().map(ToString::to_string).collect();
    wire::SplitRequest { request_id: format!("{set}:split"), set_id: set.to_owned(), hold_ids }
}

pub(crate) fn refund(set: &str, holds: &[&str]) -> wire::RefundRequest {
    let hold_ids = holds.iter().map(ToString::to_string).collect();
    wire::RefundRequest { request_id: format!("{set}:refund"), set_id: set.to_owned(), hold_ids }
}

/// A connection past the ledger, for what no caller can do.
pub(crate) async fn raw(database: &TestDatabase) -> sea_orm::DatabaseConnection {
    let url = database.args().database_url.reveal();
    let mut options = sea_orm::ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    options.map_sqlx_postgres_opts(|postgres| postgres.options([("search_path", "ledger")]));
    options.map_sqlx_sqlite_opts(|sqlite| sqlite.foreign_keys(true).busy_timeout(Duration::from_secs(10)));
    sea_orm::Database::connect(options).await.unwrap()
}
