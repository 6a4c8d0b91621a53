//! What stands at `/`: a few lines for whoever follows the address in a browser. It is the same for everyone, asks for
//! nothing and tells nothing that `/openapi.json` does not; its links are relative, since a proxy may stand before it.

use super::call::PublicCall;
use axum::body::{Body, Bytes};
use axum::http::Response;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use std::future::{Ready, ready};

const PAGE: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fieldstone</title>
<h1>Fieldstone</h1>
<p>This is a master-data service: business areas hold schemas, schemas describe records, datasets hold records.</p>
{pages}<ul>
<li>The data interface is below <code>/v1</code>, management below <code>/admin/api/v1</code>. Both ask for a credential in
<code>Authorization</code>; <code>POST /oauth2/token</code> gives one for an application client's id and secret.</li>
<li><a href="openapi.json">openapi.json</a> describes both.</li>
<li>The manual is the folder <code>runtime/docs</code> of the program's sources; <code>fieldstone --help</code> tells of its
commands.</li>
<li>Whether it works: <a href="healthz">healthz</a>, <a href="readyz">readyz</a>.</li>
</ul>
"#;

/// What shows the page, with a link to the application where that stands at a path.
pub(super) fn showing(
    pages: Option<&str>,
) -> impl Fn(PublicCall) -> Ready<Response<Body>> + Clone + Send + 'static {
    let link = pages.map_or_else(String::new, |path| {
        let path = path.trim_start_matches('/');
        format!("<p><a href=\"{path}/\">Open the application</a>, where people look at data and mend it.</p>\n")
    });
    let page = Bytes::from(PAGE.replace("{pages}", &link));
    move |_| {
        let mut response = Response::new(Body::from(page.clone()));
        let html = HeaderValue::from_static("text/html; charset=utf-8");
        response.headers_mut().insert(CONTENT_TYPE, html);
        ready(response)
    }
}
