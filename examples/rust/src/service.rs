//! An internal service that calls the gRPC contracts with a token of its own: a report of what is played and who leads.
//!
//! A service token says which service calls; what a caller may do is decided by each service. What the public may read as
//! well (games, sets, records, ratings, tables) needs no more than being known. Players and bots have no business here:
//! they use the public API.

#![allow(clippy::print_stdout, reason = "the report goes to standard output")]

use std::time::Duration;

use anyhow::{Context as _, Result};
use farside_proto::{
    matches::v1::{ListSetsRequest, SetStatus, match_service_client::MatchServiceClient},
    rating::v1::{ListLeaderboardRequest, rating_service_client::RatingServiceClient},
    rules::v1::{ListGamesRequest, rules_service_client::RulesServiceClient},
};
use tonic::{
    Request, Status,
    metadata::{Ascii, MetadataValue},
    service::Interceptor,
    transport::{Channel, Endpoint},
};

/// How long a call may take; it travels with the call, so that a service stops working on what nobody waits for.
const DEADLINE: Duration = Duration::from_secs(5);
/// Rows of a table, and running sets, in the report.
const ROWS: u32 = 3;

/// Adds the token and the deadline to every call.
#[derive(Clone)]
struct Credentials {
    token: MetadataValue<Ascii>,
}

impl Interceptor for Credentials {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request.metadata_mut().insert("authorization", self.token.clone());
        request.set_timeout(DEADLINE);
        Ok(request)
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let credentials = Credentials { token: format!("Bearer {}", setting("FARSIDE_SERVICE_TOKEN")?).parse()? };
    let channel = |variable| anyhow::Ok(channel(&setting(variable)?)?);
    let mut rules = RulesServiceClient::with_interceptor(channel("FARSIDE_RULES_URL")?, credentials.clone());
    let mut matches = MatchServiceClient::with_interceptor(channel("FARSIDE_MATCH_URL")?, credentials.clone());
    let mut rating = RatingServiceClient::with_interceptor(channel("FARSIDE_RATING_URL")?, credentials);

    for game in rules.list_games(ListGamesRequest {}).await?.into_inner().games {
        println!("{}", game.name);
        let running = ListSetsRequest {
            game: game.id.clone(),
            status: SetStatus::Active.into(),
            limit: ROWS,
            ..ListSetsRequest::default()
        };
        for set in matches.list_sets(running).await?.into_inner().sets {
            println!("  running  {}", set.id);
        }
        let table = ListLeaderboardRequest { game: game.id, limit: ROWS, cursor: String::new() };
        for row in rating.list_leaderboard(table).await?.into_inner().rows {
            let (who, standing) = (row.participant.unwrap_or_default(), row.standing.unwrap_or_default());
            println!("  {:>7}  {} {:.0}", row.rank, who.name, standing.rating);
        }
    }
    Ok(())
}

/// A connection that is made with the first call and made again when it is lost.
fn channel(url: &str) -> Result<Channel, tonic::transport::Error> {
    Ok(Endpoint::from_shared(url.to_owned())?.connect_lazy())
}

fn setting(variable: &'static str) -> Result<String> {
    std::env::var(variable).with_context(|| format!("{variable} is not set"))
}
