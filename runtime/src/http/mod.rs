//! The data interface over HTTP: each handler extracts, calls one function of the service, and shapes the
//! answer. It decides nothing about the business; status codes are [`error`]'s alone.

mod areas;
mod cors;
mod datasets;
pub(crate) mod door;
pub(crate) mod error;
pub(crate) mod extract;
mod files;
mod health;
mod rate;
mod records;
mod request_id;
mod schemas;
mod search;
mod settings;
pub(crate) mod shape;
mod token;

pub use settings::DoorSettings;

use crate::service::Service;
use axum::Router;
use axum::routing::{get, post, put};
use door::Door;
use error::Failure;
use std::sync::Arc;
use tower_layer::Layer as _;

const SCHEMAS: &str = "/v1/businessareas/{area}/schemas";
const SCHEMA: &str = "/v1/businessareas/{area}/schemas/{schema}";
const DATASETS: &str = "/v1/businessareas/{area}/schemas/{schema}/datasets";
const RECORDS: &str = "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects";
const RECORD: &str =
    "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects/{record}";
const BY_KEY: &str =
    "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects/by-pk/{key}";
const FILES: &str = "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/files";
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
        .route("/oauth2/token", post(token::issue))
        .route("/healthz", get(health::is_alive))
        .route("/readyz", get(health::is_ready))
        .route("/v1/files/{id}", get(files::download))
        .method_not_allowed_fallback(wrong_method)
        .layer(door.open());
    let guarded = Router::new()
        .route("/v1/my/businessareas", get(areas::list))
        .route(SCHEMAS, get(schemas::list))
        .route(SCHEMA, get(schemas::detail))
        .route(DATASETS, get(datasets::list))
        .route(RECORDS, get(records::list).post(records::create))
        .route(RECORD, put(records::update).delete(records::delete))
        .route(BY_KEY, get(records::by_key))
        .route(BY_EMPTY_KEY, get(records::by_key))
        .route(FILES, post(files::upload))
        .route("/v1/dataobjects/search", get(search::search))
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
