//! Who may call what between services that run apart: a token alone opens nothing that no list names.
//!
//! That a named caller may call what it needs is shown by everything else that is played here.

use std::{collections::BTreeSet, fs, path::Path};

use bytes::Buf as _;
use farside_kit::{
    config::Secret,
    fault::Remote,
    grpc::{Endpoint, channel},
};
use farside_tests::{apart::Apart, wait};
use http::uri::PathAndQuery;
use tonic::{
    Request, Status,
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
};

/// A service that is known, and that no list names.
const TOKENS: &str = "match-svc=match-secret,gateway=gateway-secret,stranger=stranger-secret";

/// What every service may call: the public may read the same.
const FOR_EVERY_SERVICE: [&str; 8] = [
    "/farside.match.v1.MatchService/GetRecord",
    "/farside.match.v1.MatchService/ListKeys",
    "/farside.match.v1.MatchService/ListSets",
    "/farside.rating.v1.RatingService/GetStandings",
    "/farside.rating.v1.RatingService/ListHistory",
    "/farside.rating.v1.RatingService/ListLeaderboard",
    "/farside.rules.v1.RulesService/GetGame",
    "/farside.rules.v1.RulesService/ListGames",
];

/// Messages without fields, whatever the method calls them.
#[derive(Clone, Copy, Debug)]
struct Empty;

impl Codec for Empty {
    type Encode = ();
    type Decode = ();
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Empty {
    type Item = ();
    type Error = Status;

    fn encode(&mut self, (): (), _: &mut EncodeBuf<'_>) -> Result<(), Status> {
        Ok(())
    }
}

impl Decoder for Empty {
    type Item = ();
    type Error = Status;

    fn decode(&mut self, message: &mut DecodeBuf<'_>) -> Result<Option<()>, Status> {
        message.advance(message.remaining());
        Ok(Some(()))
    }
}

/// The path of every method of a contract.
fn methods(contract: &str) -> Vec<String> {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../proto/proto/farside/{contract}/v1/{contract}.proto"));
    let text = fs::read_to_string(file).unwrap();
    let word = |before: &str| {
        let found = text.lines().find_map(|line| line.strip_prefix(before));
        found.unwrap().trim_end_matches([';', '{', ' ']).to_owned()
    };
    let service = format!("/{}.{}", word("package "), word("service "));
    let names = text.lines().filter_map(|line| line.trim().strip_prefix("rpc ")?.split('(').next());
    names.map(|name| format!("{service}/{name}")).collect()
}

/// Calls a method with an empty message, and says why that was refused.
async fn refusal(endpoint: &Endpoint, token: &str, path: &str) -> Option<String> {
    let mut client = tonic::client::Grpc::new(channel(endpoint, Some(&Secret::new(token)), wait::LIMIT));
    client.ready().await.unwrap();
    let path = PathAndQuery::try_from(path).unwrap();
    let answer = client.unary(Request::new(()), path, Empty).await;
    answer.err().map(|status| Remote::from(status).reason)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_no_list_names_calls_nothing_but_what_is_public() {
    let contracts = ["rules", "match", "ledger", "rating", "operator"];
    let every: Vec<String> = contracts.into_iter().flat_map(methods).collect();
    assert!(every.len() > 50, "the contracts are not where they were: {every:?}");
    let mut platform = Apart::prepare().await;
    platform.set("FARSIDE_SERVICE_TOKENS", TOKENS);
    platform.start_all().await;
    for (program, contract) in [
        (&platform.rules, "rules"),
        (&platform.matches, "match"),
        (&platform.ledger, "ledger"),
        (&platform.rating, "rating"),
    ] {
        let (endpoint, own) = (Endpoint::url(&program.url()).unwrap(), methods(contract));
        let mut open = BTreeSet::new();
        for path in &every {
            if refusal(&endpoint, "stranger-secret", path).await.as_deref() != Some("SERVICE_NOT_ALLOWED") {
                open.insert(path.as_str());
            }
            if !own.contains(path) {
                let refused = refusal(&endpoint, "gateway-secret", path).await;
                assert_eq!(refused.as_deref(), Some("SERVICE_NOT_ALLOWED"), "{path} at {contract}");
            }
        }
        let expected = FOR_EVERY_SERVICE.into_iter().filter(|path| own.iter().any(|mine| mine == path));
        assert_eq!(open, expected.collect::<BTreeSet<_>>(), "at {contract}");
    }
}
