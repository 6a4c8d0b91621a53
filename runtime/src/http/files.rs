//! Uploads to a dataset, and downloads by signed link. A link needs no credential; what is downloaded is
//! shown by no browser as anything but what its content was found to be.

use super::error::Failure;
use super::extract::{Incoming, PathIds};
use super::shape;
use crate::service::files::{Download, Link, Upload};
use crate::service::ids::FILES_PATH;
use crate::service::{Caller, Permit, Refusal, Service};
use crate::store::StoreError;
use crate::store::files::StoredFile;
use axum::body::Body;
use axum::extract::{OriginalUri, State};
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, RANGE,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Response, StatusCode};
use multer::{Constraints, Multipart, SizeLimit};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;
use url::form_urlencoded;

/// The one part of an upload.
const PART: &str = "file";
/// What boundaries and heads of parts may add to a file.
const FRAME_BYTES_MAX: u64 = 64 << 10;

const NO_FORM: &str = "the body must be a form with a file; send it as `multipart/form-data` with one part named `file`";

pub(super) async fn upload(
    State(service): State<Arc<Service>>,
    caller: Caller,
    path: PathIds,
    incoming: Incoming,
) -> Result<Response<Body>, Failure> {
    let permit = caller.permit_upload([&path.area(), &path.schema(), &path.dataset()])?;
    let form = form(&service, incoming)?;
    let item = receive(&service, &permit, form).await?;
    let location = item.url.clone();
    let text = serde_json::to_string(&item).map_err(|source| {
        let what = "an answer".to_owned();
        Failure::Refused(Refusal::Store(StoreError::Document { what, source }))
    })?;
    Ok(shape::created(&location, text))
}

/// The parts of the body, none of them read yet.
fn form(service: &Service, incoming: Incoming) -> Result<Multipart<'static>, Failure> {
    let boundary = incoming
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let boundary = boundary.and_then(|value| multer::parse_boundary(value).ok());
    let boundary = boundary.ok_or(Failure::MediaType(NO_FORM))?;
    let bytes_max = service.file_bytes_max();
    let announced = incoming
        .headers()
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    let announced: Option<u64> = announced.and_then(|length| length.parse().ok());
    if announced.is_some_and(|length| length > bytes_max.saturating_add(FRAME_BYTES_MAX)) {
        return Err(Refusal::TooLarge { bytes_max }.into());
    }
    let limit = SizeLimit::new().whole_stream(bytes_max.saturating_add(FRAME_BYTES_MAX));
    let constraints = Constraints::new().size_limit(limit);
    Ok(Multipart::with_constraints(
        incoming.stream(),
        boundary,
        constraints,
    ))
}

async fn receive(
    service: &Service,
    permit: &Permit,
    mut form: Multipart<'static>,
) -> Result<crate::service::files::FileItem, Failure> {
    let limits = (service.file_bytes_max(), service.settings().body_time_max);
    let Some(mut part) = timed(form.next_field(), limits).await? else {
        return Err(unusable("it has no part"));
    };
    if part.name() != Some(PART) {
        return Err(unusable("it has a part of another name"));
    }
    let mut upload = service.begin_upload(permit, part.file_name().unwrap_or_default())?;
    let mut received = Ok(());
    while received.is_ok() {
        received = match timed(part.chunk(), limits).await {
            Ok(Some(piece)) => upload.write(piece).await.map_err(Failure::Refused),
            Ok(None) => break,
            Err(failure) => Err(failure),
        };
    }
    drop(part);
    if received.is_ok() {
        received = match timed(form.next_field(), limits).await {
            Ok(None) => Ok(()),
            Ok(Some(_)) => Err(unusable("it has more than one part")),
            Err(failure) => Err(failure),
        };
    }
    finished(upload, received).await
}

/// The file, or nothing of it.
async fn finished(
    upload: Upload<'_>,
    received: Result<(), Failure>,
) -> Result<crate::service::files::FileItem, Failure> {
    match received {
        Ok(()) => Ok(upload.finish().await?),
        Err(failure) => {
            upload.give_up().await;
            Err(failure)
        }
    }
}

/// What the form has next, if it comes in time.
async fn timed<T>(
    next: impl Future<Output = Result<T, multer::Error>>,
    (bytes_max, time_max): (u64, Duration),
) -> Result<T, Failure> {
    match tokio::time::timeout(time_max, next).await {
        Err(_) => Err(Failure::TooSlow),
        Ok(Ok(next)) => Ok(next),
        Ok(Err(multer::Error::StreamSizeExceeded { .. })) => {
            Err(Refusal::TooLarge { bytes_max }.into())
        }
        Ok(Err(multer::Error::StreamReadFailed(_))) => Err(Failure::Broken),
        Ok(Err(error)) => Err(unusable(&error.to_string())),
    }
}

fn unusable(what: &str) -> Failure {
    Refusal::Parameter(format!(
        "the form can't be used: {what}; send one part named `{PART}`"
    ))
    .into()
}

pub(super) async fn download(
    State(service): State<Arc<Service>>,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
) -> Result<Response<Body>, Failure> {
    let mut link = Link {
        id: uri
            .path()
            .strip_prefix(FILES_PATH)
            .unwrap_or_default()
            .to_owned(),
        ..Link::default()
    };
    for (name, value) in form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()) {
        link.set(&name, &value);
    }
    let range = headers.get(RANGE).and_then(|range| range.to_str().ok());
    let found = service.download(&link, |size| range_of(range?, size)).await;
    match found {
        Ok(download) => Ok(shown(download)),
        Err(Refusal::NotFound) => Err(Failure::UnknownRoute),
        Err(refusal) => Err(refusal.into()),
    }
}

/// The bytes that a `Range` header asks for. One that asks for several ranges, or for what is not there,
/// gets the whole.
fn range_of(header: &str, size: u64) -> Option<Range<u64>> {
    let (first, last) = header.strip_prefix("bytes=")?.split_once('-')?;
    let range = match (first.trim(), last.trim()) {
        ("", tail) => size.saturating_sub(tail.parse().ok()?)..size,
        (first, "") => first.parse().ok()?..size,
        (first, last) => first.parse().ok()?..last.parse::<u64>().ok()?.saturating_add(1).min(size),
    };
    (range.start < range.end).then_some(range)
}

fn shown(download: Download) -> Response<Body> {
    let Download {
        file,
        range,
        seconds_left,
        content,
    } = download;
    let mut response = Response::new(Body::from_stream(content));
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &str| {
        // INVARIANT: numbers, media types and encoded names are safe in a header
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    let media_type = match file.media_type.as_str() {
        "text/plain" => "text/plain; charset=utf-8",
        media_type => media_type,
    };
    set(CONTENT_TYPE, media_type);
    set(CONTENT_LENGTH, &(range.end - range.start).to_string());
    set(CONTENT_DISPOSITION, &disposition(&file));
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox");
    set(CACHE_CONTROL, &format!("private, max-age={seconds_left}"));
    set(ETAG, &format!("\"{}\"", file.sha256));
    set(ACCEPT_RANGES, "bytes");
    if range != (0..file.size) {
        let (first, last) = (range.start, range.end - 1);
        set(
            CONTENT_RANGE,
            &format!("bytes {first}-{last}/{}", file.size),
        );
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    response
}

/// What may stand in an extended header parameter.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Pictures, sound and films are shown where they stand; everything else is a file to keep.
fn disposition(file: &StoredFile) -> String {
    let is_seen = ["image/", "video/", "audio/"]
        .iter()
        .any(|kind| file.media_type.starts_with(kind));
    let kind = if is_seen { "inline" } else { "attachment" };
    let ascii = |c: char| {
        if c.is_ascii_alphanumeric() || "-._ ()".contains(c) {
            c
        } else {
            '_'
        }
    };
    let plain: String = file.name.chars().map(ascii).collect();
    let full = utf8_percent_encode(&file.name, PLAIN);
    format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{full}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_one_that_the_file_has_or_the_whole() {
        for (header, expected) in [
            ("bytes=0-3", Some(0..4)),
            ("bytes=2-", Some(2..10)),
            ("bytes=-3", Some(7..10)),
            ("bytes=-99", Some(0..10)),
            ("bytes=5-99", Some(5..10)),
            ("bytes=10-", None),
            ("bytes=4-2", None),
            ("bytes=-0", None),
            ("bytes=0-1,3-4", None),
            ("bytes=18446744073709551615-18446744073709551615", None),
            ("rows=0-1", None),
            ("bytes=a-b", None),
        ] {
            assert_eq!(range_of(header, 10), expected, "{header}");
        }
    }

    #[test]
    fn a_name_is_told_in_a_way_that_every_browser_reads() {
        let file = StoredFile {
            id: String::new(),
            dataset: String::new(),
            name: "Grüße \"x\".pdf".to_owned(),
            media_type: "application/pdf".to_owned(),
            size: 0,
            width: None,
            height: None,
            sha256: String::new(),
            created_at: crate::value::Timestamp::from_millis(0),
        };
        assert_eq!(
            disposition(&file),
            "attachment; filename=\"Gr__e _x_.pdf\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%22x%22.pdf"
        );
    }
}
