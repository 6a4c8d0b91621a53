//! What the trail is told of answers that refuse: wrong passwords, too many requests, missing tokens, bad links. Whoever
//! makes such an answer marks it, and the request layer, which knows address, route and caller, tells the service.

use super::context::RequestContext;
use axum::body::Body;
use axum::http::Response;
use service::{About, Incident, Service};
use store::catalog::AuditAction;

/// The mark of an answer.
#[derive(Clone)]
struct Mark {
    cause: AuditAction,
    about: About,
}

/// Marks an answer; a mark that it has already gives way.
pub(crate) fn mark(
    mut response: Response<Body>,
    cause: AuditAction,
    about: About,
) -> Response<Body> {
    response.extensions_mut().insert(Mark { cause, about });
    response
}

/// Says what a marked answer is about, whatever its cause is.
pub(crate) fn about(mut response: Response<Body>, about: About) -> Response<Body> {
    if let Some(mark) = response.extensions_mut().get_mut::<Mark>() {
        mark.about = about;
    }
    response
}

/// Tells the service of an answer that is marked.
pub(super) fn tell(service: &Service, context: &RequestContext, response: &mut Response<Body>) {
    let Some(Mark { cause, about }) = response.extensions_mut().remove() else {
        return;
    };
    let route = context.route();
    service.note_incident(Incident {
        cause,
        address: context.client_address,
        route: route.map(|route| format!("{} {route}", context.method)),
        caller: context.caller(),
        about,
    });
}
