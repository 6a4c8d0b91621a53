//! The server's side: takes operator requests over HTTP and carries them out.

use crate::backup;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use manifest::failure::Failure;
use service::Service;
use service::secrets::hash;
use std::sync::Arc;

/// The tenant that a request of management is about.
pub(super) const TENANT_HEADER: HeaderName = HeaderName::from_static("fieldstone-tenant");

/// Who may ask, and what answers.
#[derive(Clone)]
struct Control {
    service: Arc<Service>,
    secret_hash: Arc<str>,
    backups: backup::Source,
}

/// Answers operator requests that show the secret.
pub(crate) fn router(service: Arc<Service>, backups: backup::Source, secret: &str) -> Router {
    let control = Control {
        service,
        backups,
        secret_hash: hash(secret).into(),
    };
    let guarded = axum::middleware::map_response(no_page);
    let known = axum::middleware::from_fn_with_state(control.clone(), as_operator);
    let management = server::admin::router_of_known_callers(control.service.clone());
    Router::new()
        .route("/", post(answer))
        .route(backup::PATH, post(back_up))
        .route(super::HEALTH, get(health))
        .with_state(control)
        .fallback_service(management.layer(known))
        .layer(guarded)
}

/// Management, asked by the machine's operator: who shows the secret may do everything in the tenant that is named,
/// or in the only one.
async fn as_operator(
    State(control): State<Control>,
    mut request: axum::extract::Request,
    next: axum::middleware::Next,
) -> Response {
    if !control.admits(request.headers()) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let tenant = request.headers().get(TENANT_HEADER);
    let tenant = tenant.and_then(|name| std::str::from_utf8(name.as_bytes()).ok());
    match manifest::operator_of(&control.service, tenant) {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(error) => {
            let message = Failure::of(&error).to_string();
            let body = axum::Json(serde_json::json!({"message": message}));
            (StatusCode::NOT_FOUND, body).into_response()
        }
    }
}

impl Control {
    /// Whether a request shows the secret.
    fn admits(&self, headers: &HeaderMap) -> bool {
        let secret = headers.get(header::AUTHORIZATION);
        let secret = secret.and_then(|value| value.to_str().ok());
        // hashes are compared, so the time it takes tells nothing of the secret
        secret.is_some_and(|secret| hash(secret) == *self.secret_hash)
    }
}

/// Answers are for commands: no browser is to keep one, or to take it for a page.
async fn no_page(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let mut set = |name, value| headers.insert(name, header::HeaderValue::from_static(value));
    set(header::CACHE_CONTROL, "no-store");
    set(
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; frame-ancestors 'none'",
    );
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    response
}

async fn health(State(control): State<Control>, headers: HeaderMap) -> StatusCode {
    if !control.admits(&headers) {
        return StatusCode::UNAUTHORIZED;
    }
    match control.service.require_ready().await {
        Ok(()) => StatusCode::NO_CONTENT,
        Err(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}

/// A backup, as it is made.
async fn back_up(State(control): State<Control>, headers: HeaderMap) -> Response {
    if !control.admits(&headers) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    match control.backups.begin().await {
        Ok(pieces) => Response::new(Body::new(pieces)),
        Err(error) => {
            tracing::error!(error = format!("{error:#}"), "the store was not backed up");
            let body = axum::Json(Failure::of(&error));
            (StatusCode::INTERNAL_SERVER_ERROR, body).into_response()
        }
    }
}

async fn answer(State(control): State<Control>, request: axum::extract::Request) -> Response {
    let (head, body) = request.into_parts();
    if !control.admits(&head.headers) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    // a manifest comes with its record files, so there is no limit; but only for who may send one
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    match serde_json::from_slice(&body) {
        Ok(request) => server::answer_operator(control.service, request),
        Err(error) => {
            let message = format!(
                "the running server does not know this request ({error}); is it another version?"
            );
            let body = axum::Json(serde_json::json!({"message": message}));
            (StatusCode::BAD_REQUEST, body).into_response()
        }
    }
}
