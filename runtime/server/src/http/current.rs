//! Requests of a store that other servers change, too: each is answered by what they committed before it came, and one for
//! which the store can't be asked is refused. Where this server alone changes what requests are judged by, none waits.

use super::error::Failure;
use axum::body::Body;
use axum::extract::Request;
use axum::http::Response;
use axum::response::IntoResponse as _;
use futures_util::future::Either;
use service::{Refusal, Service};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// Where it is asked whether the process lives.
pub(super) const ALIVE: &str = "/healthz";
/// Where it is asked whether it can serve.
pub(super) const READY: &str = "/readyz";

/// An answer that the store is asked for first.
type Asked = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

/// Has the service be as new as its store before a request is looked at.
#[derive(Clone)]
pub(crate) struct CurrentLayer {
    service: Arc<Service>,
}

impl CurrentLayer {
    /// For a door of this service.
    pub(crate) fn new(service: &Arc<Service>) -> Self {
        CurrentLayer {
            service: service.clone(),
        }
    }
}

impl<S> tower_layer::Layer<S> for CurrentLayer {
    type Service = CurrentService<S>;

    fn layer(&self, inner: S) -> CurrentService<S> {
        CurrentService {
            service: self.service.clone(),
            inner,
        }
    }
}

/// What answers by the newest that is committed.
#[derive(Clone)]
pub(crate) struct CurrentService<S> {
    service: Arc<Service>,
    inner: S,
}

impl<S> tower_service::Service<Request> for CurrentService<S>
where
    S: tower_service::Service<Request, Response = Response<Body>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Either<S::Future, Asked>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let is_of_others = self.service.store().be_current().is_some();
        // whether the process lives is no question to a database; and that one fails is an answer to whether it can serve
        if !is_of_others || [ALIVE, READY].contains(&request.uri().path()) {
            return Either::Left(self.inner.call(request));
        }
        let service = self.service.clone();
        let next = self.inner.clone();
        let mut ready = std::mem::replace(&mut self.inner, next);
        Either::Right(Box::pin(async move {
            let current = match service.store().be_current() {
                Some(current) => current.await,
                None => Ok(()),
            };
            match current {
                Ok(()) => {
                    service.follow_signing_secret();
                    ready.call(request).await
                }
                Err(error) => Ok(Failure::from(Refusal::from(error)).into_response()),
            }
        }))
    }
}
