//! What stands behind the question mark and every list has: which page is asked for.

use service::PageRequest;
use url::form_urlencoded;

/// The page that a query asks for. Here nothing is refused: that is the service's, after role and path.
pub(crate) fn page_request(query: &str) -> PageRequest {
    let mut page = PageRequest::default();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "pageKey" => add(&mut page.key, &value),
            "pageSize" => add(&mut page.size, &value),
            _ => {}
        }
    }
    page
}

/// A parameter that stands twice is neither of both: together they are no key and no number.
fn add(slot: &mut Option<String>, value: &str) {
    match slot {
        None => *slot = Some(value.to_owned()),
        Some(first) => {
            first.push('&');
            first.push_str(value);
        }
    }
}
