//! The calling side: trace context, token and deadline on every call, and retries that are safe.
//!
//! Not here: typed clients; each service has its own under `upstream/`, built on [`Traced`].

use std::future::Future;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::TryFutureExt as _;
use futures::future::{BoxFuture, Either, MapErr};
use http::header::AUTHORIZATION;
use http::{HeaderName, HeaderValue, Request, Response};
use tonic::body::Body;
use tonic::transport::Channel;
use tonic::transport::channel::ResponseFuture;
use tower::{BoxError, Service};

use super::balance::Replicas;
use super::transport::Endpoint;
use crate::config::Secret;
use crate::fault::Remote;
use crate::telemetry;

const GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");

/// A channel that adds trace context, token and deadline to every call; clones share the connection. Generated clients
/// are built from it.
#[derive(Clone, Debug)]
pub struct Traced {
    way: Way,
    authorization: Option<HeaderValue>,
    timeout: HeaderValue,
}

#[derive(Clone, Debug)]
enum Way {
    /// One of the replicas, or all of them in turn.
    Channel(Channel, Replicas),
    /// A service in this process, called without a connection.
    #[cfg(feature = "testing")]
    Direct(Direct),
}

/// A service that is called without a connection.
#[cfg(feature = "testing")]
pub type Direct = tower::util::BoxCloneSyncService<Request<Body>, Response<Body>, BoxError>;

/// An answer under way.
type Answering = BoxFuture<'static, Result<Response<Body>, BoxError>>;

/// A channel to `endpoint` whose calls carry `token` and end after `timeout`, unless they bring a deadline of their own.
/// The deadline is for the beginning of the answer: a stream may go on longer. Needs a running tokio runtime.
#[must_use]
pub fn channel(endpoint: &Endpoint, token: Option<&Secret>, timeout: Duration) -> Traced {
    let replicas = endpoint.replicas();
    let way = Way::Channel(replicas.any(), replicas);
    Traced { way, authorization: token.and_then(bearer), timeout: timeout_value(timeout) }
}

/// As [`channel`], to a service in this process and without a connection. Nobody watches the deadline: `service` may.
#[cfg(feature = "testing")]
#[must_use]
pub fn direct(service: Direct, timeout: Duration) -> Traced {
    Traced { way: Way::Direct(service), authorization: None, timeout: timeout_value(timeout) }
}

impl Traced {
    /// The same, to the replica that every caller prefers for calls about `key`, whose cache then knows it. It may be
    /// gone: a call that is not answered there is to be sent again to any.
    #[must_use]
    pub fn toward(&self, key: &str) -> Self {
        let way = match &self.way {
            Way::Channel(_, replicas) => Way::Channel(replicas.preferred(key), replicas.clone()),
            #[cfg(feature = "testing")]
            Way::Direct(service) => Way::Direct(service.clone()),
        };
        Self { way, ..self.clone() }
    }
}

fn bearer(token: &Secret) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", token.reveal())).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// gRPC spells at most eight digits and a unit; a day of milliseconds has eight.
fn timeout_value(timeout: Duration) -> HeaderValue {
    let ms = timeout.as_millis().clamp(1, 86_400_000);
    HeaderValue::try_from(format!("{ms}m")).expect("digits and a letter are a header's value")
}

impl Service<Request<Body>> for Traced {
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = Either<MapErr<ResponseFuture, fn(tonic::transport::Error) -> BoxError>, Answering>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        match &mut self.way {
            Way::Channel(channel, _) => channel.poll_ready(cx).map_err(boxed),
            #[cfg(feature = "testing")]
            Way::Direct(service) => service.poll_ready(cx),
        }
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let headers = request.headers_mut();
        telemetry::inject_headers(headers);
        if let Some(authorization) = &self.authorization {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
        headers.entry(GRPC_TIMEOUT).or_insert_with(|| self.timeout.clone());
        match &mut self.way {
            Way::Channel(channel, _) => {
                Either::Left(channel.call(request).map_err(boxed as fn(tonic::transport::Error) -> BoxError))
            }
            #[cfg(feature = "testing")]
            Way::Direct(service) => Either::Right(service.call(request)),
        }
    }
}

fn boxed(error: tonic::transport::Error) -> BoxError {
    error.into()
}

/// How often and for how long a call is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The pause before the second attempt; each further one is twice as long.
    pub first_pause: Duration,
    /// The longest pause.
    pub last_pause: Duration,
    /// No attempt begins after this much time since the first.
    pub deadline: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            first_pause: Duration::from_millis(20),
            last_pause: Duration::from_secs(1),
            deadline: Duration::from_secs(5),
        }
    }
}

impl RetryPolicy {
    /// The usual pauses within this time.
    #[must_use]
    pub fn within(deadline: Duration) -> Self {
        Self { deadline, ..Self::default() }
    }
}

/// Makes a call, and again as long as it is answered UNAVAILABLE and the policy leaves time. Only for calls that may
/// arrive twice.
///
/// # Errors
///
/// The last answer, when no attempt succeeded.
pub async fn retry<T, F, Fut>(policy: RetryPolicy, call: F) -> Result<T, Remote>
where
    F: Fn() -> Fut,
    Fut: Future<Output = Result<tonic::Response<T>, tonic::Status>>,
{
    retry_over(policy, &(), &(), |()| call()).await
}

/// As [`retry`], with the way that each attempt takes: `first` for the first, `then` for every other.
///
/// # Errors
///
/// The last answer, when no attempt succeeded.
pub async fn retry_over<C, T, F, Fut>(policy: RetryPolicy, first: &C, then: &C, call: F) -> Result<T, Remote>
where
    C: Clone,
    F: Fn(C) -> Fut,
    Fut: Future<Output = Result<tonic::Response<T>, tonic::Status>>,
{
    let mut way = first;
    let end = tokio::time::Instant::now() + policy.deadline;
    let mut pause = policy.first_pause;
    loop {
        let fault = match call(way.clone()).await {
            Ok(response) => return Ok(response.into_inner()),
            Err(status) => Remote::from(status),
        };
        way = then;
        if !fault.is_retryable() || tokio::time::Instant::now() + pause >= end {
            return Err(fault);
        }
        tracing::debug!(reason = fault.reason, pause_ms = pause.as_millis(), "call is sent again");
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(policy.last_pause);
    }
}
