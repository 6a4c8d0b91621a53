//! In front of a service whose database others write, too: before a request is looked at, what is held in memory of the
//! catalog and of credentials is as new as what is committed. So a permission that was taken on one server is gone on the
//! next request on every server. Requests that come together share one look at the database.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use postgres::PostgresStore;
use std::sync::Arc;

/// What is asked of the process and not of what it keeps.
const OF_THE_PROCESS: [&str; 2] = ["/healthz", "/readyz"];
/// Seconds after which who finds the database gone may ask again.
const RETRY_SECONDS: u64 = 2;

/// The same router, for a store that others write, too.
pub(crate) fn fresh(router: Router, store: Arc<PostgresStore>) -> Router {
    router.layer(from_fn(move |request: Request, next: Next| {
        let store = store.clone();
        async move {
            let is_of_the_process = OF_THE_PROCESS.contains(&request.uri().path());
            match store.be_current().await {
                Err(error) if !is_of_the_process => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "the database does not answer"
                    );
                    unavailable()
                }
                _ => next.run(request).await,
            }
        }
    }))
}

fn unavailable() -> Response {
    let body = r#"{"message":"the database does not answer; try again in a moment"}"#;
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(RETRY_AFTER, HeaderValue::from(RETRY_SECONDS));
    response
}
