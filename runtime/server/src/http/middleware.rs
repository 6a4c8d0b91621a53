//! What a layer of ours is to the router: it stands around a service, and answers in its place or has it answer. None of
//! those on the way of data is axum's `from_fn`, which puts the service and each of its answers into a box, also where there is nothing to wait for.

use axum::body::Body;
use axum::extract::Request;
use axum::http::Response;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use tower_service::Service;

/// What a service answers.
pub(super) type Answered = Result<Response<Body>, Infallible>;

/// An answer that something is waited for first.
pub(super) type Waiting = Pin<Box<dyn Future<Output = Answered> + Send>>;

/// What answers requests: a router, or one with layers around it.
pub(crate) trait HttpService:
    Service<Request, Response = Response<Body>, Error = Infallible, Future: Send + 'static>
    + Clone
    + Send
    + 'static
{
    /// The service that was found ready; another one stays in its place.
    fn take_ready(&mut self) -> Self {
        let next = self.clone();
        std::mem::replace(self, next)
    }
}

impl<S> HttpService for S where
    S: Service<Request, Response = Response<Body>, Error = Infallible, Future: Send + 'static>
        + Clone
        + Send
        + 'static
{
}

/// What is done with each request.
pub(crate) trait Middleware {
    /// The answer, of a service or in its place.
    type Answer<S: HttpService>: Future<Output = Answered> + Send + 'static;

    /// Answers a request, or has the service answer that it stands around.
    fn call<S: HttpService>(&self, inner: &mut S, request: Request) -> Self::Answer<S>;
}

/// A service with a layer around it.
#[derive(Clone)]
pub(crate) struct MiddlewareService<M, S> {
    middleware: M,
    inner: S,
}

impl<M, S> MiddlewareService<M, S> {
    /// This service in that layer.
    pub(super) fn new(middleware: M, inner: S) -> Self {
        MiddlewareService { middleware, inner }
    }
}

impl<M: Middleware, S: HttpService> Service<Request> for MiddlewareService<M, S> {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = M::Answer<S>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        self.middleware.call(&mut self.inner, request)
    }
}
