//! The language that someone chose: a link for each, which has the browser remember it and leads back to where it stood.
//! It changes nothing else, so another site that leads here does no harm.

use super::texts::Texts;
use super::visit::{LANGUAGE_COOKIE, Page, Site, Visit};
use crate::http::call::Anonymous;
use crate::http::cookies::Cookies;
use crate::http::error::Failure;
use axum::body::Body;
use axum::http::Response;
use axum::http::header::{CACHE_CONTROL, HeaderValue, SET_COOKIE};

/// Seconds for which it is remembered.
const YEAR: u32 = 365 * 24 * 3600;

pub(super) async fn choose(visit: Visit<String, Anonymous>) -> Result<Response<Body>, Failure> {
    let texts = Texts::of(&visit.ids).ok_or(Failure::UnknownRoute)?;
    let next = visit.parameter("next").unwrap_or_default();
    let mut response = visit.see(own_path(&visit.site, &next).unwrap_or("/"));
    let cookies = Cookies::of(visit.site.service.settings());
    let headers = response.headers_mut();
    headers.extend(
        cookies
            .set(LANGUAGE_COOKIE, texts.code, Some(YEAR))
            .map(|cookie| (SET_COOKIE, cookie)),
    );
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// The path of an address among the pages, if it is one: no other site is reached by it.
pub(super) fn own_path<'n>(site: &Site, next: &'n str) -> Option<&'n str> {
    let path = site.within(next)?;
    let is_plain = |c: char| c.is_ascii_graphic() && c != '\\';
    let is_own = path.starts_with('/') && !path.starts_with("//") && path.chars().all(is_plain);
    (is_own && !path.split(['/', '?', '#']).any(is_dots)).then_some(path)
}

/// Whether a browser takes a segment of a path for the folder it is in, or the one above.
fn is_dots(segment: &str) -> bool {
    let plain = segment.to_ascii_lowercase().replace("%2e", ".");
    matches!(&*plain, "." | "..")
}

impl Page {
    /// Code and name of each language, and whether it is the page's.
    pub(super) fn languages(&self) -> impl Iterator<Item = (&'static str, &'static str, bool)> {
        let own = self.t.code;
        Texts::all().map(move |texts| (texts.code, texts.own_name, texts.code == own))
    }
}
