//! What happens before a handler: trace and metrics, load, key, limits; and after it: limit and security headers.
//!
//! Not here: what a handler does. All of it is one layer for axum, which keeps each layer of each route in a box of its
//! own and copies, for every request, the boxes with all that is inside.

use std::any::Any;
use std::net::{IpAddr, SocketAddr};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{ACCESS_CONTROL_REQUEST_METHOD, AUTHORIZATION, COOKIE, HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use farside_kit::telemetry;
use farside_kit::time::Stopwatch;
use futures::FutureExt as _;
use tokio::sync::OwnedSemaphorePermit;
use tracing::{Instrument, Span};

use crate::app::{App, SharedApp};
use crate::domain::account::Caller;
use crate::limits::{Quota, Verdict};
use crate::pages;
use crate::problem::{Code, Problem};

/// The cookie of a signed-in page: it holds a key.
pub const SESSION_COOKIE: &str = "farside_session";
/// Longest address of a request, in bytes.
const URI_BYTES: usize = 8 * 1024;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The other end of the connection.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The client's address, as limits count it.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// As text; an IPv6 client counts by its network of 64 bits, of which it has all addresses.
    #[must_use]
    pub fn subject(&self) -> String {
        match self.0.to_canonical() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        }
    }
}

/// What surrounds every handler, from the outside in: span and metrics, pages about errors, panics, load, key and limit.
pub async fn around(State(app): State<SharedApp>, request: Request, next: Next) -> Response {
    let seen = Seen::of(&request);
    let page = pages::error::wanted(&request);
    let answer = async {
        let answer = AssertUnwindSafe(admitted(&app, request, next)).catch_unwind().await;
        pages::error::as_page(page, answer.unwrap_or_else(|panic| panicked(panic.as_ref())))
    };
    seen.around(&app, answer).await
}

/// What surrounds a call that another request asks for, whose key and limit are known: span and metrics, load.
pub async fn around_call(State(app): State<SharedApp>, request: Request, next: Next) -> Response {
    let seen = Seen::of(&request);
    let answer = async {
        match admit(&app, &request) {
            Ok(_permit) => next.run(request).await,
            Err(problem) => problem.into_response(),
        }
    };
    seen.around(&app, answer).await
}

async fn admitted(app: &SharedApp, request: Request, next: Next) -> Response {
    match admit(app, &request) {
        Ok(_permit) if is_open(request.uri().path()) => next.run(request).await,
        Ok(_permit) => identify(app, request, next).await,
        Err(problem) => problem.into_response(),
    }
}

fn panicked(panic: &(dyn Any + Send)) -> Response {
    let text =
        panic.downcast_ref::<&str>().map(ToString::to_string).or_else(|| panic.downcast_ref::<String>().cloned());
    tracing::error!(panic = text.unwrap_or_default(), "a handler panicked");
    Problem::new(Code::Internal, "something went wrong on our side").into_response()
}

/// A request as its span and metrics show it.
struct Seen {
    watch: Stopwatch,
    method: Method,
    route: Option<MatchedPath>,
    span: Span,
}

impl Seen {
    fn of(request: &Request) -> Self {
        let watch = Stopwatch::start();
        let method = request.method().clone();
        let route = request.extensions().get::<MatchedPath>().cloned();
        let path = Self::path(route.as_ref());
        let span = tracing::info_span!(
            target: "farside::http",
            "http.request",
            otel.name = %format_args!("{method} {path}"),
            otel.kind = "server",
            http.request.method = %method,
            http.route = path,
            http.response.status_code = tracing::field::Empty,
        );
        telemetry::continue_trace(&span, request.headers());
        Self { watch, method, route, span }
    }

    fn path(route: Option<&MatchedPath>) -> &str {
        route.map_or("unmatched", MatchedPath::as_str)
    }

    /// Answers within the span, and counts the answer.
    async fn around(self, app: &App, answer: impl Future<Output = Response>) -> Response {
        let response = answer.instrument(self.span.clone()).await;
        self.span.record("http.response.status_code", response.status().as_u16());
        let label = if is_known(&self.method) { self.method.as_str() } else { "other" };
        let (path, status) = (Self::path(self.route.as_ref()), response.status().as_u16());
        self.span.in_scope(|| app.metrics.answered(label, path, status, self.watch.elapsed()));
        response
    }
}

/// Methods that may be labels; a client may send any word.
fn is_known(method: &Method) -> bool {
    [Method::GET, Method::HEAD, Method::POST, Method::PATCH, Method::DELETE, Method::PUT, Method::OPTIONS]
        .contains(method)
}

/// A place among the requests that are under way at once; long addresses, and everything while too much is under way,
/// are refused. Who mostly waits takes no place.
fn admit(app: &App, request: &Request) -> Result<Option<OwnedSemaphorePermit>, Problem> {
    let length = request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    if length > URI_BYTES {
        return Err(Problem::new(Code::UriTooLong, format!("at most {URI_BYTES} bytes")));
    }
    if waits(request.uri().path()) {
        return Ok(None);
    }
    app.at_once.clone().try_acquire_owned().map(Some).map_err(|_| {
        app.metrics.shed();
        Problem::new(Code::Unavailable, "too many requests are under way")
    })
}

/// Long polls and streams mostly wait, and have limits of their own. What a tool of `/mcp` asks is admitted by itself.
/// Whether the process is alive and ready is told under any load.
fn waits(path: &str) -> bool {
    path.ends_with("/events") || matches!(path, "/v1/me/socket" | "/v1/me/turns" | "/mcp") || is_open(path)
}

/// Whether anybody may ask as often as wanted.
fn is_open(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz")
}

/// Finds the caller and counts the request against its limit.
async fn identify(app: &SharedApp, mut request: Request, next: Next) -> Response {
    let address = client_address(app, &request);
    request.extensions_mut().insert(address);
    let caller = match caller(app, request.headers(), request.method()).await {
        Ok(caller) => caller,
        Err(problem) => return refuse(app, address, problem).await,
    };
    let (quota, subject) = match &caller {
        Some(caller) => (app.quotas.key, caller.key_id.to_string()),
        None => (app.quotas.address, address.subject()),
    };
    let verdict = app.limits.count(&quota, &subject).await;
    if let Some(caller) = caller {
        request.extensions_mut().insert(caller);
    }
    let known = request.extensions().get::<Arc<Caller>>().cloned();
    let mut response = if verdict.allowed { next.run(request).await } else { limited(app, &quota, &verdict) };
    // For pages about errors, which are made outside of this.
    if let Some(caller) = known {
        response.extensions_mut().insert(caller);
    }
    with_limit_headers(response, &quota, &verdict)
}

/// A wrong key counts against the address, so that keys cannot be tried out at will.
async fn refuse(app: &SharedApp, address: ClientAddress, problem: Problem) -> Response {
    let quota = app.quotas.address;
    let verdict = app.limits.count(&quota, &address.subject()).await;
    let response = if verdict.allowed { problem.into_response() } else { limited(app, &quota, &verdict) };
    with_limit_headers(response, &quota, &verdict)
}

/// The answer to a request beyond a quota.
pub fn limited(app: &SharedApp, quota: &Quota, verdict: &Verdict) -> Response {
    over(app, quota, verdict).into_response()
}

/// The problem of a request beyond a quota.
#[must_use]
pub fn over(app: &App, quota: &Quota, verdict: &Verdict) -> Problem {
    app.metrics.limited(quota.name);
    Problem::beyond(*quota, *verdict)
}

/// Counts a request against a quota beside the general one.
///
/// # Errors
///
/// `rate_limited`.
pub async fn count(app: &App, quota: Quota, subject: &str) -> Result<(), Problem> {
    let verdict = app.limits.count(&quota, subject).await;
    if verdict.allowed { Ok(()) } else { Err(over(app, &quota, &verdict)) }
}

/// Tells of the quota, unless the answer tells of a narrower one that was met.
fn with_limit_headers(mut response: Response, quota: &Quota, verdict: &Verdict) -> Response {
    for (name, value) in verdict.headers(quota) {
        response.headers_mut().entry(name).or_insert(value);
    }
    response
}

fn client_address(app: &SharedApp, request: &Request) -> ClientAddress {
    let forwarded = request.headers().get_all(FORWARDED_FOR).iter().next_back().filter(|_| app.trust_forwarded);
    let told = forwarded.and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0.ip());
    ClientAddress(told.or(peer).unwrap_or(IpAddr::from([0, 0, 0, 0])))
}

async fn caller(app: &SharedApp, headers: &HeaderMap, method: &Method) -> Result<Option<Arc<Caller>>, Problem> {
    if let Some(value) = headers.get(AUTHORIZATION) {
        let key =
            bearer(value).ok_or_else(|| Problem::new(Code::Unauthenticated, "send `Authorization: Bearer KEY`"))?;
        return Ok(Some(app.identity.authenticate(key).await?));
    }
    let Some(key) = session(headers) else { return Ok(None) };
    if !method.is_safe() && !is_same_origin(headers) {
        return Err(Problem::new(Code::Forbidden, "a page elsewhere may not act with this session"));
    }
    // A session that has ended is no session: the page shows itself signed out.
    Ok(app.identity.authenticate(key).await.ok())
}

fn bearer(value: &HeaderValue) -> Option<&str> {
    let (scheme, key) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

/// The key in the session cookie.
#[must_use]
pub fn session(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == SESSION_COOKIE).map(|(_, value)| value)
}

/// Whether a request comes from a page of this very gateway, as browsers say it.
#[must_use]
pub fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text(&HeaderName::from_static("sec-fetch-site")) {
        return matches!(site, "same-origin" | "none");
    }
    match (text(&ORIGIN), text(&HOST)) {
        (Some(origin), Some(host)) => origin.split_once("://").is_some_and(|(_, origin)| origin == host),
        _ => false,
    }
}

/// Whether a browser asks if a page elsewhere may call; any other `OPTIONS` is a method like others.
#[must_use]
pub fn is_preflight(request: &Request) -> bool {
    let asks = request.headers().contains_key(ORIGIN) && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    request.method() == Method::OPTIONS && asks
}

/// Headers that every answer has: nothing is framed, sniffed or referred to elsewhere.
#[must_use]
pub fn secured(mut response: Response) -> Response {
    const HEADERS: [(&str, &str); 5] = [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; \
             base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        ),
    ];
    for (name, value) in HEADERS {
        let headers = response.headers_mut();
        headers.entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_session_is_found_among_other_cookies() {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, HeaderValue::from_static("a=1; farside_session=fsk_x; b=2"));
        assert_eq!(session(&headers), Some("fsk_x"));
        headers.insert(COOKIE, HeaderValue::from_static("xfarside_session=no"));
        assert_eq!(session(&headers), None);
    }

    #[test]
    fn only_pages_of_the_gateway_act_with_a_session() {
        let headers = |pairs: &[(&'static str, &'static str)]| {
            let pair = |(name, value): &(&'static str, &'static str)| {
                (HeaderName::from_static(name), HeaderValue::from_static(value))
            };
            pairs.iter().map(pair).collect::<HeaderMap>()
        };
        assert!(is_same_origin(&headers(&[("sec-fetch-site", "same-origin")])));
        assert!(!is_same_origin(&headers(&[("sec-fetch-site", "cross-site")])));
        assert!(is_same_origin(&headers(&[("origin", "http://farside.test:8080"), ("host", "farside.test:8080")])));
        assert!(!is_same_origin(&headers(&[("origin", "http://evil.test"), ("host", "farside.test")])));
        assert!(!is_same_origin(&headers(&[("host", "farside.test")])));
    }

    #[test]
    fn addresses_of_one_ipv6_network_count_together() {
        let subject = |text: &str| ClientAddress(text.parse().unwrap()).subject();
        assert_eq!(subject("2001:db8::1"), subject("2001:db8::ffff:1"));
        assert_ne!(subject("2001:db8::1"), subject("2001:db8:0:1::1"));
        assert_eq!(subject("::ffff:192.0.2.1"), "192.0.2.1");
    }
}
