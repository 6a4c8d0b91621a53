//! What is learnt about one request on its way: its id, who calls, which route answers. The request layer puts
//! it into the request and reads it when the answer goes out; it holds nothing of bodies.

use super::request_id::RequestId;
use super::trace_id::TraceId;
use axum::extract::MatchedPath;
use axum::http::Method;
use service::{Caller, Owner};
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use store::catalog::App;

/// One request, from its arrival to its answer.
pub(crate) struct RequestContext {
    /// The id that the answer and the log name.
    pub(super) id: RequestId,
    /// The trace that it is part of.
    pub(super) trace: Option<TraceId>,
    /// What is asked for.
    pub(super) method: Method,
    /// When it came.
    pub(super) started: Instant,
    /// The address of who asks.
    pub(crate) client_address: Option<IpAddr>,
    caller: OnceLock<Caller>,
    client: OnceLock<Arc<App>>,
    session: OnceLock<String>,
    route: OnceLock<MatchedPath>,
    route_taken: Option<RouteTaken>,
    address: OnceLock<String>,
}

/// Which route a request took: for a layer around the doors, which puts it into the request's extensions and reads it
/// when there is an answer. A layer outside does not see the route before.
#[derive(Clone, Debug, Default)]
pub struct RouteTaken(Arc<OnceLock<MatchedPath>>);

impl RouteTaken {
    /// The route as it is described, such as `/v1/datasets/{id}`; `None` where the address leads nowhere.
    #[must_use]
    pub fn get(&self) -> Option<&str> {
        self.0.get().map(MatchedPath::as_str)
    }
}

impl RequestContext {
    /// A request of which nothing else is known yet.
    pub(super) fn new(
        id: RequestId,
        trace: Option<TraceId>,
        method: Method,
        client_address: Option<IpAddr>,
    ) -> Self {
        RequestContext {
            id,
            trace,
            method,
            started: Instant::now(),
            client_address,
            caller: OnceLock::new(),
            client: OnceLock::new(),
            session: OnceLock::new(),
            route: OnceLock::new(),
            route_taken: None,
            address: OnceLock::new(),
        }
    }

    /// Who calls, once its credential was judged.
    pub(crate) fn caller(&self) -> Option<&Caller> {
        self.caller.get()
    }

    /// The id that the answer and the log name, as text.
    #[cfg(feature = "pages")]
    pub(crate) fn request_id(&self) -> &str {
        self.id.as_str()
    }

    /// Who holds the memory that the request takes.
    pub(super) fn owner(&self) -> Owner {
        self.caller().map_or_else(Owner::default, Caller::owner)
    }

    /// The id and the name of who asks, for the log: the caller's, or those of the client that a token is asked for,
    /// be its secret right or wrong.
    pub(super) fn asker(&self) -> Option<(&str, &str)> {
        let client = || {
            self.client
                .get()
                .map(|it| (it.id.as_str(), it.name.as_str()))
        };
        let caller = self.caller().map(|it| (it.id(), it.name()));
        caller.or_else(client)
    }

    /// Remembers the client that a token is asked for.
    pub(super) fn set_client(&self, client: &Arc<App>) {
        self.client.get_or_init(|| client.clone());
    }

    /// The secret of the session that the caller came in with.
    pub(crate) fn session(&self) -> Option<&str> {
        self.session.get().map(String::as_str)
    }

    /// The pattern of the route: the path itself may hold a primary key.
    pub(super) fn route(&self) -> Option<&str> {
        let route = self.route.get().map(MatchedPath::as_str);
        route.or_else(|| self.address.get().map(String::as_str))
    }

    /// Remembers which route a request would have come to that was refused before.
    pub(super) fn set_address(&self, address: String) {
        self.address.get_or_init(|| address);
    }

    /// Remembers the route; the first one stays.
    pub(super) fn set_route(&self, route: Option<&MatchedPath>) {
        if let Some(route) = route {
            let route = self.route.get_or_init(|| route.clone());
            if let Some(taken) = &self.route_taken {
                taken.0.get_or_init(|| route.clone());
            }
        }
    }

    /// Tells whoever put this into the request which route it takes.
    pub(super) fn tell_route(&mut self, taken: Option<&RouteTaken>) {
        self.route_taken = taken.cloned();
    }

    /// Remembers the caller.
    pub(super) fn set_caller(&self, caller: Caller) {
        // INVARIANT: a request has one credential, which is judged once
        let _ = self.caller.set(caller);
    }

    /// Remembers the session that is the caller's credential.
    pub(super) fn set_session(&self, secret: String) {
        // INVARIANT: a request has one credential, which is judged once
        let _ = self.session.set(secret);
    }
}
