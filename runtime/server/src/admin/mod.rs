//! The staff's door: management as a JSON interface. Each handler extracts, calls one method of
//! [`manage`](service::manage), and shapes the answer. It decides nothing about the business, and
//! shows a secret only where it is made.

mod api;
mod origin;
#[cfg(feature = "pages")]
pub mod pages;
mod request;
mod response;

use crate::http::DoorSettings;
use crate::http::access::{AccessLayer, CredentialSource};
use crate::http::error::Failure;
use crate::http::request_layer::RequestLayer;
use crate::http::route;
use crate::openapi::Endpoint;
use axum::Router;
use service::{Refusal, Service};
use std::sync::Arc;
use store::StoreError;

/// Where the interface stands in the program, which the document tells.
const PREFIX: &str = "/admin/api/v1";

/// The management interface, to be nested at `/admin`: it answers below `/admin/api/v1`.
///
/// A browser signs in with a cookie and sends the token of its session along with every change; programs
/// send a credential in `Authorization`, as in the data interface.
///
/// Failed sign-ins are limited for each account, and for each source where the requests carry their peer's
/// address: serve with `into_make_service_with_connect_info::<SocketAddr>()`.
pub fn router(service: Arc<Service>) -> Router {
    router_with(service, &DoorSettings::default())
}

/// The management interface with settings of its door. Of them, origins of other pages and the limit of requests
/// are the data interface's alone.
pub fn router_with(service: Arc<Service>, settings: &DoorSettings) -> Router {
    let settings = DoorSettings {
        cors_origins: Vec::new(),
        ..settings.clone()
    };
    let request = RequestLayer::new(&service, &settings);
    let access = AccessLayer::new(service.clone(), CredentialSource::HeaderOrCookie, &settings);
    if service.settings().read_only {
        // nobody signs in and nothing is shown, whatever the credential
        let refused = || async { Failure::from(Refusal::Store(StoreError::ReadOnly)) };
        return Router::new().fallback(refused).layer(request);
    }
    let api = route::router(api::routes(), service, &request, &access);
    Router::new().nest_service("/api/v1", api)
}

/// The management interface for callers that the program around it knows: each request carries a
/// [`Caller`](service::Caller) among its extensions, else it is 401. No credential is read, so it must stand behind
/// what tells who asks, and never on a listener of its own. It answers below `/admin/api/v1`.
pub fn router_of_known_callers(service: Arc<Service>) -> Router {
    let settings = DoorSettings::default();
    let request = RequestLayer::new(&service, &settings);
    let access = AccessLayer::new(service.clone(), CredentialSource::Program, &settings);
    let api = route::router(api::routes(), service, &request, &access);
    Router::new().nest_service(PREFIX, api)
}

/// What the document says of it.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    let routes = api::routes().into_iter();
    routes.map(|route| route.endpoint(PREFIX)).collect()
}
