//! The one line of the log that each request has: who asked by which route, and what came of it. It holds no path and no
//! query, since they may hold a primary key, words of a search or the signature of a link; of a credential the id and
//! the name. `docs/interface.md`, "Requests and answers".

use super::context::RequestContext;
use axum::http::{Method, StatusCode};

/// What stands for the route where there is none: the address leads nowhere, or the request was not read so far.
pub(super) const NO_ROUTE: &str = "unknown";

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
