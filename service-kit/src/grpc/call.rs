//! What happens around each call that is served: who calls, the span, the metrics, and panics.
//!
//! Not here: the call itself. One service wraps all of it, so that a call costs one look-up and one future.

use std::collections::HashMap;
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures::FutureExt as _;
use futures::future::BoxFuture;
use http::{HeaderMap, Request, Response};
use hyper::body::{Frame, SizeHint};
use tonic::body::Body;
use tonic::service::Routes;
use tonic::{Code, Status};
use tower::{Service, ServiceExt as _};
use tracing::{Instrument as _, Span};

use super::access::{AccessFault, AllowList, Caller, Callers, Known};
use crate::fault::{self, Fault, Kind};
use crate::metrics::{MethodMetrics, RpcMetrics};
use crate::telemetry::{self, fields};
use crate::time::Stopwatch;

const GRPC_STATUS: &str = "grpc-status";

/// How a server tells who calls.
#[derive(Clone, Debug)]
pub(super) enum Trust {
    /// Everybody who can reach it is part of this process.
    InProcess(Caller),
    /// By what they show.
    Known(Known),
}

/// One method of the server.
#[derive(Debug)]
pub(super) struct Method {
    /// `service/method`, the name of its spans.
    full_name: String,
    service: String,
    name: String,
    /// Anyone may ask for health and the contracts.
    is_public: bool,
    allowed: Callers,
    /// Operators may call what is given to them, and nothing else.
    is_for_operators: bool,
    metrics: MethodMetrics,
}

impl Method {
    fn admits(&self, caller: &Caller) -> bool {
        match caller.operator() {
            Some(_) => self.is_for_operators,
            None => self.allowed.include(caller.name()),
        }
    }
}

/// All methods of a server, by path.
#[derive(Debug)]
pub(super) struct Methods {
    by_path: HashMap<String, Arc<Method>>,
    /// Stands for every path that is no method, so that labels stay bounded; nobody from outside may call it.
    unknown: Arc<Method>,
}

impl Methods {
    pub(super) fn new(metrics: &RpcMetrics) -> Self {
        let unknown = Method {
            full_name: "unknown".to_owned(),
            service: "unknown".to_owned(),
            name: "unknown".to_owned(),
            is_public: false,
            allowed: Callers::NONE,
            is_for_operators: false,
            metrics: metrics.method("unknown", "unknown"),
        };
        Self { by_path: HashMap::new(), unknown: Arc::new(unknown) }
    }

    pub(super) fn add(&mut self, metrics: &RpcMetrics, allow: &AllowList, service: &str, name: &str, is_public: bool) {
        let path = format!("/{service}/{name}");
        let method = Method {
            full_name: format!("{service}/{name}"),
            service: service.to_owned(),
            name: name.to_owned(),
            is_public,
            allowed: allow.callers(&path),
            is_for_operators: allow.has_operators(&path),
            metrics: metrics.method(service, name),
        };
        self.by_path.insert(path, Arc::new(method));
    }

    pub(super) fn contains(&self, path: &str) -> bool {
        self.by_path.contains_key(path)
    }

    fn find(&self, path: &str) -> Arc<Method> {
        Arc::clone(self.by_path.get(path).unwrap_or(&self.unknown))
    }
}

/// The routes of a server with everything around a call.
#[derive(Clone)]
pub(super) struct Calls {
    routes: Routes,
    methods: Arc<Methods>,
    trust: Arc<Trust>,
}

impl Calls {
    pub(super) fn new(routes: Routes, methods: Methods, trust: Trust) -> Self {
        Self { routes, methods: Arc::new(methods), trust: Arc::new(trust) }
    }

    fn admit(&self, method: &Method, headers: &HeaderMap) -> Result<Caller, AccessFault> {
        let caller = match &*self.trust {
            Trust::InProcess(caller) => return Ok(caller.clone()),
            Trust::Known(known) => known.authenticate(headers),
        };
        if method.is_public {
            return Ok(caller.unwrap_or_else(|_| Caller::named("anyone")));
        }
        let caller = caller?;
        if method.admits(&caller) { Ok(caller) } else { Err(AccessFault::NotAllowed) }
    }
}

impl Service<Request<Body>> for Calls {
    type Response = Response<CallBody>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let method = self.methods.find(request.uri().path());
        let span = span(&method);
        telemetry::continue_trace(&span, request.headers());
        let admitted = self.admit(&method, request.headers());
        let call = Call::begin(method, span.clone());
        match admitted {
            Ok(caller) => {
                span.record(fields::CALLER, caller.name());
                request.extensions_mut().insert(caller);
                Box::pin(handle(self.routes.clone(), request, call).instrument(span))
            }
            Err(fault) => Box::pin(std::future::ready(Ok(call.answer(refusal(&fault))))),
        }
    }
}

fn span(method: &Method) -> Span {
    tracing::info_span!(
        target: "farside::rpc",
        "rpc",
        otel.name = method.full_name.as_str(),
        otel.kind = "server",
        otel.status_code = tracing::field::Empty,
        rpc.system = "grpc",
        rpc.service = method.service.as_str(),
        rpc.method = method.name.as_str(),
        rpc.grpc.status_code = tracing::field::Empty,
        farside.caller = tracing::field::Empty,
    )
}

async fn handle(routes: Routes, request: Request<Body>, call: Call) -> Result<Response<CallBody>, Infallible> {
    let answered = AssertUnwindSafe(routes.oneshot(request)).catch_unwind().await;
    let response = answered.unwrap_or_else(|panic| Ok(refusal(&Panicked(panic_text(&*panic)))))?;
    Ok(call.answer(response))
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a value that is no text".to_owned())
}

fn refusal(fault: &dyn Fault) -> Response<Body> {
    fault::status(fault).into_http()
}

/// A handler gave up; a fault of ours.
#[derive(Debug, thiserror::Error)]
#[error("a handler panicked: {0}")]
struct Panicked(String);

impl Fault for Panicked {
    fn kind(&self) -> Kind {
        Kind::Internal
    }

    fn reason(&self) -> &'static str {
        "PANIC"
    }
}

/// A call under way; its end is recorded exactly once, when its status is known or it is dropped.
struct Call {
    method: Arc<Method>,
    span: Span,
    watch: Stopwatch,
    is_over: bool,
}

impl Call {
    fn begin(method: Arc<Method>, span: Span) -> Self {
        method.metrics.begin();
        Self { method, span, watch: Stopwatch::start(), is_over: false }
    }

    fn end(&mut self, code: Code) {
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        self.span.record(fields::STATUS_CODE, code as i64);
        if is_our_fault(code) {
            self.span.record(fields::OTEL_STATUS, "ERROR");
        }
        let (metrics, elapsed) = (&self.method.metrics, self.watch.elapsed());
        self.span.in_scope(|| metrics.end(code, elapsed));
    }

    /// An answer whose status stands in its headers is over; any other when its body is.
    fn answer(mut self, response: Response<Body>) -> Response<CallBody> {
        if let Some(code) = code_of(response.headers()) {
            self.end(code);
        }
        response.map(|body| CallBody { body, call: self })
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.end(Code::Cancelled);
    }
}

/// Only these are errors of a span: what a caller did wrong is no error of the server.
fn is_our_fault(code: Code) -> bool {
    matches!(
        code,
        Code::Unknown
            | Code::DeadlineExceeded
            | Code::Unimplemented
            | Code::Internal
            | Code::Unavailable
            | Code::DataLoss
    )
}

fn code_of(headers: &HeaderMap) -> Option<Code> {
    headers.get(GRPC_STATUS).map(|value| Code::from_bytes(value.as_bytes()))
}

/// The body of an answer; sees the status go by in the trailers.
pub(super) struct CallBody {
    body: Body,
    call: Call,
}

impl hyper::body::Body for CallBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let Self { body, call } = &mut *self;
        let polled = call.span.in_scope(|| Pin::new(body).poll_frame(cx));
        if let Poll::Ready(Some(Ok(frame))) = &polled
            && let Some(code) = frame.trailers_ref().and_then(code_of)
        {
            call.end(code);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
