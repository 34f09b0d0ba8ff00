//! Puts logs and traces of a process in place.
//!
//! Not here: what is logged. Each layer has a filter of its own: one on the whole would take the spans away with the logs.

use std::io;

use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::WithExportConfig as _;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use tracing::level_filters::LevelFilter;
use tracing::{Level, Subscriber};
use tracing_subscriber::filter::{FilterExt as _, ParseError, Targets, filter_fn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::{Filter, Layer, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{Registry, fmt};

use super::format::{Place, WithTrace};
use crate::config::{LogFormat, TelemetryArgs};

/// Where traces go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Export {
    /// Nowhere; ids are made and logged all the same.
    Off,
    /// Where the standard `OTEL_*` variables say, sampled as they say.
    Environment,
    /// To this collector (`http://host:port`), all of them.
    Collector(String),
}

impl Export {
    /// As the environment asks: off, unless it names a collector.
    #[must_use]
    pub fn from_environment() -> Self {
        let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|given| given.eq_ignore_ascii_case(value));
        let given = |name: &str| std::env::var(name).is_ok_and(|given| !given.is_empty());
        let is_off = is("OTEL_SDK_DISABLED", "true") || is("OTEL_TRACES_EXPORTER", "none");
        let is_named = given("OTEL_EXPORTER_OTLP_ENDPOINT") || given("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
        if is_named && !is_off { Self::Environment } else { Self::Off }
    }
}

/// Why telemetry could not be put in place.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryFault {
    /// The log level is none.
    #[error("the log level cannot be read")]
    Level(#[from] ParseError),
    /// The collector cannot be sent to.
    #[error("traces cannot be exported")]
    Export(#[from] opentelemetry_otlp::ExporterBuildError),
    /// This process has telemetry already.
    #[error("telemetry is in place already")]
    Twice(#[from] tracing::subscriber::SetGlobalDefaultError),
}

/// Keeps telemetry going; sends what is left when it is dropped. Drop it within the runtime that it was made in, while
/// that runtime has a worker thread left.
#[derive(Debug)]
#[must_use = "traces that were not sent yet are lost without it"]
pub struct TelemetryGuard {
    provider: SdkTracerProvider,
}

impl TelemetryGuard {
    /// Sends what has been recorded so far.
    pub fn flush(&self) {
        if let Err(error) = self.provider.force_flush() {
            tracing::warn!(%error, "traces not sent");
        }
    }
}

impl Drop for TelemetryGuard {
    fn drop(&mut self) {
        if let Err(error) = self.provider.shutdown() {
            tracing::warn!(%error, "traces not sent");
        }
    }
}

/// Puts logs to standard error and traces in place for the whole process. Needs a running tokio runtime when traces are
/// exported.
///
/// # Errors
///
/// When a setting cannot be read, or it was done before.
pub fn init(args: &TelemetryArgs, service_name: &'static str) -> Result<TelemetryGuard, TelemetryFault> {
    let (subscriber, guard) = subscriber(args, service_name, &Export::from_environment(), io::stderr)?;
    tracing::subscriber::set_global_default(subscriber)?;
    Ok(guard)
}

/// The subscriber that [`init`] installs, for those who install it themselves.
///
/// # Errors
///
/// When a setting cannot be read.
pub fn subscriber<W>(
    args: &TelemetryArgs,
    service_name: &'static str,
    export: &Export,
    writer: W,
) -> Result<(impl Subscriber + Send + Sync + use<W>, TelemetryGuard), TelemetryFault>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let provider = provider(service_name, export)?;
    let traces = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer(service_name))
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false)
        .with_filter(trace_filter(export).and(LevelFilter::INFO));
    let logs = log_layer(args.log_format, writer).with_filter(log_filter(&args.log_level)?);
    Ok((Registry::default().with(traces).with(logs), TelemetryGuard { provider }))
}

/// The target of spans around single database statements, and of nothing else that is wanted.
const STATEMENTS: &str = "sea_orm";

/// Spans, and what went wrong within them. A span for each database statement costs something, so there are none unless
/// somebody can look at them.
fn trace_filter<S>(export: &Export) -> impl Filter<S> + use<S> {
    let with_statements = *export != Export::Off;
    filter_fn(move |metadata| {
        let is_wanted = with_statements || !metadata.target().starts_with(STATEMENTS);
        is_wanted && (metadata.is_span() || *metadata.level() <= Level::WARN)
    })
}

/// Libraries that tell too much beyond this level: of each statement, or of messages and headers, which hold keys.
const HELD_BACK: [(&str, LevelFilter); 5] = [
    (STATEMENTS, LevelFilter::WARN),
    ("rmcp", LevelFilter::INFO),
    ("h2", LevelFilter::INFO),
    ("hyper", LevelFilter::INFO),
    ("tungstenite", LevelFilter::INFO),
];

/// As asked; what is held back is logged only when its name is asked for.
fn log_filter(level: &str) -> Result<Targets, ParseError> {
    let asked: Targets = level.parse()?;
    let levels = asked.iter().map(|(_, at)| at).chain(asked.default_level());
    let most = levels.max().unwrap_or(LevelFilter::OFF);
    let held_back = HELD_BACK.into_iter().filter(|(target, at)| most > *at && !level.contains(target));
    Ok(held_back.fold(asked, |filter, (target, at)| filter.with_target(target, at)))
}

fn provider(service_name: &'static str, export: &Export) -> Result<SdkTracerProvider, TelemetryFault> {
    let builder = SdkTracerProvider::builder().with_resource(resource(service_name));
    let exporter = opentelemetry_otlp::SpanExporter::builder().with_tonic();
    Ok(match export {
        Export::Off => builder.with_sampler(Sampler::ParentBased(Box::new(Sampler::AlwaysOff))).build(),
        Export::Environment => builder.with_batch_exporter(exporter.build()?).build(),
        Export::Collector(url) => {
            let exporter = exporter.with_endpoint(url).build()?;
            builder.with_sampler(Sampler::AlwaysOn).with_batch_exporter(exporter).build()
        }
    })
}

/// `OTEL_SERVICE_NAME` goes before the name in the code.
fn resource(service_name: &'static str) -> Resource {
    let builder = Resource::builder();
    if std::env::var_os("OTEL_SERVICE_NAME").is_some() {
        builder.build()
    } else {
        builder.with_service_name(service_name).build()
    }
}

fn log_layer<S, W>(format: LogFormat, writer: W) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    match format {
        LogFormat::Pretty => {
            let inner = fmt::format().with_ansi(false);
            fmt::layer()
                .event_format(WithTrace { inner, place: Place::Text })
                .with_ansi(false)
                .with_writer(writer)
                .boxed()
        }
        LogFormat::Json => {
            let inner = fmt::format().json().flatten_event(true).with_span_list(false);
            fmt::layer().json().event_format(WithTrace { inner, place: Place::Json }).with_writer(writer).boxed()
        }
    }
}
