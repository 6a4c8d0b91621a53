//! What stands at `/`: a few lines for whoever follows the address in a browser, in the language that it likes. It is the
//! same for everyone who reads that language, asks for nothing and tells nothing that `/openapi.json` does not; its links are
//! relative, since a proxy may stand before it. Who knows the languages stands above, and is handed in.

use super::call::PublicCall;
use axum::body::Body;
use axum::http::Response;
use axum::http::header::{CONTENT_TYPE, HeaderMap, HeaderValue, VARY};
use std::future::{Ready, ready};

/// What it says in one language, as markup.
pub(crate) struct FrontTexts {
    /// The language's code.
    pub(crate) code: &'static str,
    /// What this is.
    pub(crate) about: &'static str,
    /// The link to the application, and what is said behind it.
    pub(crate) open: [&'static str; 2],
    /// Where the interfaces are.
    pub(crate) interfaces: &'static str,
    /// What the description describes, behind the link to it.
    pub(crate) described: &'static str,
    /// Where the manual is.
    pub(crate) manual: &'static str,
    /// What the links behind it tell.
    pub(crate) health: &'static str,
}

/// Chooses the texts for whoever sends these headers.
pub(crate) type ChooseFrontTexts = fn(&HeaderMap) -> &'static FrontTexts;

impl FrontTexts {
    /// Those in English.
    pub(crate) const ENGLISH: FrontTexts = FrontTexts {
        code: "en",
        about: "This is a master-data service: business areas hold schemas, schemas describe records, datasets hold records.",
        open: [
            "Open the application",
            ", where people look at data and mend it.",
        ],
        interfaces: "The data interface is below <code>/v1</code>, management below <code>/admin/api/v1</code>. Both ask for a \
            credential in <code>Authorization</code>; <code>POST /oauth2/token</code> gives one for an application client's id \
            and secret.",
        described: "describes both.",
        manual: "The manual is the folder <code>runtime/docs</code> of the program's sources; <code>fieldstone --help</code> \
            tells of its commands.",
        health: "Whether it works:",
    };
}

/// What shows the page, with a link to the application where that stands at a path.
pub(super) fn showing(
    pages: Option<String>,
    choose: ChooseFrontTexts,
) -> impl Fn(PublicCall) -> Ready<Response<Body>> + Clone + Send + 'static {
    move |call: PublicCall| ready(shown(choose(&call.parts().headers), pages.as_deref()))
}

fn shown(texts: &FrontTexts, pages: Option<&str>) -> Response<Body> {
    let mut response = Response::new(Body::from(page(texts, pages)));
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, html);
    let vary = HeaderValue::from_static("accept-language, cookie");
    headers.insert(VARY, vary);
    response
}

fn page(texts: &FrontTexts, pages: Option<&str>) -> String {
    let FrontTexts {
        code,
        about,
        open: [open, open_what],
        interfaces,
        described,
        manual,
        health,
    } = texts;
    let link = pages.map_or_else(String::new, |path| {
        let path = path.trim_start_matches('/');
        format!("<p><a href=\"{path}/\">{open}</a>{open_what}</p>\n")
    });
    format!(
        r#"<!doctype html>
<html lang="{code}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fieldstone</title>
<main>
<h1>Fieldstone</h1>
<p>{about}</p>
{link}<ul>
<li>{interfaces}</li>
<li><a href="openapi.json">openapi.json</a> {described}</li>
<li>{manual}</li>
<li>{health} <a href="healthz">healthz</a>, <a href="readyz">readyz</a>.</li>
</ul>
</main>
"#
    )
}
