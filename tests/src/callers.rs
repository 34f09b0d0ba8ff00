//! The gateway's part in front of the services: calls with its token, sent to any replica of match-svc, and sent
//! again, to any, when no answer came. It judges no answer.

use std::time::Duration;

use farside_kit::{
    config::Secret,
    fault::{Kind, Remote},
    grpc::{Endpoint, Traced, channel},
};
use farside_proto::{
    ledger::v1::ledger_service_client::LedgerServiceClient, matches::v1::match_service_client::MatchServiceClient,
    rating::v1::rating_service_client::RatingServiceClient,
};
use tonic::{Response, Status};

use crate::{apart::Apart, dice::Dice};

/// After so long without an answer it is asked again.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// A client of one replica.
pub type MatchClient = MatchServiceClient<Traced>;

/// Clients of every replica of match-svc and of the services beside it.
#[derive(Clone, Debug)]
pub struct Callers {
    /// One for each replica.
    pub matches: Vec<MatchClient>,
    /// The ledger.
    pub ledger: LedgerServiceClient<Traced>,
    /// The ratings.
    pub rating: RatingServiceClient<Traced>,
}

impl Callers {
    /// Clients with the gateway's token; nothing is connected before the first call.
    #[must_use]
    pub fn new(matches: &[String], platform: &Apart) -> Self {
        let token = Secret::new(platform.gateway.setting("FARSIDE_SERVICE_TOKEN"));
        let to = |url: &str| channel(&Endpoint::url(url).expect("an address"), Some(&token), ANSWER_WITHIN);
        Self {
            matches: matches.iter().map(|url| MatchServiceClient::new(to(url))).collect(),
            ledger: LedgerServiceClient::new(to(platform.gateway.setting("FARSIDE_LEDGER_URL"))),
            rating: RatingServiceClient::new(to(platform.gateway.setting("FARSIDE_RATING_URL"))),
        }
    }

    /// Any replica.
    pub fn any(&self, dice: &mut Dice) -> MatchClient {
        self.matches[dice.below(self.matches.len())].clone()
    }

    /// Asks one replica after the other until one has decided, or `patience` is over.
    ///
    /// # Errors
    ///
    /// What was decided against, or the last reason why there is no answer.
    pub async fn ask<T, F, Fut>(&self, dice: &mut Dice, patience: Duration, call: F) -> Result<T, Remote>
    where
        F: Fn(MatchClient) -> Fut,
        Fut: Future<Output = Result<Response<T>, Status>>,
    {
        let end = tokio::time::Instant::now() + patience;
        loop {
            let fault = match call(self.any(dice)).await {
                Ok(answer) => return Ok(answer.into_inner()),
                Err(status) => Remote::from(status),
            };
            if !is_unanswered(&fault) || tokio::time::Instant::now() >= end {
                return Err(fault);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Whether nothing was decided, so that the very same call is to be sent again.
#[must_use]
pub fn is_unanswered(fault: &Remote) -> bool {
    matches!(fault.kind, Kind::Unavailable | Kind::DeadlineExceeded)
}
