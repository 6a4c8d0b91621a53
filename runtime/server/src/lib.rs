//! The doors over HTTP, as axum routers: the data interface, management, and the OpenAPI document that
//! describes both. They decide nothing about the business: each handler extracts, calls one function of the
//! service, and shapes the answer.
//!
//! | room | what it is for |
//! | - | - |
//! | `http` | the data interface, and what both interfaces are made of |
//! | [`admin`] | management |
//! | `hang_up` | whether who waits long is still there |
//! | `document` | what describes them, from the tables that their routers are made of |
//! | `operations` | what commands ask for, answered line by line while it is done |
//! | `schema_files` | a schema as a document, SQL, types and text, for management and pages alike |
//! | `openapi` | the words that a description is told in |

pub mod admin;
mod document;
mod hang_up;
mod http;
mod openapi;
mod operations;
mod schema_files;

pub use document::document;
pub use hang_up::HangUp;
pub use http::framing::{Frames, Framing, close};
pub use http::{DoorSettings, Network, RouteTaken, shown_method};
pub use operations::answer_operator;

use axum::Router;
use service::Service;
use std::sync::Arc;

/// The data interface of a service. Every path that is not public asks for a credential first, also those
/// that lead nowhere.
pub fn router(service: Arc<Service>) -> Router {
    router_with(service, &DoorSettings::default())
}

/// The data interface with settings of its door.
pub fn router_with(service: Arc<Service>, settings: &DoorSettings) -> Router {
    let documents = document::documents(settings, service.settings());
    http::router(service, settings, &documents)
}
