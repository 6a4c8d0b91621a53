//! The one line of the log that each request has, or, of reads that went well, one of as many as the operator says: who asked
//! by which route, and what came of it. It holds no path and no
//! query, since they may hold a primary key, words of a search or the signature of a link; of a credential the id and
//! the name. `docs/interface.md`, "Requests and answers".

use super::context::RequestContext;
use axum::body::Body;
use axum::http::{Method, Response, StatusCode};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};

/// What stands for the route where there is none: the address leads nowhere, or the request was not read so far.
pub(super) const NO_ROUTE: &str = "unknown";

/// What an answer carries to who was refused, where its status does not say so: a browser is sent to the sign-in, or to where
/// a password is chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IsRefusal;

/// Which reads that went well have a line: the first, and one of so many behind it.
#[derive(Debug)]
pub(super) struct Sampling {
    one_of: NonZeroU32,
    reads: AtomicU32,
}

impl Sampling {
    pub(super) fn of(one_of: NonZeroU32) -> Self {
        Sampling {
            one_of,
            reads: AtomicU32::new(0),
        }
    }

    /// Whether a request has a line; one that writes, was refused or failed has it always.
    pub(super) fn has_line(&self, method: &Method, answer: &Response<Body>) -> bool {
        let status = answer.status();
        let is_refusal = answer.extensions().get::<IsRefusal>().is_some();
        let is_well = !is_refusal && !status.is_client_error() && !status.is_server_error();
        if !method.is_safe() || !is_well {
            return true;
        }
        // INVARIANT: what is counted only says which line is written, so the order of threads is no matter
        self.reads.fetch_add(1, Ordering::Relaxed) % self.one_of == 0
    }
}

/// The line of a request that came to an answer. It carries what is known of the request itself: a span would cost
/// every request more than its line.
pub(super) fn answered(context: &RequestContext, status: StatusCode) {
    let asker = context.asker();
    tracing::info!(
        request.id = context.id.as_str(),
        trace.id = context.trace.as_ref().map(super::trace_id::TraceId::as_str),
        method = method(&context.method),
        route = context.route().unwrap_or(NO_ROUTE),
        caller = asker.map(|(id, _)| id),
        caller.name = asker.map(|(_, name)| name),
        address = context.client_address.map(tracing::field::display),
        status = status.as_u16(),
        duration_ms = context.started.elapsed().as_secs_f64() * 1e3,
        "answered"
    );
}

/// A method that nobody has is text of the client's, of any length.
pub fn method(method: &Method) -> &str {
    match method.as_str() {
        known @ ("GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "PATCH" | "OPTIONS" | "TRACE"
        | "CONNECT") => known,
        _ => "other",
    }
}
