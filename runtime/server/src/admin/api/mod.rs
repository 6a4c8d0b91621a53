//! The addresses of the management interface. All but signing in ask for a credential first.

mod api_keys;
mod apps;
mod areas;
mod audit;
mod datasets;
mod described;
mod domains;
mod records;
mod roles;
mod schemas;
mod sessions;
mod tenants;
mod users;

pub(crate) use described::operations;

use super::guard;
use crate::http::error::Failure;
use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{delete, get, post, put};
use service::Service;
use std::sync::Arc;
use tower_layer::Layer as _;

pub(super) fn router(service: Arc<Service>) -> Router {
    let public = Router::new()
        .route("/sessions", post(sessions::sign_in))
        .method_not_allowed_fallback(wrong_method);
    let guarded = data()
        .merge(callers())
        .route("/session", get(sessions::who).delete(sessions::sign_out))
        .route("/session/password", put(sessions::change_password))
        .route("/tenant", get(tenants::get).put(tenants::update))
        .route("/audit", get(audit::list))
        .method_not_allowed_fallback(wrong_method)
        .fallback(unknown_route)
        .with_state(service.clone());
    // the guard stands outside the router: not even a header of its own tells which paths there are
    let guard = from_fn_with_state(service.clone(), guard::ask);
    public
        .with_state(service)
        .fallback_service(guard.layer(guarded))
}

/// Areas and what is below them.
fn data() -> Router<Arc<Service>> {
    let area = get(areas::get).put(areas::update).delete(areas::delete);
    let schema = get(schemas::get)
        .put(schemas::update)
        .delete(schemas::delete);
    let dataset = get(datasets::get)
        .put(datasets::update)
        .delete(datasets::delete);
    let domain = get(domains::get)
        .put(domains::update)
        .delete(domains::delete);
    Router::new()
        .route("/areas", get(areas::list).post(areas::create))
        .route("/areas/{id}", area)
        .route("/areas/{id}/restore", post(areas::restore))
        .route(
            "/areas/{id}/schemas",
            get(schemas::list).post(schemas::create),
        )
        .route("/schemas/{id}", schema)
        .route("/schemas/{id}/restore", post(schemas::restore))
        .route(
            "/schemas/{id}/datasets",
            get(datasets::list).post(datasets::create),
        )
        .route("/datasets/{id}", dataset)
        .route("/datasets/{id}/restore", post(datasets::restore))
        .route("/datasets/{id}/changes", get(records::changes))
        .route("/datasets/{id}/deleted-records", get(records::deleted))
        .route(
            "/datasets/{id}/deleted-records/{record}",
            delete(records::purge),
        )
        .route(
            "/datasets/{id}/deleted-records/{record}/restore",
            post(records::restore),
        )
        .route("/domains", get(domains::list).post(domains::create))
        .route("/domains/{id}", domain)
}

/// Whoever may call, and what they may do.
fn callers() -> Router<Arc<Service>> {
    let role = get(roles::get).put(roles::update).delete(roles::delete);
    let user = get(users::get).put(users::update).delete(users::delete);
    let key = get(api_keys::get)
        .put(api_keys::update)
        .delete(api_keys::delete);
    let app = get(apps::get).put(apps::update).delete(apps::delete);
    Router::new()
        .route("/roles", get(roles::list).post(roles::create))
        .route("/roles/{id}", role)
        .route("/users", get(users::list).post(users::create))
        .route("/users/{id}", user)
        .route("/users/{id}/enable", post(users::enable))
        .route("/users/{id}/disable", post(users::disable))
        .route("/api-keys", get(api_keys::list).post(api_keys::create))
        .route("/api-keys/{id}", key)
        .route("/api-keys/{id}/enable", post(api_keys::enable))
        .route("/api-keys/{id}/disable", post(api_keys::disable))
        .route("/apps", get(apps::list).post(apps::create))
        .route("/apps/{id}", app)
        .route("/apps/{id}/enable", post(apps::enable))
        .route("/apps/{id}/disable", post(apps::disable))
        .route("/apps/{id}/secret", post(apps::renew_secret))
}

async fn unknown_route() -> Failure {
    Failure::UnknownRoute
}

async fn wrong_method() -> Failure {
    Failure::WrongMethod
}
