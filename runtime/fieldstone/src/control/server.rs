//! The server's side: takes operator requests over HTTP and carries them out.

use axum::Router;
use axum::body::to_bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use service::Service;
use service::secrets::hash;
use std::sync::Arc;

/// Who may ask, and what answers.
#[derive(Clone)]
struct Control {
    service: Arc<Service>,
    secret_hash: Arc<str>,
}

/// Answers operator requests that show the secret.
pub(crate) fn router(service: Arc<Service>, secret: &str) -> Router {
    let control = Control {
        service,
        secret_hash: hash(secret).into(),
    };
    let guarded = axum::middleware::map_response(no_page);
    Router::new()
        .route("/", post(answer))
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

async fn answer(State(control): State<Control>, request: axum::extract::Request) -> Response {
    let (head, body) = request.into_parts();
    let secret = head
        .headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    // hashes are compared, so the time it takes tells nothing of the secret
    if secret.is_none_or(|secret| hash(secret) != *control.secret_hash) {
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
