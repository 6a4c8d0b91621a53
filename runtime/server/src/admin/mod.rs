//! The staff's door: management as a JSON interface. Each handler extracts, calls one method of
//! [`manage`](service::manage), and shapes the answer. It decides nothing about the business, and
//! shows a secret only where it is made.

mod api;
mod guard;
mod origin;
mod sent;

pub(crate) use api::operations;

use crate::http::door::Door;
use axum::Router;
use service::Service;
use std::sync::Arc;

/// The management interface, to be nested at `/admin`: it answers below `/admin/api/v1`.
///
/// A browser signs in with a cookie and sends the token of its session along with every change; programs
/// send a credential in `Authorization`, as in the data interface.
///
/// Failed sign-ins are limited for each account, and for each source where the requests carry their peer's
/// address: serve with `into_make_service_with_connect_info::<SocketAddr>()`.
pub fn router(service: Arc<Service>) -> Router {
    let door = Door::new(service.clone());
    Router::new()
        .nest_service("/api/v1", api::router(service))
        .layer(door.open())
}
