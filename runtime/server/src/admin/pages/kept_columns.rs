//! The columns that someone chose for a grid, kept by the browser for whenever the dataset is opened by an address that says
//! none. A field is kept by a mark of its id, so that there is room for nearly four hundred; more of them are not kept.

use super::asked::{Asked, MARKED, mark};
use super::places::Place;
use super::visit::Visit;
use crate::http::cookies::Cookies;
use crate::http::error::Failure;
use crate::http::header::cookie;
use axum::body::Body;
use axum::http::Response;
use axum::http::header::SET_COOKIE;
use url::form_urlencoded::{byte_serialize, parse};

const COOKIE: &str = "fieldstone_columns";
/// A year.
const SECONDS: u32 = 365 * 24 * 60 * 60;
/// What a browser keeps in one cookie, less what stands beside the value: 389 marks with what parts them.
const BYTES_MAX: usize = 3_500;

/// The columns that were chosen the last time.
///
/// # Errors
/// No such dataset, missing rights.
pub(super) fn kept(visit: &Visit<String>) -> Result<Vec<String>, Failure> {
    let Some(value) = cookie(visit.headers(), COOKIE) else {
        return Ok(Vec::new());
    };
    // as the one member of a form, by which `%` and `+` are taken back
    let decoded = parse(value.as_bytes()).next();
    let kept = decoded.map(|(kept, _)| kept).unwrap_or_default();
    let marked = |own| format!("{MARKED}{own}");
    let asked = Asked {
        columns: kept.split(' ').map(marked).collect(),
        ..Asked::default()
    };
    Ok(asked.with_ids(&Place::of(visit, &visit.ids)?).columns)
}

/// Keeps the columns, or forgets those that were kept where none are chosen, and shows the grid with them.
pub(super) fn keep(visit: &Visit<String>, asked: &Asked) -> Response<Body> {
    let path = format!("/datasets/{}", visit.ids);
    let mut response = visit.see(&format!("{path}{}", asked.address()));
    let marks: Vec<_> = asked.columns.iter().map(|own| mark(own)).collect();
    let value: String = byte_serialize(marks.join(" ").as_bytes()).collect();
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
