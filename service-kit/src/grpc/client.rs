//! The calling side: trace context, token and deadline on every call, and retries that are safe.
//!
//! Not here: typed clients; each service has its own under `upstream/`, built on [`Traced`].

use std::future::Future;
use std::task::{Context, Poll};
use std::time::Duration;

use http::header::AUTHORIZATION;
use http::{HeaderName, HeaderValue, Request, Response};
use tonic::body::Body;
use tonic::transport::Channel;
use tonic::transport::channel::ResponseFuture;
use tower::Service;

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
    channel: Channel,
    replicas: Replicas,
    authorization: Option<HeaderValue>,
    timeout: HeaderValue,
}

/// A channel to `endpoint` whose calls carry `token` and end after `timeout`, unless they bring a deadline of their own.
/// The deadline is for the beginning of the answer: a stream may go on longer. Needs a running tokio runtime.
#[must_use]
pub fn channel(endpoint: &Endpoint, token: Option<&Secret>, timeout: Duration) -> Traced {
    let replicas = endpoint.replicas();
    let (channel, authorization) = (replicas.any(), token.and_then(bearer));
    Traced { channel, replicas, authorization, timeout: timeout_value(timeout) }
}

impl Traced {
    /// The same, to the replica that every caller prefers for calls about `key`, whose cache then knows it. It may be
    /// gone: a call that is not answered there is to be sent again to any.
    #[must_use]
    pub fn toward(&self, key: &str) -> Self {
        Self { channel: self.replicas.preferred(key), ..self.clone() }
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
    type Error = tonic::transport::Error;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.channel.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let headers = request.headers_mut();
        telemetry::inject_headers(headers);
        if let Some(authorization) = &self.authorization {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
        headers.entry(GRPC_TIMEOUT).or_insert_with(|| self.timeout.clone());
        self.channel.call(request)
    }
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
