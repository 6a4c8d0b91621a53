//! Forms of sessions that have ended: whoever sends one signs in without losing it. A file that comes along is the only
//! thing that is lost: all else of its form stands in the address to which one comes back, where the file is chosen anew, or,
//! where that would be too long, goes along as other forms do.

use super::kept::{Kept, in_place_of_page, is_own};
use super::page_bytes::page_bytes;
use super::sending::{BeforeFile, throw_away};
use super::sign_in;
use super::visit::{Site, Visit, is_sent_by_page, read_few, see, sends_session};
use crate::http::body::RequestBody;
use crate::http::call::{Anonymous, Call};
use crate::http::context::RequestContext;
use crate::http::cookies::Cookies;
use crate::http::error::Failure;
use crate::http::files::FileForm;
use crate::http::header::cookie;
use crate::http::room;
use axum::body::Body;
use axum::extract::{FromRequest as _, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, Response};
use axum::middleware::Next;
use axum::response::IntoResponse;
use std::sync::Arc;

/// Has whoever sends a form of a session that has ended sign in without losing it.
pub(super) async fn through_sign_in(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let Some(kind) = FormKind::of(&request).filter(|_| is_of_ended(&site, &request)) else {
        return next.run(request).await;
    };
    let uri = request.uri();
    let to = uri
        .path_and_query()
        .map_or("/", |it| it.as_str())
        .to_owned();
    let context = request.extensions().get::<Arc<RequestContext>>().cloned();
    let call = Call::<(), Anonymous>::from_request(request, &site.service).await;
    let (visit, body) = match call {
        Ok(call) => Visit::of(call, &site),
        Err(response) => return response,
    };
    let page = match kind {
        FormKind::Plain => {
            let settings = site.service.settings();
            let sent = match body.form_to_carry(settings).await {
                Ok(sent) => sent,
                // who is told that it did not come can sign in beside it, and send the page again
                Err(failure) => return failure.into_response(),
            };
            let pairs = match read_few(&sent) {
                Ok(pairs) => pairs,
                Err(failure) => return failure.into_response(),
            };
            let kept = Kept::of(&to, pairs);
            // without its code it would be sent again in vain
            if !is_own(&to) || kept.lost_secret || !kept.is_ours(visit.headers(), &site) {
                return see(&site, sign_in::PATH, visit.is_part);
            }
            let memory = site.service.memory();
            let page = context.map(|it| room::for_page(memory, &it, page_bytes(&kept.fields)));
            let _page = match page.transpose() {
                Ok(page) => page,
                Err(failure) => return failure.into_response(),
            };
            // the room of what was sent, which goes behind this, is that of what was read of it
            sign_in::show_with(&visit, kept)
        }
        FormKind::WithFile { page } => match kept_before_file(&visit, &to, body).await {
            Ok(Some(kept)) => match kept.address(&page) {
                Some(address) => sign_in::show_before(&visit, &address),
                None => sign_in::show_with(&visit, kept),
            },
            Ok(None) => return see(&site, sign_in::PATH, visit.is_part),
            Err(failure) => return failure.into_response(),
        },
    };
    let page = page.unwrap_or_else(IntoResponse::into_response);
    if visit.is_part {
        in_place_of_page(page)
    } else {
        page
    }
}

/// How a form was sent.
enum FormKind {
    Plain,
    /// With a file, from a page to which one comes back.
    WithFile {
        page: String,
    },
}

impl FormKind {
    fn of(request: &Request) -> Option<Self> {
        let kind = request.headers().get(CONTENT_TYPE)?.as_bytes();
        if request.method() != Method::POST {
            return None;
        }
        if kind.starts_with(b"application/x-www-form-urlencoded") {
            return Some(FormKind::Plain);
        }
        let path = request.uri().path();
        let page = page_of_upload(path).filter(|_| kind.starts_with(b"multipart/form-data"))?;
        is_own(&page).then_some(FormKind::WithFile { page })
    }
}

/// The page with the form that brings a file to this path.
pub(super) fn page_of_upload(path: &str) -> Option<String> {
    if path.ends_with("/import") {
        return Some(path.to_owned());
    }
    if let Some((record, field)) = path.rsplit_once("/files/") {
        let is_of_record = record.starts_with("/datasets/") && record.contains("/records/");
        return (is_of_record && !field.contains('/')).then(|| record.to_owned());
    }
    let schemas = ["/document", "/sample"];
    let area = schemas.into_iter().find_map(|end| path.strip_suffix(end))?;
    area.ends_with("/schemas").then(|| format!("{area}/new"))
}

/// What stood before a file, if a page of ours sent it.
///
/// # Errors
/// As [`BeforeFile::of`].
async fn kept_before_file(
    visit: &Visit<(), Anonymous>,
    to: &str,
    body: RequestBody,
) -> Result<Option<Kept>, Failure> {
    let site = &visit.site;
    let bytes_max = site.service.settings().jobs.upload_bytes_max;
    let mut parts = FileForm::up_to(bytes_max, &site.service, body)?;
    let BeforeFile { pairs, mut file } = BeforeFile::of(&mut parts).await?;
    let kept = Kept {
        takes_file: true,
        ..Kept::of(to, pairs)
    };
    if !is_own(to) || !kept.is_ours(visit.headers(), site) {
        return Ok(None);
    }
    throw_away(&mut parts, &mut file).await;
    Ok(Some(kept))
}

fn is_of_ended(site: &Site, request: &Request) -> bool {
    let headers = request.headers();
    let settings = site.service.settings();
    let cookies = Cookies::of(settings);
    match cookie(headers, cookies.session()) {
        Some(session) if sends_session(headers, settings) => {
            site.service.authenticate(session).is_err()
        }
        _ => is_sent_by_page(headers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_with_a_file_has_a_page() {
        for (path, page) in [
            ("/datasets/d/import", Some("/datasets/d/import")),
            ("/areas/a/schemas/document", Some("/areas/a/schemas/new")),
            ("/areas/a/schemas/sample", Some("/areas/a/schemas/new")),
            (
                "/datasets/d/records/r/files/f",
                Some("/datasets/d/records/r"),
            ),
            ("/datasets/d/records/r/files/f/remove", None),
            ("/areas/a/sample", None),
            ("/areas", None),
        ] {
            assert_eq!(page_of_upload(path).as_deref(), page, "{path}");
        }
    }
}
