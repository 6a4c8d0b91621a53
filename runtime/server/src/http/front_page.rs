//! What stands at `/`: a few lines for whoever follows the address in a browser. It is the same for everyone, asks for
//! nothing and tells nothing that `/openapi.json` does not; its links are relative, since a proxy may stand before it.

use super::call::PublicCall;
use axum::body::Body;
use axum::http::Response;
use axum::http::header::{CONTENT_TYPE, HeaderValue};

const PAGE: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fieldstone</title>
<h1>Fieldstone</h1>
<p>This is a master-data service: business areas hold schemas, schemas describe records, datasets hold records.</p>
<ul>
<li>The data interface is below <code>/v1</code>, management below <code>/admin/api/v1</code>. Both ask for a credential in
<code>Authorization</code>; <code>POST /oauth2/token</code> gives one for an application client's id and secret.</li>
<li><a href="openapi.json">openapi.json</a> describes both.</li>
<li>The manual is the folder <code>runtime/docs</code> of the program's sources; <code>fieldstone --help</code> tells of its
commands.</li>
<li>Whether it works: <a href="healthz">healthz</a>, <a href="readyz">readyz</a>.</li>
</ul>
"#;

pub(super) async fn show(_: PublicCall) -> Response<Body> {
    let mut response = Response::new(Body::from(PAGE));
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, html);
    response
}
