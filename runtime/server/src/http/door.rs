//! The door every request comes through: it gets an id, its credential is judged, the log has its line, and
//! a failure inside becomes an answer without internals. Which status that is, [`error`](super::error) knows.

use super::cors::{self, Cors};
use super::error::{self, Cause};
use super::extract::single;
use super::note::Note;
use super::rate::Rate;
use super::request_id::{RequestId, RequestIds};
use super::settings::DoorSettings;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use axum::http::{Method, Response, StatusCode};
use futures_util::FutureExt as _;
use service::{Caller, Service};
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

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
    fn turned_away(&self, request: &Request, note: &Note) -> Option<Response<Body>> {
        if !self.asks {
            return None;
        }
        let Some(caller) = self.caller(request) else {
            return Some(error::unauthenticated());
        };
        let verdict = match &self.rate {
            Some(rate) => rate.take(caller.id(), self.service.now()),
            None => Ok(()),
        };
        note.admit(caller);
        verdict.err().map(error::too_many)
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
        let note = Arc::new(Note::default());
        note.pass(request.extensions().get());
        let asked = Asked {
            started: Instant::now(),
            id: self.door.ids.next(),
            method: request.method().clone(),
            origin: self.door.cors.origin_of(&request),
            note: note.clone(),
        };
        if asked.origin.is_some() && cors::is_preflight(&request) {
            let response = cors::allow(super::shape::no_content());
            return Box::pin(std::future::ready(Ok(asked.answered(response))));
        }
        if let Some(response) = self.door.turned_away(&request, &note) {
            return Box::pin(std::future::ready(Ok(asked.answered(response))));
        }
        request.extensions_mut().insert(note);
        let answer = self.inner.call(request);
        Box::pin(async move {
            let response = match AssertUnwindSafe(answer).catch_unwind().await {
                Ok(Ok(response)) => response,
                Ok(Err(never)) => match never {},
                Err(_) => {
                    tracing::error!(
                        request.id = asked.id.as_str(),
                        "the request's work panicked"
                    );
                    error::internal(asked.id.as_str())
                }
            };
            Ok(asked.answered(response))
        })
    }
}

/// A request as the door remembers it until it is answered. Its lines in the log carry what it knows
/// themselves: a span would cost every request more than its line.
struct Asked {
    started: Instant,
    id: RequestId,
    method: Method,
    origin: Option<HeaderValue>,
    note: Arc<Note>,
}

impl Asked {
    /// What every answer goes out with: no internals, the request's id, a line in the log.
    fn answered(self, mut response: Response<Body>) -> Response<Body> {
        if let Some(Cause(cause)) = response.extensions_mut().remove() {
            tracing::error!(
                request.id = self.id.as_str(),
                error = %chain(&*cause),
                "the request failed inside"
            );
            response = error::internal(self.id.as_str());
        }
        if response.status() != StatusCode::UNAUTHORIZED
            && let Ok(id) = HeaderValue::from_str(self.id.as_str())
        {
            response.headers_mut().insert(REQUEST_ID, id);
        }
        if let Some(origin) = self.origin {
            cors::share(&mut response, origin);
        }
        tracing::info!(
            request.id = self.id.as_str(),
            method = self.method.as_str(),
            route = self.note.route(),
            caller = self.note.caller().map(Caller::id),
            status = response.status().as_u16(),
            duration_ms = self.started.elapsed().as_secs_f64() * 1e3,
            "answered"
        );
        response
    }
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
