//! The server's side: takes operator requests over HTTP and carries them out.

use crate::backup;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use manifest::failure::Failure;
use service::Service;
use service::secrets::hash;
use std::sync::Arc;

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
    Router::new()
        .route("/", post(answer))
        .route(backup::PATH, post(back_up))
        .route(super::HEALTH, get(health))
        .with_state(control)
        .layer(guarded)
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

impl Control {
    /// Whether a request shows the secret.
    fn knows(&self, headers: &HeaderMap) -> bool {
        let secret = headers.get(header::AUTHORIZATION);
        let secret = secret.and_then(|value| value.to_str().ok());
        // hashes are compared, so the time it takes tells nothing of the secret
        secret.is_some_and(|secret| hash(secret) == *self.secret_hash)
    }
}

async fn health(State(control): State<Control>, headers: HeaderMap) -> StatusCode {
    if !control.knows(&headers) {
        return StatusCode::UNAUTHORIZED;
    }
    match control.service.require_ready().await {
        Ok(()) => StatusCode::NO_CONTENT,
        Err(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}

/// A backup, as it is made.
async fn back_up(State(control): State<Control>, headers: HeaderMap) -> Response {
    if !control.knows(&headers) {
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
    if !control.knows(&head.headers) {
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
