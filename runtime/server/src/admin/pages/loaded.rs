//! Gives browsers what pages load, compressed where they take it so. It asks nobody who loads it.

use super::assets;
use super::visit::Visit;
use crate::http::accept::takes_gzip;
use crate::http::call::Anonymous;
use crate::http::error::Failure;
use axum::body::Body;
use axum::http::Response;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, HeaderValue, VARY};

/// Gives an asset.
pub(super) async fn show(visit: Visit<String, Anonymous>) -> Result<Response<Body>, Failure> {
    let asset = assets::named(&visit.ids).ok_or(Failure::UnknownRoute)?;
    let is_packed = takes_gzip(visit.headers());
    let body = if is_packed {
        Body::from(asset.packed.clone())
    } else {
        Body::from(asset.plain)
    };
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    if is_packed {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    let for_good = HeaderValue::from_static("public, max-age=31536000, immutable");
    headers.insert(CACHE_CONTROL, for_good);
    Ok(response)
}
