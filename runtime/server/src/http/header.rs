//! Reading headers that may stand more than once: one of which two are sent says nothing that can be relied on.

use axum::http::header::{COOKIE, HeaderMap, HeaderName, HeaderValue};

/// The value of a header that stands once.
pub(crate) fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h HeaderValue> {
    let mut all = headers.get_all(name).iter();
    let first = all.next();
    first.filter(|_| all.next().is_none())
}

/// The value of a cookie; two of a name are none.
pub(crate) fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let pairs = headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'));
    let mut own = pairs.filter_map(|pair| {
        let (own, value) = pair.trim().split_once('=')?;
        (own == name).then_some(value)
    });
    let value = own.next()?;
    own.next().is_none().then_some(value)
}
