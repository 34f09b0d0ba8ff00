//! What a client is told of its quota: the `RateLimit` headers.
//!
//! Not here: the arithmetic.

use axum::http::{HeaderName, HeaderValue};

use super::gcra::{Quota, Verdict};

/// What is left of a quota.
const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
/// The quota itself.
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

impl Verdict {
    /// The headers that tell a client of its quota.
    pub fn headers(&self, quota: &Quota) -> impl Iterator<Item = (HeaderName, HeaderValue)> + use<> {
        let reset_s = (self.reset_ms + 999) / 1_000;
        let policy = format!("\"{}\";q={};w={}", quota.name, quota.burst, quota.window_s());
        let state = format!("\"{}\";r={};t={reset_s}", quota.name, self.remaining);
        let headers = [(RATE_LIMIT_POLICY, policy), (RATE_LIMIT, state)];
        headers.into_iter().filter_map(|(name, text)| Some((name, HeaderValue::try_from(text).ok()?)))
    }
}
