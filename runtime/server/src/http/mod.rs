//! The data interface over HTTP: each handler extracts, calls one function of the service, and shapes the
//! answer. It decides nothing about the business; status codes are `error`'s alone.

mod areas;
pub(crate) mod call;
mod cors;
mod datasets;
pub(crate) mod door;
pub(crate) mod error;
pub(crate) mod extract;
mod files;
mod health;
pub(crate) mod note;
mod rate;
mod records;
mod request_id;
mod schemas;
mod search;
mod settings;
pub(crate) mod shape;
mod token;

pub use settings::DoorSettings;

use crate::openapi::routes as openapi;
use axum::Router;
use axum::routing::{get, post, put};
use door::Door;
use error::Failure;
use service::Service;
use std::sync::Arc;
use tower_layer::Layer as _;

pub(crate) const TOKEN: &str = "/oauth2/token";
pub(crate) const ALIVE: &str = "/healthz";
pub(crate) const READY: &str = "/readyz";
pub(crate) const DOCUMENT: &str = "/openapi.json";
pub(crate) const FILE: &str = "/v1/files/{id}";
pub(crate) const AREAS: &str = "/v1/my/businessareas";
pub(crate) const SEARCH: &str = "/v1/dataobjects/search";
pub(crate) const SCHEMAS: &str = "/v1/businessareas/{area}/schemas";
pub(crate) const SCHEMA: &str = "/v1/businessareas/{area}/schemas/{schema}";
pub(crate) const SCHEMA_DOCUMENT: &str = "/v1/businessareas/{area}/schemas/{schema}/openapi.json";
pub(crate) const DATASETS: &str = "/v1/businessareas/{area}/schemas/{schema}/datasets";
pub(crate) const RECORDS: &str =
    "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects";
pub(crate) const RECORD: &str =
    "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects/{record}";
pub(crate) const BY_KEY: &str =
    "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects/by-pk/{key}";
pub(crate) const FILES: &str = "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/files";
/// A blank key is one that no record has, not another address.
const BY_EMPTY_KEY: &str =
    "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects/by-pk/";

/// The data interface of a service. Every path that is not public asks for a credential first, also those
/// that lead nowhere.
pub fn router(service: Arc<Service>) -> Router {
    router_with(service, &DoorSettings::default())
}

/// The data interface with settings of its door.
pub fn router_with(service: Arc<Service>, settings: &DoorSettings) -> Router {
    let door = Door::with(service.clone(), settings);
    let public = Router::new()
        .route(TOKEN, post(token::issue))
        .route(ALIVE, get(health::is_alive))
        .route(READY, get(health::is_ready))
        .route(FILE, get(files::download))
        .route(DOCUMENT, get(openapi::whole))
        .method_not_allowed_fallback(wrong_method)
        .layer(door.open());
    let guarded = Router::new()
        .route(AREAS, get(areas::list))
        .route(SCHEMAS, get(schemas::list))
        .route(SCHEMA, get(schemas::detail))
        .route(SCHEMA_DOCUMENT, get(openapi::of_schema))
        .route(DATASETS, get(datasets::list))
        .route(RECORDS, get(records::list).post(records::create))
        .route(RECORD, put(records::update).delete(records::delete))
        .route(BY_KEY, get(records::by_key))
        .route(BY_EMPTY_KEY, get(records::by_key))
        .route(FILES, post(files::upload))
        .route(SEARCH, get(search::search))
        .method_not_allowed_fallback(wrong_method)
        .fallback(unknown_route)
        .with_state(service.clone());
    // the door stands outside the router: not even a header of its own tells which paths there are
    public
        .with_state(service)
        .fallback_service(door.guarded().layer(guarded))
}

async fn unknown_route() -> Failure {
    Failure::UnknownRoute
}

async fn wrong_method() -> Failure {
    Failure::WrongMethod
}
