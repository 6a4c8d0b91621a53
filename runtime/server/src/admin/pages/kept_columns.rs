//! The columns that someone chose for a grid, kept by the browser for whenever the dataset is opened by an address that says
//! none.

use super::asked::Asked;
use super::visit::Visit;
use crate::http::cookies::Cookies;
use crate::http::header::cookie;
use axum::body::Body;
use axum::http::Response;
use axum::http::header::SET_COOKIE;
use url::form_urlencoded::{byte_serialize, parse};

const COOKIE: &str = "fieldstone_columns";
/// A year.
const SECONDS: u32 = 365 * 24 * 60 * 60;
/// What a browser keeps in one cookie, less what stands beside the value.
const BYTES_MAX: usize = 3_500;

/// The columns that were chosen the last time.
pub(super) fn kept(visit: &Visit<String>) -> Vec<String> {
    let Some(value) = cookie(visit.headers(), COOKIE) else {
        return Vec::new();
    };
    // as the one member of a form, by which `%` and `+` are taken back
    let decoded = parse(value.as_bytes()).next();
    let ids = decoded.map(|(ids, _)| ids.into_owned()).unwrap_or_default();
    let ids = ids.split(' ').filter(|id| !id.is_empty());
    ids.map(str::to_owned).collect()
}

/// Keeps the columns, or forgets those that were kept where none are chosen, and shows the grid with them.
pub(super) fn keep(visit: &Visit<String>, asked: &Asked) -> Response<Body> {
    let path = format!("/datasets/{}", visit.ids);
    let mut response = visit.see(&format!("{path}{}", asked.address()));
    let value: String = byte_serialize(asked.columns.join(" ").as_bytes()).collect();
    let seconds = if value.is_empty() || value.len() > BYTES_MAX {
        0
    } else {
        SECONDS
    };
    let cookies = Cookies::of(visit.site.service.settings());
    let path = visit.site.address(&path);
    let kept = cookies.set_below(&path, COOKIE, &value, Some(seconds));
    if let Some(kept) = kept {
        response.headers_mut().append(SET_COOKIE, kept);
    }
    response
}
