//! The door every request comes through: it gets an id, its credential is judged, the log has its line, and
//! a failure inside becomes an answer without internals. Which status that is, [`error`](super::error) knows.

use super::cors::{self, Cors};
use super::error::{self, Cause};
use super::extract::single;
use super::rate::Rate;
use super::request_id::{RequestId, RequestIds};
use super::settings::DoorSettings;
use crate::service::{Caller, Service};
use axum::body::Body;
use axum::extract::{MatchedPath, Request};
use axum::http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use axum::http::{Response, StatusCode};
use futures_util::FutureExt as _;
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;
use tracing::{Instrument as _, Span};

/// The header with a request's id.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What is shared by all requests.
#[derive(Clone)]
pub(crate) struct Door {
    service: Arc<Service>,
    ids: Arc<RequestIds>,
    cors: Arc<Cors>,
    rate: Option<Arc<Rate>>,
    asks: bool,
}

impl Door {
    /// A door with the default settings.
    pub(crate) fn new(service: Arc<Service>) -> Self {
        Door::with(service, &DoorSettings::default())
    }

    pub(crate) fn with(service: Arc<Service>, settings: &DoorSettings) -> Self {
        let ids = Arc::new(RequestIds::new(service.entropy()));
        Door {
            service,
            ids,
            cors: Arc::new(Cors::new(&settings.cors_origins)),
            rate: settings
                .requests_per_second_max
                .map(|most| Arc::new(Rate::new(most))),
            asks: true,
        }
    }

    /// For public addresses.
    pub(crate) fn open(&self) -> Self {
        Door {
            asks: false,
            ..self.clone()
        }
    }

    /// For all others: no credential, no way in.
    pub(crate) fn guarded(&self) -> Self {
        Door {
            asks: true,
            ..self.clone()
        }
    }

    /// Gives the request its caller, or the answer that turns it away.
    fn turned_away(&self, request: &mut Request, span: &Span) -> Option<Response<Body>> {
        if !self.asks {
            return None;
        }
        let Some(caller) = self.caller(request) else {
            return Some(error::unauthenticated());
        };
        span.record("caller", caller.id());
        if let Some(rate) = &self.rate
            && let Err(seconds) = rate.take(caller.id(), self.service.now())
        {
            return Some(error::too_many(seconds));
        }
        request.extensions_mut().insert(caller);
        None
    }

    /// The caller; a header that stands twice is no credential.
    fn caller(&self, request: &Request) -> Option<Caller> {
        let credential = single(request.headers(), &AUTHORIZATION)?.to_str().ok()?;
        self.service.authenticate(credential).ok()
    }
}

impl<S> tower_layer::Layer<S> for Door {
    type Service = Doorway<S>;

    fn layer(&self, inner: S) -> Doorway<S> {
        Doorway {
            door: self.clone(),
            inner,
        }
    }
}

/// The door, and what is behind it.
#[derive(Clone)]
pub(crate) struct Doorway<S> {
    door: Door,
    inner: S,
}

impl<S> tower_service::Service<Request> for Doorway<S>
where
    S: tower_service::Service<Request, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let started = Instant::now();
        let id = self.door.ids.next();
        let span = span_of(id, &request);
        let origin = self.door.cors.origin_of(&request);
        if origin.is_some() && cors::is_preflight(&request) {
            let response = cors::allow(super::shape::no_content());
            let response = span.in_scope(|| finish(response, id, origin, started));
            return Box::pin(std::future::ready(Ok(response)));
        }
        let turned_away = span.in_scope(|| self.door.turned_away(&mut request, &span));
        if let Some(response) = turned_away {
            let response = span.in_scope(|| finish(response, id, origin, started));
            return Box::pin(std::future::ready(Ok(response)));
        }
        let answer = span.in_scope(|| self.inner.call(request));
        let guarded = async move {
            let response = match AssertUnwindSafe(answer).catch_unwind().await {
                Ok(Ok(response)) => response,
                Ok(Err(never)) => match never {},
                Err(_) => {
                    tracing::error!("the request's work panicked");
                    error::internal(id.as_str())
                }
            };
            Ok(finish(response, id, origin, started))
        };
        Box::pin(guarded.instrument(span))
    }
}

/// What every answer goes out with: no internals, the request's id, a line in the log.
fn finish(
    mut response: Response<Body>,
    id: RequestId,
    origin: Option<HeaderValue>,
    started: Instant,
) -> Response<Body> {
    if let Some(Cause(cause)) = response.extensions_mut().remove() {
        tracing::error!(error = %chain(&*cause), "the request failed inside");
        response = error::internal(id.as_str());
    }
    if response.status() != StatusCode::UNAUTHORIZED
        && let Ok(id) = HeaderValue::from_str(id.as_str())
    {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    if let Some(origin) = origin {
        cors::share(&mut response, origin);
    }
    let duration_ms = started.elapsed().as_secs_f64() * 1e3;
    tracing::info!(status = response.status().as_u16(), duration_ms, "answered");
    response
}

/// What every line about a request carries. The route comes with the router.
fn span_of(id: RequestId, request: &Request) -> Span {
    let route = request.extensions().get::<MatchedPath>();
    tracing::info_span!(
        "request",
        request.id = id.as_str(),
        method = request.method().as_str(),
        route = route.map(MatchedPath::as_str),
        caller = tracing::field::Empty,
    )
}

/// An error and everything beneath it.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(": ");
        text.push_str(&error.to_string());
        source = error.source();
    }
    text
}
