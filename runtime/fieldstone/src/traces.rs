//! Traces of requests, for who follows them through several programs: each request of the public doors is a span, with
//! what the rooms do for it inside, sent to a collector by OTLP over HTTP. A caller's `traceparent` is gone on from. It
//! tells what the log tells: no paths, no queries, no values. Without a collector nothing of this is there.

use anyhow::Context as _;
use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::{Link, SpanKind, TraceContextExt as _, TraceId, TracerProvider as _};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{
    Sampler, SamplingResult, SdkTracer, SdkTracerProvider, ShouldSample,
};
use server::RouteTaken;
use std::time::Duration;
use tracing::field::Empty;
use tracing::{Instrument as _, Level, Metadata, Span};
use tracing_opentelemetry::{OpenTelemetryLayer, OpenTelemetrySpanExt as _};
use tracing_subscriber::registry::LookupSpan;

/// What the spans of requests are told apart by: the log does not show them.
const TARGET: &str = "fieldstone::request";
/// Where a collector takes traces.
const PATH: &str = "/v1/traces";
/// How long the collector may take.
const TIME_MAX: Duration = Duration::from_secs(10);
/// The rooms whose spans are sent.
const ROOMS: [&str; 6] = [
    "fieldstone",
    "manifest",
    "server",
    "service",
    "sqlite",
    "store",
];

/// Where traces go.
#[derive(Clone, Debug)]
pub(crate) struct Traces {
    /// The collector's address, such as `http://127.0.0.1:4318`.
    pub(crate) collector: String,
    /// Of a hundred requests that no trace comes with, how many begin one.
    pub(crate) percent: u8,
}

/// Sends what is left when it is dropped.
pub(crate) struct Sending(SdkTracerProvider);

impl Drop for Sending {
    fn drop(&mut self) {
        // a collector that does not answer holds nobody up
        let _ = self.0.shutdown_with_timeout(TIME_MAX);
    }
}

impl Traces {
    /// Begins to send: what spans go through, and what sends them. Not from a thread of the runtime.
    ///
    /// # Errors
    /// An address that is none.
    pub(crate) fn begin<S>(&self) -> anyhow::Result<(OpenTelemetryLayer<S, SdkTracer>, Sending)>
    where
        S: tracing::Subscriber + for<'a> LookupSpan<'a>,
    {
        let address = self.collector.trim_end_matches('/');
        let address = match address.strip_suffix(PATH) {
            Some(_) => address.to_owned(),
            None => format!("{address}{PATH}"),
        };
        // the client that sends asks the process which cryptography it has; another answer than this one nobody gives
        let _ = rustls::crypto::ring::default_provider().install_default();
        let exporter = SpanExporter::builder()
            .with_http()
            .with_endpoint(&address)
            .with_timeout(TIME_MAX)
            .build();
        let exporter = exporter.with_context(|| format!("no traces can be sent to {address}"))?;
        let share = f64::from(self.percent) / 100.0;
        let sampler = Sampler::ParentBased(Box::new(OfRequests(share)));
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let about = Resource::builder()
            .with_service_name("fieldstone")
            .with_attribute(version)
            .build();
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_sampler(sampler)
            .with_resource(about)
            .build();
        let layer = tracing_opentelemetry::layer()
            .with_tracer(provider.tracer("fieldstone"))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false);
        Ok((layer, Sending(provider)))
    }
}

/// Of the spans that are in no trace, a share of the requests begins one, and nothing else does: what the server does by
/// itself is in none.
#[derive(Clone, Debug)]
struct OfRequests(f64);

impl ShouldSample for OfRequests {
    fn should_sample(
        &self,
        parent: Option<&Context>,
        trace: TraceId,
        name: &str,
        kind: &SpanKind,
        attributes: &[KeyValue],
        links: &[Link],
    ) -> SamplingResult {
        let sampler = match kind {
            SpanKind::Server => Sampler::TraceIdRatioBased(self.0),
            _ => Sampler::AlwaysOff,
        };
        sampler.should_sample(parent, trace, name, kind, attributes, links)
    }
}

/// Whether a span is sent: those of our rooms, and no lines of the log.
pub(crate) fn is_sent(about: &Metadata<'_>) -> bool {
    let room = about.target().split("::").next().unwrap_or_default();
    about.is_span() && *about.level() <= Level::DEBUG && ROOMS.contains(&room)
}

/// Whether something is only there to be sent: the log says it in its own words.
pub(crate) fn is_only_sent(about: &Metadata<'_>) -> bool {
    about.target() == TARGET
}

/// A router of which each request is a span.
pub(crate) fn around(router: Router) -> Router {
    router.layer(from_fn(traced))
}

async fn traced(mut request: Request, next: Next) -> Response {
    let taken = RouteTaken::default();
    request.extensions_mut().insert(taken.clone());
    let method = server::shown_method(request.method()).to_owned();
    let span = tracing::info_span!(
        target: TARGET,
        "request",
        otel.kind = "server",
        otel.status_code = Empty,
        http.request.method = method.as_str(),
        http.route = Empty,
        http.response.status_code = Empty,
        request.id = Empty,
    );
    let parent = TraceContextPropagator::new().extract(&Headers(request.headers()));
    // a span that nobody follows has no parent either
    let _ = span.set_parent(parent);
    let answer = next.run(request).instrument(span.clone()).await;
    let route = taken.get().unwrap_or("unknown");
    span.record("http.route", route);
    let followed = span.context();
    followed.span().update_name(format!("{method} {route}"));
    note(&span, &answer);
    answer
}

/// Notes what came of a request.
fn note(span: &Span, answer: &Response) {
    let status = answer.status();
    span.record("http.response.status_code", status.as_u16());
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
    let id = answer.headers().get("x-request-id");
    if let Some(id) = id.and_then(|id| id.to_str().ok()) {
        span.record("request.id", id);
    }
}

/// Headers as those who read traces look into them.
struct Headers<'h>(&'h axum::http::HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(axum::http::HeaderName::as_str).collect()
    }
}
