//! What a line of the log tells of a request that is learnt on its way: who calls, and which route
//! answers. The door lays an empty note into the request and reads it when the answer goes out.

use axum::extract::{MatchedPath, Request};
use service::Caller;
use std::sync::{Arc, OnceLock};

/// What is known of one request so far.
#[derive(Default)]
pub(crate) struct Note {
    caller: OnceLock<Caller>,
    route: OnceLock<MatchedPath>,
}

impl Note {
    /// Who calls, once its credential was judged.
    pub(crate) fn caller(&self) -> Option<&Caller> {
        self.caller.get()
    }

    /// The pattern of the route: the path itself may hold a primary key.
    pub(super) fn route(&self) -> Option<&str> {
        self.route.get().map(MatchedPath::as_str)
    }

    /// Notes the route; the first one stays.
    pub(super) fn pass(&self, route: Option<&MatchedPath>) {
        if let Some(route) = route {
            self.route.get_or_init(|| route.clone());
        }
    }

    /// Lets a caller in.
    pub(crate) fn admit(&self, caller: Caller) {
        // INVARIANT: a request has one credential, which is judged once
        let _ = self.caller.set(caller);
    }

    /// The note of a request that came through the door.
    pub(crate) fn of(request: &Request) -> Option<&Arc<Note>> {
        request.extensions().get()
    }
}
