//! Says of every answer that it is ours: by that, scripts tell it from what a proxy says in the place of a server that it does
//! not reach, which is no part of a page.

use super::failure;
use super::visit::Site;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;
use axum::http::header::HeaderValue;
use axum::middleware::Next;
use std::sync::Arc;

/// The header that says so; `app.js` and `query.js` look for it.
const OWN_PAGE: &str = "fieldstone-page";

/// Answers a request, refusals as pages.
pub(super) async fn answered(
    site: State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let mut response = failure::as_page(site, request, next).await;
    let own = HeaderValue::from_static("true");
    response.headers_mut().insert(OWN_PAGE, own);
    response
}
