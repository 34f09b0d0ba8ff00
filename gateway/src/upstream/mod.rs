//! Typed clients of the other services: a deadline on every call, and again only when a service does not answer.
//!
//! Every change carries a request id, so every call here may arrive twice. Not here: what an answer means for a client
//! of the public API.

pub mod carried;
mod ledger;
mod matches;
mod rating;
mod rules;

use std::time::Duration;

use farside_kit::config::Secret;
use farside_kit::grpc::{Endpoint, RetryPolicy, channel};

pub use ledger::Ledger;
pub use matches::Matches;
pub use rating::Rating;
pub use rules::Rules;

/// How long one attempt may take.
const CALL_TIMEOUT: Duration = Duration::from_secs(5);
/// No attempt begins later than this after the first.
const RETRY_WITHIN: Duration = Duration::from_millis(1_500);

/// Makes the methods of a client: each is one call, sent again when the service does not answer.
macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident($request:ty) -> $response:ty;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            ///
            /// What the service says; `UNAVAILABLE` when it does not answer.
            pub async fn $name(&self, request: $request) -> Result<$response, farside_kit::fault::Remote> {
                farside_kit::grpc::retry(super::policy(), || {
                    let (mut client, request) = (self.client.clone(), request.clone());
                    async move { client.$name(request).await }
                })
                .await
            }
        )*
    };
}
use calls;

fn policy() -> RetryPolicy {
    RetryPolicy::within(RETRY_WITHIN)
}

/// Where the other services are.
#[derive(Clone, Debug)]
pub struct Endpoints {
    /// match-svc.
    pub matches: Endpoint,
    /// ledger-svc.
    pub ledger: Endpoint,
    /// rating-svc.
    pub rating: Endpoint,
    /// rules-svc.
    pub rules: Endpoint,
}

/// All other services.
#[derive(Clone, Debug)]
pub struct Upstream {
    /// match-svc.
    pub matches: Matches,
    /// ledger-svc.
    pub ledger: Ledger,
    /// rating-svc.
    pub rating: Rating,
    /// rules-svc.
    pub rules: Rules,
}

impl Upstream {
    /// Clients that connect with their first call. Needs a running tokio runtime.
    #[must_use]
    pub fn connect(endpoints: &Endpoints, token: Option<&Secret>) -> Self {
        let traced = |endpoint| channel(endpoint, token, CALL_TIMEOUT);
        Self {
            matches: Matches::new(traced(&endpoints.matches)),
            ledger: Ledger::new(traced(&endpoints.ledger)),
            rating: Rating::new(traced(&endpoints.rating)),
            rules: Rules::new(traced(&endpoints.rules)),
        }
    }
}
