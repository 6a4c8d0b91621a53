//! What every request and every answer gets, whatever is asked: an id, a line in the log, the headers that let
//! a page of another origin read it, compression; and a failure inside becomes an answer without internals. It judges
//! no credential: that is [`access`](super::access)'s.
//!
//! Panics are caught here, not by `tower-http`: its `CatchPanic` tells whoever makes the answer nothing of the
//! request, whose id must stand in it, and puts every body into one more box. In place of three lines it costs
//! a request 40 ns, measured around a service that does nothing; these lines cost under 10.

use super::accept::takes_gzip;
use super::answer_headers::{AnswerHeaders, Asked};
use super::client_address::{Network, client_address};
use super::context::RequestContext;
use super::cors::{self, Cors, Origin};
use super::error::{self, Cause};
use super::incident;
use super::middleware::{HttpService, Middleware, MiddlewareService, Waiting};
use super::request_id::{REQUEST_ID, RequestIds};
use super::request_log::Sampling;
use super::request_metrics::RequestMetrics;
use super::settings::DoorSettings;
use super::trace_id::TraceId;
use super::{compression, request_log, response, room};
use axum::body::Body;
use axum::extract::Request;
use axum::http::{Response, StatusCode};
use futures_util::FutureExt as _;
use service::{MemoryBudget, Service};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use store::chain;

/// What is shared by all requests of an interface.
#[derive(Clone)]
pub(crate) struct RequestLayer {
    service: Arc<Service>,
    ids: Arc<RequestIds>,
    cors: Arc<Cors>,
    trusted_proxies: Arc<[Network]>,
    answers: Arc<AnswerHeaders>,
    memory: Arc<MemoryBudget>,
    metrics: Option<Arc<RequestMetrics>>,
    sampling: Option<Arc<Sampling>>,
}

impl RequestLayer {
    /// For a door with these settings.
    pub(crate) fn new(service: &Arc<Service>, settings: &DoorSettings) -> Self {
        RequestLayer {
            service: service.clone(),
            ids: Arc::new(RequestIds::new(service.entropy())),
            cors: Arc::new(Cors::new(&settings.cors_origins)),
            trusted_proxies: settings.trusted_proxies.clone().into(),
            answers: Arc::new(AnswerHeaders::new(service.settings(), settings)),
            memory: service.memory().clone(),
            metrics: settings.has_metrics.then(Arc::default),
            sampling: settings
                .log_sample
                .map(|one_of| Arc::new(Sampling::of(one_of))),
        }
    }
}

impl<S> tower_layer::Layer<S> for RequestLayer {
    type Service = MiddlewareService<Self, S>;

    fn layer(&self, inner: S) -> Self::Service {
        MiddlewareService::new(self.clone(), inner)
    }
}

impl Middleware for RequestLayer {
    type Answer<S: HttpService> = Waiting;

    fn call<S: HttpService>(&self, inner: &mut S, mut request: Request) -> Waiting {
        let address = client_address(
            request.extensions(),
            request.headers(),
            &self.trusted_proxies,
        );
        let headers = request.headers();
        let (id, trace) = (self.ids.of(headers), TraceId::of(headers));
        let mut context = RequestContext::new(id, trace, request.method().clone(), address);
        context.tell_route(request.extensions().get());
        context.set_route(request.extensions().get());
        let context = Arc::new(context);
        let head = Head {
            service: self.service.clone(),
            asked: self.answers.asked(request.headers()),
            answers: self.answers.clone(),
            origin: self.cors.origin_of(&request),
            metrics: self.metrics.clone(),
            sampling: self.sampling.clone(),
        };
        if head.origin.is_preflight(&request) {
            let response = cors::allow(response::no_content());
            return Box::pin(std::future::ready(Ok(finish(response, &context, head))));
        }
        request.extensions_mut().insert(context.clone());
        let takes_gzip = takes_gzip(request.headers());
        let memory = self.memory.clone();
        let answer = inner.call(request);
        let answer = answer.map(|answered| {
            let Ok(response) = answered;
            response
        });
        Box::pin(async move {
            let response = caught(answer, context.id.as_str()).await;
            let response = room::held(&memory, || context.owner(), &context.method, response);
            let room = || memory.reserve(context.owner(), compression::MEMORY_BYTES);
            let response = compression::compress(response, takes_gzip, || room().ok()).await;
            Ok(finish(response, &context, head))
        })
    }
}

/// What work answers; that it panicked, where it did, which the log tells.
pub(crate) async fn caught(
    work: impl Future<Output = Response<Body>>,
    request_id: &str,
) -> Response<Body> {
    let answer = AssertUnwindSafe(work).catch_unwind().await;
    answer.unwrap_or_else(|_| {
        tracing::error!(request.id = request_id, "the request's work panicked");
        error::internal(request_id)
    })
}

/// What the head of an answer is made of, and who is told of one that refuses.
struct Head {
    service: Arc<Service>,
    answers: Arc<AnswerHeaders>,
    asked: Asked,
    origin: Origin,
    metrics: Option<Arc<RequestMetrics>>,
    sampling: Option<Arc<Sampling>>,
}

/// What every answer goes out with: no internals, the request's id, a line in the log.
fn finish(mut response: Response<Body>, context: &RequestContext, head: Head) -> Response<Body> {
    let id = context.id.as_str();
    if is_failed_inside(&response) {
        log_cause(&mut response, id);
        response = error::internal(id);
    }
    if response.status() != StatusCode::UNAUTHORIZED
        && let Some(id) = context.id.header()
    {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    let is_private = context.caller().is_some();
    head.answers.complete(&mut response, head.asked, is_private);
    incident::tell(&head.service, context, &mut response);
    head.origin.share(&mut response);
    if let Some(metrics) = head.metrics {
        metrics.answered(context, response.status());
    }
    let has_line = |it: &Arc<Sampling>| it.has_line(&context.method, &response);
    if head.sampling.as_ref().is_none_or(has_line) {
        request_log::answered(context, response.status());
    }
    response
}

/// Whether an answer is of work that was not done, and the log does not have why yet.
fn is_failed_inside(response: &Response<Body>) -> bool {
    response.extensions().get::<Cause>().is_some()
}

/// Gives the log why work was not done, if an answer still has it; the answer does not have it any more.
pub(crate) fn log_cause(response: &mut Response<Body>, id: &str) {
    if let Some(Cause(cause)) = response.extensions_mut().remove() {
        tracing::error!(request.id = id, error = %chain(&*cause), "the request failed inside");
    }
}
