//! Who calls, and which methods a caller may call.
//!
//! Not here: players and bots; they are known to the gateway alone. Callers here are services, told apart by a token, and
//! operators, told apart by a key.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use http::HeaderMap;
use http::header::AUTHORIZATION;
use subtle::ConstantTimeEq as _;

use crate::config::ConfigFault;
use crate::fault::{Fault, Kind};
use crate::operator::OperatorKeys;

/// The name of a caller within the same process.
pub const IN_PROCESS: &str = "in-process";
/// The name of every caller with an operator's key.
pub const OPERATOR: &str = "operator";

/// Who made a call. The server's layer puts it into the request's extensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    name: Arc<str>,
    key: Option<Arc<str>>,
}

impl Caller {
    /// A service of this name.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self { name: name.into(), key: None }
    }

    /// The operator whose key has this name.
    #[must_use]
    pub fn with_operator_key(key: &Arc<str>) -> Self {
        Self { name: OPERATOR.into(), key: Some(Arc::clone(key)) }
    }

    /// A caller within the same process.
    #[must_use]
    pub fn in_process() -> Self {
        Self::named(IN_PROCESS)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of its key, when it is an operator.
    #[must_use]
    pub fn operator(&self) -> Option<&str> {
        self.key.as_deref()
    }
}

/// Who made this call; nobody when it did not come through the kit's server.
#[must_use]
pub fn caller<T>(request: &tonic::Request<T>) -> Option<&Caller> {
    request.extensions().get()
}

/// The tokens of the services that may call, each with the caller's name.
#[derive(Clone, Default)]
pub struct ServiceTokens {
    tokens: Arc<[(Caller, String)]>,
}

impl ServiceTokens {
    /// The caller that this token belongs to. Looks at every token, each in constant time, so that the time taken says
    /// nothing about them but their lengths.
    #[must_use]
    pub fn find(&self, token: &str) -> Option<&Caller> {
        let mut found = None;
        for (caller, known) in self.tokens.iter() {
            if bool::from(known.as_bytes().ct_eq(token.as_bytes())) {
                found = Some(caller);
            }
        }
        found
    }
}

impl fmt::Debug for ServiceTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.tokens.iter().map(|(caller, _)| caller.name())).finish()
    }
}

impl FromStr for ServiceTokens {
    type Err = ConfigFault;

    /// Reads `caller=token,…`. A caller may stand there twice, so that its token can be changed without a gap.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let tokens: Vec<_> = parts.map(caller_and_token).collect::<Result<_, _>>()?;
        Ok(Self { tokens: tokens.into() })
    }
}

fn caller_and_token(part: &str) -> Result<(Caller, String), ConfigFault> {
    let fault = |problem| ConfigFault::new("--service-tokens", problem);
    let (caller, token) = part.split_once('=').ok_or_else(|| fault("each entry must be caller=token"))?;
    if caller.is_empty() || caller == IN_PROCESS || caller == OPERATOR {
        return Err(fault("each entry must name a service; operators have keys (--operator-keys)"));
    }
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(fault("a token must be visible ASCII"));
    }
    Ok((Caller::named(caller), token.to_owned()))
}

/// Everybody that a server answers: services by their tokens, operators by their keys.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Services.
    pub tokens: ServiceTokens,
    /// Operators.
    pub operators: OperatorKeys,
}

impl From<ServiceTokens> for Known {
    fn from(tokens: ServiceTokens) -> Self {
        Self { tokens, operators: OperatorKeys::default() }
    }
}

impl Known {
    /// The caller of a request with these headers.
    pub(crate) fn authenticate(&self, headers: &HeaderMap) -> Result<Caller, AccessFault> {
        let value = headers.get(AUTHORIZATION).ok_or(AccessFault::NoToken)?;
        let secret = value.to_str().ok().and_then(|text| text.strip_prefix("Bearer "));
        let secret = secret.ok_or(AccessFault::UnknownToken)?;
        let service = self.tokens.find(secret).cloned();
        let caller = service.or_else(|| self.operators.find(secret).map(Caller::with_operator_key));
        caller.ok_or(AccessFault::UnknownToken)
    }
}

/// The services that may call a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callers {
    /// Those with these names.
    Named(&'static [&'static str]),
    /// Every one that is known: for what the public may read as well.
    Every,
}

impl Callers {
    /// No service.
    pub(crate) const NONE: Self = Self::Named(&[]);

    pub(crate) fn include(self, name: &str) -> bool {
        match self {
            Self::Named(names) => names.contains(&name),
            Self::Every => true,
        }
    }
}

/// Which callers may call which methods. A method that is not listed may be called by nobody; callers in the same process
/// may call everything.
#[derive(Clone, Debug, Default)]
pub struct AllowList {
    methods: HashMap<&'static str, Callers>,
    operators: HashSet<&'static str>,
}

impl AllowList {
    /// Nothing is allowed.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Only these services may call the method with this path, for example `/farside.ledger.v1.LedgerService/Hold`.
    #[must_use]
    pub fn method(self, path: &'static str, callers: &'static [&'static str]) -> Self {
        self.methods(&[path], callers)
    }

    /// Only these services may call the methods with these paths.
    #[must_use]
    pub fn methods(self, paths: &[&'static str], callers: &'static [&'static str]) -> Self {
        self.insert(paths, Callers::Named(callers))
    }

    /// Every service that is known may call the methods with these paths.
    #[must_use]
    pub fn every_service(self, paths: &[&'static str]) -> Self {
        self.insert(paths, Callers::Every)
    }

    fn insert(mut self, paths: &[&'static str], callers: Callers) -> Self {
        self.methods.extend(paths.iter().map(|path| (*path, callers)));
        self
    }

    /// Operators may call the method with this path, besides the services that may.
    #[must_use]
    pub fn operators_too(mut self, path: &'static str) -> Self {
        self.operators.insert(path);
        self
    }

    /// Only operators may call the method with this path.
    #[must_use]
    pub fn operators_only(self, path: &'static str) -> Self {
        self.method(path, &[]).operators_too(path)
    }

    /// The services that may call a method.
    #[must_use]
    pub fn callers(&self, path: &str) -> Callers {
        self.methods.get(path).copied().unwrap_or(Callers::NONE)
    }

    /// Whether a method is listed at all.
    #[must_use]
    pub fn names(&self, path: &str) -> bool {
        self.methods.contains_key(path) || self.has_operators(path)
    }

    /// Whether operators may call a method.
    #[must_use]
    pub fn has_operators(&self, path: &str) -> bool {
        self.operators.contains(path)
    }

    /// Every path that is listed.
    pub fn paths(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.methods.keys().chain(&self.operators).copied()
    }
}

/// Why a call is not let in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AccessFault {
    /// No token at all.
    #[error("a service token or an operator's key is needed")]
    NoToken,
    /// A token that is nobody's.
    #[error("the service token or operator's key is not known")]
    UnknownToken,
    /// Known, but not for this method.
    #[error("the caller may not call this method")]
    NotAllowed,
}

impl Fault for AccessFault {
    fn kind(&self) -> Kind {
        match self {
            Self::NoToken | Self::UnknownToken => Kind::Unauthenticated,
            Self::NotAllowed => Kind::PermissionDenied,
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::NoToken => "SERVICE_TOKEN_MISSING",
            Self::UnknownToken => "SERVICE_TOKEN_UNKNOWN",
            Self::NotAllowed => "SERVICE_NOT_ALLOWED",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_tells_its_caller() {
        let tokens: ServiceTokens = "gateway=one, match-svc=two,gateway=three".parse().unwrap();
        assert_eq!(tokens.find("one"), Some(&Caller::named("gateway")));
        assert_eq!(tokens.find("three"), Some(&Caller::named("gateway")));
        assert_eq!(tokens.find("two"), Some(&Caller::named("match-svc")));
        assert_eq!(tokens.find("on"), None);
        assert_eq!(tokens.find(""), None);
    }

    #[test]
    fn malformed_tokens_are_refused() {
        for text in ["gateway", "=token", "gateway=", "gateway=two words", "in-process=x", "operator=x"] {
            assert!(text.parse::<ServiceTokens>().is_err(), "{text}");
        }
        assert_eq!("".parse::<ServiceTokens>().unwrap().find(""), None);
    }

    #[test]
    fn faults_come_in_order_of_precedence() {
        let known = Known { tokens: "gateway=one".parse().unwrap(), operators: OperatorKeys::default() };
        let mut headers = HeaderMap::new();
        assert_eq!(known.authenticate(&headers), Err(AccessFault::NoToken));
        for wrong in ["one", "bearer one", "Bearer two", "Bearer "] {
            headers.insert(AUTHORIZATION, wrong.parse().unwrap());
            assert_eq!(known.authenticate(&headers), Err(AccessFault::UnknownToken), "{wrong}");
        }
        headers.insert(AUTHORIZATION, "Bearer one".parse().unwrap());
        assert_eq!(known.authenticate(&headers), Ok(Caller::named("gateway")));
    }

    #[test]
    fn an_operators_key_tells_the_operator() {
        let (secret, entry) = crate::operator::mint_key("ann", &crate::ids::SeededIds::new(1)).unwrap();
        let known = Known { tokens: "gateway=one".parse().unwrap(), operators: entry.parse().unwrap() };
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, format!("Bearer {}", secret.reveal()).parse().unwrap());
        let caller = known.authenticate(&headers).unwrap();
        assert_eq!((caller.name(), caller.operator()), (OPERATOR, Some("ann")));
    }
}
