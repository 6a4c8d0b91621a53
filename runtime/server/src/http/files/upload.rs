//! Uploads: a form with one part, read as it comes and never held as a whole. How long its head may be and
//! how slowly it may come is limited here; how much it may hold, the service knows.

use crate::http::body::RequestBody;
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::header::single;
use crate::http::path::PathIds;
use crate::http::shape;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};
use axum::http::{HeaderValue, Response};
use multer::{Constraints, Multipart, SizeLimit};
use service::files::Upload;
use service::{Permit, Refusal, Service};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use store::StoreError;
use wire::FileItem;

/// The one part of an upload.
const PART: &str = "file";
/// What boundaries and heads of parts may add to a file.
const FRAME_BYTES_MAX: u64 = 64 << 10;
/// What may come before the content of a part: it is held until it is whole.
const HEAD_BYTES_MAX: usize = 16 << 10;
/// How long a boundary may be. RFC 2046, section 5.1.1.
const BOUNDARY_CHARS_MAX: usize = 70;
/// How slow a client may be in the long run; it may pause as long as a body may take.
const BYTES_PER_SECOND_MIN: u32 = 8 << 10;

const NO_FORM: &str = "the body must be a form with a file; send it as `multipart/form-data` with one part named `file`";
const COMPRESSED: &str = "the body must not be compressed; send it without `Content-Encoding`, a compressed file as it is";

pub(in crate::http) async fn upload(mut call: Call<PathIds>) -> Result<Response<Body>, Failure> {
    let permit = {
        let (area, schema, dataset) = (call.ids.area(), call.ids.schema(), call.ids.dataset());
        call.caller
            .clone()
            .permit_upload([&area, &schema, &dataset])?
    };
    let body = call.body();
    let form = Form::of(&call.service, body)?;
    let item = receive(&call.service, &permit, form).await?;
    let location = item.url.clone();
    let text = serde_json::to_string(&item).map_err(|source| {
        let what = "an answer".to_owned();
        Failure::Refused(Refusal::Store(StoreError::Document { what, source }))
    })?;
    Ok(shape::created(&location, text))
}

/// A form on its way in.
struct Form {
    parts: Multipart<'static>,
    /// Bytes that came since the last content, or that one comes now.
    head: Arc<AtomicUsize>,
    patience: Patience,
    bytes_max: u64,
}

impl Form {
    /// The form of a body, none of it read yet.
    fn of(service: &Service, body: RequestBody) -> Result<Self, Failure> {
        let headers = body.headers();
        let boundary = boundary(headers).ok_or(Failure::MediaType(NO_FORM))?;
        let plain = |coding: &HeaderValue| coding.as_bytes().eq_ignore_ascii_case(b"identity");
        if !headers.get_all(CONTENT_ENCODING).iter().all(plain) {
            return Err(Failure::MediaType(COMPRESSED));
        }
        let bytes_max = service.file_bytes_max();
        let whole = bytes_max.saturating_add(FRAME_BYTES_MAX);
        let announced = headers
            .get(CONTENT_LENGTH)
            .and_then(|value| value.to_str().ok());
        let announced: Option<u64> = announced.and_then(|length| length.parse().ok());
        if announced.is_some_and(|length| length > whole) {
            return Err(Refusal::TooLarge { bytes_max }.into());
        }
        let head = Arc::new(AtomicUsize::new(0));
        let framed = Framed {
            body: body.stream(),
            head: head.clone(),
            is_resting: false,
        };
        let limit = SizeLimit::new().whole_stream(whole);
        let constraints = Constraints::new().size_limit(limit);
        Ok(Form {
            parts: Multipart::with_constraints(framed, boundary, constraints),
            head,
            patience: Patience::new(service.settings().body_time_max),
            bytes_max,
        })
    }

    /// The next part.
    async fn part(&mut self) -> Result<Option<multer::Field<'static>>, Failure> {
        self.head.store(0, Ordering::Relaxed);
        let part = self.patience.wait_for(self.parts.next_field()).await?;
        self.head.store(CONTENT, Ordering::Relaxed);
        part.map_err(|error| self.failure(&error))
    }

    /// The next piece of a part's content.
    async fn piece(&mut self, part: &mut multer::Field<'static>) -> Result<Option<Bytes>, Failure> {
        let piece = self.patience.wait_for(part.chunk()).await?;
        let piece = piece.map_err(|error| self.failure(&error))?;
        self.patience.earn(piece.as_ref().map_or(0, Bytes::len));
        Ok(piece)
    }

    fn failure(&self, error: &multer::Error) -> Failure {
        let bytes_max = self.bytes_max;
        match error {
            multer::Error::StreamSizeExceeded { .. } => Refusal::TooLarge { bytes_max }.into(),
            multer::Error::StreamReadFailed(source) if source.is::<HeadTooLong>() => {
                unusable("what stands before the file is too long")
            }
            multer::Error::StreamReadFailed(_) => Failure::Broken,
            error => unusable(&error.to_string()),
        }
    }
}

/// The boundary of the one form that the body is announced as.
fn boundary(headers: &HeaderMap) -> Option<String> {
    let media_type = single(headers, &CONTENT_TYPE)?.to_str().ok()?;
    let boundary = multer::parse_boundary(media_type).ok()?;
    (1..=BOUNDARY_CHARS_MAX)
        .contains(&boundary.len())
        .then_some(boundary)
}

async fn receive(service: &Service, permit: &Permit, mut form: Form) -> Result<FileItem, Failure> {
    let Some(mut part) = form.part().await? else {
        return Err(unusable("it has no part"));
    };
    if part.name() != Some(PART) {
        return Err(unusable("it has a part of another name"));
    }
    let mut upload = service.begin_upload(permit, part.file_name().unwrap_or_default())?;
    let mut received = Ok(());
    while received.is_ok() {
        received = match form.piece(&mut part).await {
            Ok(Some(piece)) => upload.write(piece).await.map_err(Failure::Refused),
            Ok(None) => break,
            Err(failure) => Err(failure),
        };
    }
    drop(part);
    if received.is_ok() {
        received = match form.part().await {
            Ok(None) => Ok(()),
            Ok(Some(_)) => Err(unusable("it has more than one part")),
            Err(failure) => Err(failure),
        };
    }
    finished(upload, received).await
}

/// The file, or nothing of it.
async fn finished(upload: Upload<'_>, received: Result<(), Failure>) -> Result<FileItem, Failure> {
    match received {
        Ok(()) => Ok(upload.finish().await?),
        Err(failure) => {
            upload.give_up().await;
            Err(failure)
        }
    }
}

fn unusable(what: &str) -> Failure {
    Refusal::Parameter(format!(
        "the form can't be used: {what}; send one part named `{PART}`"
    ))
    .into()
}

/// How long a client is waited for: as long as a body may take, and longer only as bytes come. One that
/// stops is cut, and so is one that sends just enough to be kept.
struct Patience {
    left: Duration,
    most: Duration,
}

impl Patience {
    fn new(most: Duration) -> Self {
        Patience { left: most, most }
    }

    async fn wait_for<T>(&mut self, next: impl Future<Output = T>) -> Result<T, Failure> {
        let start = Instant::now();
        let came = tokio::time::timeout(self.left, next).await;
        self.left = self.left.saturating_sub(start.elapsed());
        came.map_err(|_| Failure::TooSlow)
    }

    fn earn(&mut self, bytes: usize) {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let earned = Duration::from_secs(bytes.into()) / BYTES_PER_SECOND_MIN;
        self.left = self.left.saturating_add(earned).min(self.most);
    }
}

/// A body whose heads of parts are short: the reader of forms holds a head until it is whole, and would hold
/// anything.
struct Framed {
    body: BodyDataStream,
    head: Arc<AtomicUsize>,
    /// Whether the reader is to look at what it has first.
    is_resting: bool,
}

/// What stands for a head's length while content comes.
const CONTENT: usize = usize::MAX;

#[derive(Debug, thiserror::Error)]
#[error("the head of a part is too long")]
struct HeadTooLong;

type StreamError = Box<dyn std::error::Error + Send + Sync>;

impl futures_core::Stream for Framed {
    type Item = Result<Bytes, StreamError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let framed = self.get_mut();
        if std::mem::take(&mut framed.is_resting) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let came = std::task::ready!(Pin::new(&mut framed.body).poll_next(context));
        let before = framed.head.load(Ordering::Relaxed);
        if before != CONTENT
            && let Some(Ok(bytes)) = &came
        {
            // what came last may hold the content's beginning, and counts when it did not
            if before > HEAD_BYTES_MAX {
                return Poll::Ready(Some(Err(HeadTooLong.into())));
            }
            framed.head.store(before + bytes.len(), Ordering::Relaxed);
            framed.is_resting = true;
        }
        Poll::Ready(came.map(|bytes| bytes.map_err(StreamError::from)))
    }
}
