//! The way to the services: addresses where they run apart, sockets in the data folder where they are one process.
//!
//! Not here: what is asked of them.

use std::{path::PathBuf, time::Duration};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use farside_kit::{
    Sockets,
    config::{ConfigFault, LedgerUpstream, MatchUpstream, RatingUpstream, Secret, TlsArgs, Validate},
    fault::Remote,
    grpc::{Endpoint, RetryPolicy, Traced, channel, retry},
    ids::{IdSource as _, SystemIds, new_ulid},
    time::{Clock as _, SystemClock},
};
use farside_proto::{
    ledger::v1::ledger_service_client::LedgerServiceClient, matches::v1::match_service_client::MatchServiceClient,
    rating::v1::rating_service_client::RatingServiceClient,
};

use crate::platform::operator_folder;

/// How long one call may take; a rebuild of many games takes its time.
const CALL_TIMEOUT: Duration = Duration::from_secs(3_600);
/// How long a service that does not answer is asked again. Every operation may arrive twice.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where the services are, and who asks.
#[derive(Debug, Clone, Args)]
pub(super) struct Reach {
    /// The operator's key; better given as the variable than as the flag, which others on the machine can see
    #[arg(long, env = "FARSIDE_OPERATOR_KEY", hide_env_values = true)]
    operator_key: Option<Secret>,
    /// Data folder of a platform that runs in one process; used when no service's address is given
    #[arg(long, env = "FARSIDE_DATA", default_value = "./data")]
    data: PathBuf,
    #[command(flatten)]
    ledger: LedgerUpstream,
    #[command(flatten)]
    matches: MatchUpstream,
    #[command(flatten)]
    rating: RatingUpstream,
    #[command(flatten)]
    tls: TlsArgs,
}

impl Validate for Reach {
    fn validate(&self) -> Result<(), ConfigFault> {
        self.tls.validate()
    }
}

impl Reach {
    pub(super) fn ledger(&self) -> Result<LedgerServiceClient<Traced>> {
        Ok(LedgerServiceClient::new(self.channel(farside_ledger::NAME)?))
    }

    pub(super) fn matches(&self) -> Result<MatchServiceClient<Traced>> {
        Ok(MatchServiceClient::new(self.channel(farside_match::NAME)?))
    }

    pub(super) fn rating(&self) -> Result<RatingServiceClient<Traced>> {
        Ok(RatingServiceClient::new(self.channel(farside_rating::NAME)?))
    }

    /// The way to a service with operations, by its name.
    pub(super) fn channel(&self, service: &str) -> Result<Traced> {
        let endpoint = if self.is_apart() { self.address(service)? } else { self.socket(service)? };
        Ok(channel(&endpoint, self.operator_key.as_ref(), CALL_TIMEOUT))
    }

    fn is_apart(&self) -> bool {
        [&self.ledger.ledger_url, &self.matches.match_url, &self.rating.rating_url].iter().any(|url| url.is_some())
    }

    fn address(&self, service: &str) -> Result<Endpoint> {
        let url = match service {
            farside_ledger::NAME => &self.ledger.ledger_url,
            farside_match::NAME => &self.matches.match_url,
            _ => &self.rating.rating_url,
        };
        let url = url.as_deref().with_context(|| format!("the address of {service} is needed, too"))?;
        let endpoint = match self.tls.load()? {
            Some(tls) => Endpoint::secured_url(url, &tls),
            None => Endpoint::url(url),
        };
        Ok(endpoint?)
    }

    fn socket(&self, service: &str) -> Result<Endpoint> {
        let path = Sockets::path(&operator_folder(&self.data), service);
        if !path.exists() {
            bail!(
                "no platform with operators runs on {}: start it with FARSIDE_OPERATOR_KEYS, or name the services' addresses",
                self.data.display()
            );
        }
        Ok(Endpoint::socket(&path))
    }
}

/// Makes a call, and again while the service cannot be reached.
pub(super) async fn call<T, F, Fut>(make: F) -> Result<T>
where
    F: Fn() -> Fut,
    Fut: Future<Output = Result<tonic::Response<T>, tonic::Status>>,
{
    retry(RetryPolicy::within(PATIENCE), make).await.map_err(|remote: Remote| anyhow::Error::new(remote))
}

/// Why an operation is asked for, and the key that it is asked for with.
#[derive(Debug, Clone, Args)]
pub(super) struct Because {
    /// Why; it stands in the log of operations
    #[arg(long)]
    pub(super) reason: String,
    /// Idempotency key: give that of an operation whose answer was lost to send it again
    #[arg(long)]
    request_id: Option<String>,
}

impl Because {
    /// The key, made when none was given.
    pub(super) fn request_id(&self) -> String {
        let made = || format!("op_{}", new_ulid(SystemClock::default().now(), SystemIds.random_u128()));
        self.request_id.clone().unwrap_or_else(made)
    }
}
