//! The data interface over HTTP: each handler extracts, calls one function of the service, and shapes the
//! answer. It decides nothing about the business; status codes are `error`'s alone. Management uses the same
//! layers, calls and routes.
//!
//! | room | what it is for |
//! | - | - |
//! | `table` | every route with its description |
//! | `route` | how a table becomes a router |
//! | `request_layer`, `current`, `access` | what happens to each request before its handler |
//! | `middleware` | what these are to the router |
//! | `framing` | what happens to each message before that, where there are connections |
//! | `call`, `path`, `query`, `body`, `accept` | what a handler is given |
//! | `room`, `compression` | the memory that bodies and answers have, and how few bytes an answer takes |
//! | `response`, `error` | answers that say yes, answers that say no |

pub(crate) mod accept;
pub(crate) mod access;
mod answer_headers;
mod areas;
pub(crate) mod body;
pub(crate) mod call;
mod changes;
mod client_address;
mod compression;
pub(crate) mod context;
pub(crate) mod cookies;
mod cors;
pub(crate) mod current;
mod datasets;
mod description;
pub(crate) mod error;
pub(crate) mod files;
pub(crate) mod framing;
mod front_page;
pub(crate) mod header;
mod health;
pub(crate) mod incident;
pub(crate) mod json_weight;
mod middleware;
pub(crate) mod path;
pub(crate) mod query;
mod rate_limit;
mod records;
mod request_id;
pub(crate) mod request_layer;
pub(crate) mod request_log;
mod request_metrics;
pub(crate) mod response;
pub(crate) mod room;
pub(crate) mod route;
mod schemas;
mod search;
mod settings;
mod table;
mod token;
mod trace_id;

pub use client_address::Network;
pub use context::RouteTaken;
pub(crate) use description::{Documents, SchemaPlace};
pub(crate) use front_page::FrontPage;
#[cfg(feature = "pages")]
pub(crate) use front_page::FrontTexts;
pub use request_log::method as shown_method;
pub use settings::DoorSettings;
pub(crate) use table::{endpoints, record_endpoints};

use access::{AccessLayer, CredentialSource};
use axum::Router;
use request_layer::RequestLayer;
use service::Service;
use std::sync::Arc;

/// The data interface of a service, with settings of its door and the documents that describe it.
pub(crate) fn router(
    service: Arc<Service>,
    settings: &DoorSettings,
    documents: &Documents,
) -> Router {
    let request = RequestLayer::new(&service, settings);
    let access = AccessLayer::new(service.clone(), CredentialSource::Header, settings)
        .limited_to(settings.requests_per_second_max);
    route::router(table::routes(documents), service, &request, &access)
}
