//! Requests of a store that other servers change, too: each is answered by what they committed before it came, and one for
//! which the store can't be asked is refused. Where this server alone changes what requests are judged by, none waits.

use super::error::Failure;
use super::middleware::{HttpService, Middleware, MiddlewareService, Waiting};
use axum::extract::Request;
use axum::response::IntoResponse as _;
use futures_util::future::Either;
use service::{Refusal, Service};
use std::sync::Arc;

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
    type Service = MiddlewareService<Self, S>;

    fn layer(&self, inner: S) -> Self::Service {
        MiddlewareService::new(self.clone(), inner)
    }
}

impl Middleware for CurrentLayer {
    type Answer<S: HttpService> = Either<S::Future, Waiting>;

    fn call<S: HttpService>(&self, inner: &mut S, request: Request) -> Self::Answer<S> {
        if self.service.store().be_current().is_none() {
            return Either::Left(inner.call(request));
        }
        let service = self.service.clone();
        let mut ready = inner.take_ready();
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
