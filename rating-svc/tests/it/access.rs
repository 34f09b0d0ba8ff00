//! Who may call what over TCP.

use std::time::Duration;

use farside_kit::Context;
use farside_kit::config::Secret;
use farside_kit::fault::Remote;
use farside_kit::grpc::{Endpoint, Known, Listener, channel};
use farside_kit::ids::SystemIds;
use farside_kit::operator::mint_key;
use farside_kit::testing::TestDatabase;
use farside_proto::rating::v1 as pb;
use farside_proto::rating::v1::rating_service_client::RatingServiceClient;
use farside_rating::Config;

use crate::service::{bot, won};

#[tokio::test]
async fn only_match_svc_records_and_only_an_operator_rebuilds() {
    let database = TestDatabase::sqlite();
    let tokens = "match-svc=one,gateway=two".parse().unwrap();
    let (operator, entry) = mint_key("ann", &SystemIds).unwrap();
    let known = Known { tokens, operators: entry.parse().unwrap() };
    let context = Context { known, ..Context::new() };
    let listener = Listener::tcp("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let running = farside_rating::start(Config::new(database.args().clone()), context.clone(), listener).await.unwrap();
    let endpoint = Endpoint::url(&format!("http://{}", running.local_addr.unwrap())).unwrap();
    let as_caller =
        |token: &str| RatingServiceClient::new(channel(&endpoint, Some(&Secret::new(token)), Duration::from_secs(30)));
    let callers = [("one", true, false), ("two", false, false), (operator.reveal(), false, true)];
    for (token, may_record, may_rebuild) in callers {
        let recorded = as_caller(token).record_set(won(1, &bot("A"), &bot("B"), 1)).await;
        assert_eq!(recorded.map_err(|status| Remote::from(status).reason).err(), refusal(may_record), "{token}");
        let rebuilt = as_caller(token)
            .rebuild(pb::RebuildRequest { request_id: "r".to_owned(), reason: "a test".to_owned() })
            .await;
        assert_eq!(rebuilt.map_err(|status| Remote::from(status).reason).err(), refusal(may_rebuild), "{token}");
        let read = as_caller(token).get_standings(pb::GetStandingsRequest { participant_id: "bot_A".to_owned() }).await;
        assert!(read.is_ok());
    }
    context.shutdown.trigger();
}

fn refusal(may: bool) -> Option<String> {
    (!may).then(|| "SERVICE_NOT_ALLOWED".to_owned())
}
