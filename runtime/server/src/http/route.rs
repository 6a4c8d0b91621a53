//! One line of an interface's table: what a handler answers, and what the document says of it. Routers and the
//! OpenAPI document are made from the same lines, so that neither has anything the other does not.

use super::access::AccessLayer;
use super::context::RequestContext;
use super::current::CurrentLayer;
use super::error::Failure;
use super::request_layer::RequestLayer;
use crate::openapi::{Endpoint, Operation};
use axum::Router;
use axum::extract::Request;
use axum::handler::Handler;
use axum::routing::{self, MethodRouter};
use service::Service;
use std::borrow::Cow;
use std::sync::Arc;
use tower_layer::{Layer as _, Stack};

/// A method of a path, with its handler and its description.
pub(crate) struct Route {
    method: &'static str,
    path: Cow<'static, str>,
    /// Another spelling of the path, for which the description holds too.
    alias: Option<&'static str>,
    handler: MethodRouter<Arc<Service>>,
    operation: Operation,
    /// Whether it is answered also while the store can't be asked what other servers changed.
    is_always_answered: bool,
}

/// What answers calls.
macro_rules! methods {
    ($($name:ident $method:literal),*) => {$(
        #[doc = concat!("`", $method, "` of a path.")]
        pub(crate) fn $name<T: 'static>(
            path: impl Into<Cow<'static, str>>,
            handler: impl Handler<T, Arc<Service>>,
            operation: Operation,
        ) -> Self {
            Route {
                method: $method,
                path: path.into(),
                alias: None,
                handler: routing::$name(handler),
                operation: operation.asked_by($method),
                is_always_answered: false,
            }
        }
    )*};
}

impl Route {
    methods!(get "GET", post "POST", put "PUT", delete "DELETE");

    /// The same under another spelling of the path.
    pub(super) fn or_at(self, alias: &'static str) -> Self {
        Route {
            alias: Some(alias),
            ..self
        }
    }

    /// The same, which needs no credential and is judged by nothing that is in the store: it is answered also while that can't
    /// be reached.
    pub(super) fn always(self) -> Self {
        Route {
            is_always_answered: true,
            ..self
        }
    }

    /// The same, where a session is asked for a fresh proof; one that only reads is not.
    pub(crate) fn with_proof(self) -> Self {
        if self.method == "GET" {
            return self;
        }
        Route {
            operation: self.operation.needs_proof(),
            ..self
        }
    }

    /// What the document says of it, when the interface stands below a prefix.
    pub(crate) fn endpoint(self, prefix: &str) -> Endpoint {
        Endpoint {
            method: self.method,
            path: format!("{prefix}{}", self.path),
            operation: self.operation,
        }
    }
}

/// The router of a table. What is not public asks for a credential first, and so does every path that leads
/// nowhere: the layers stand outside the guarded routes, and not even a header tells which there are.
pub(crate) fn router(
    routes: Vec<Route>,
    service: Arc<Service>,
    request: &RequestLayer,
    access: &AccessLayer,
) -> Router {
    let is_public = |route: &Route| route.operation.is_public();
    let (public, guarded): (Vec<_>, Vec<_>) = routes.into_iter().partition(is_public);
    let is_always = |route: &Route| route.is_always_answered;
    let (always, public): (Vec<_>, Vec<_>) = public.into_iter().partition(is_always);
    let addresses = guarded.iter().map(|route| route.path.to_string()).collect();
    let access = access.clone().before(addresses);
    let current = CurrentLayer::new(&service);
    let guarded = of_routes(guarded)
        .fallback(unknown_route)
        .with_state(service.clone());
    of_routes(public)
        .layer(Stack::new(current.clone(), request.clone()))
        .merge(of_routes(always).layer(request.clone()))
        .with_state(service)
        .fallback_service(request.layer(current.layer(access.layer(guarded))))
}

fn of_routes(routes: Vec<Route>) -> Router<Arc<Service>> {
    let mut router = Router::new();
    for route in routes {
        if let Some(alias) = route.alias {
            router = router.route(alias, route.handler.clone());
        }
        router = router.route(&route.path, route.handler);
    }
    router.method_not_allowed_fallback(wrong_method)
}

async fn unknown_route() -> Failure {
    Failure::UnknownRoute
}

async fn wrong_method(request: Request) -> Failure {
    if let Some(context) = request.extensions().get::<Arc<RequestContext>>() {
        context.set_route(request.extensions().get());
    }
    Failure::WrongMethod
}
