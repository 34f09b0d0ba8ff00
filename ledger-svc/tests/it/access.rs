//! Who may call what, over TCP with a token for each service.
//!
//! Not here: how tokens are compared; the kit tests that.

use std::time::Duration;

use farside_kit::Context;
use farside_kit::config::{Secret, ServiceTokens};
use farside_kit::fault::{Kind, Remote};
use farside_kit::grpc::{Endpoint, Listener, channel};
use farside_kit::testing::TestDatabase;
use farside_proto::ledger::v1 as wire;
use farside_proto::ledger::v1::ledger_service_client::LedgerServiceClient;

use crate::harness::{Client, config, grant, hold, refund, release, settle, split};

const ADDRESS: &str = "127.0.0.1:0";

async fn client_of(caller: &str, address: &str) -> Client {
    let endpoint = Endpoint::url(&format!("http://{address}")).unwrap();
    let token = Secret::new(format!("token-of-{caller}"));
    LedgerServiceClient::new(channel(&endpoint, Some(&token), Duration::from_secs(10)))
}

fn denied<T>(answer: Result<tonic::Response<T>, tonic::Status>) -> bool {
    answer.is_err_and(|status| Remote::from(status).kind == Kind::PermissionDenied)
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_match_service_moves_stakes() {
    let database = TestDatabase::sqlite();
    let tokens = ["match-svc", "gateway", "rating-svc"].map(|caller| format!("{caller}=token-of-{caller}")).join(",");
    let known = tokens.parse::<ServiceTokens>().unwrap().into();
    let context = Context { known, ..Context::new() };
    let listener = Listener::tcp(ADDRESS.parse().unwrap()).await.unwrap();
    let running = farside_ledger::start(config(&database), context, listener).await.unwrap();
    let address = running.local_addr.unwrap().to_string();

    let mut gateway = client_of("gateway", &address).await;
    gateway.grant(grant("g", "ann", "PTS", 100)).await.unwrap();
    gateway.get_balance(wire::GetBalanceRequest { account_id: "ann".to_owned() }).await.unwrap();
    gateway.get_audit(wire::GetAuditRequest {}).await.unwrap();
    assert!(denied(gateway.hold(hold("h", "ann", "PTS", 10)).await));
    assert!(denied(gateway.release(release("r", "h")).await));
    assert!(denied(gateway.settle(settle("set_1", "a", "b")).await));
    assert!(denied(gateway.split(split("set_1", &["a", "b"])).await));
    assert!(denied(gateway.refund(refund("set_1", &["a", "b"])).await));
    assert!(denied(gateway.post(wire::PostRequest::default()).await));

    let mut matches = client_of("match-svc", &address).await;
    matches.hold(hold("h", "ann", "PTS", 10)).await.unwrap();
    matches.release(release("r", "h")).await.unwrap();
    assert!(denied(matches.grant(grant("g2", "ann", "PTS", 100)).await), "match-svc makes no points");
    assert!(denied(client_of("rating-svc", &address).await.hold(hold("h2", "ann", "PTS", 10)).await));
    let unknown = client_of("nobody", &address).await.hold(hold("h2", "ann", "PTS", 10)).await.unwrap_err();
    assert_eq!(Remote::from(unknown).kind, Kind::Unauthenticated);
}
