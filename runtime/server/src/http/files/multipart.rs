//! The form of an upload, read as it comes and never held as a whole: how long its heads may be, how slowly it
//! may come, and how much it may hold in all.

use super::time_budget::TimeBudget;
use crate::http::body::RequestBody;
use crate::http::error::Failure;
use crate::http::header::single;
use axum::body::{BodyDataStream, Bytes};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};
use multer::{Constraints, Multipart, SizeLimit};
use service::{Refusal, Service};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

/// The one part of an upload.
pub(crate) const PART: &str = "file";
/// What boundaries and heads of parts may add to a file.
const FRAME_BYTES_MAX: u64 = 64 << 10;
/// What may come before the content of a part: it is held until it is whole.
const HEAD_BYTES_MAX: usize = 16 << 10;
/// How long a boundary may be. RFC 2046, section 5.1.1.
const BOUNDARY_CHARS_MAX: usize = 70;

const NO_FORM: &str = "the body must be a form with a file; send it as `multipart/form-data` with one part named `file`";
const COMPRESSED: &str = "the body must not be compressed; send it without `Content-Encoding`, a compressed file as it is";

/// A form on its way in.
pub(crate) struct Form {
    parts: Multipart<'static>,
    /// Bytes that came since the last content, or that one comes now.
    head: Arc<AtomicUsize>,
    time: TimeBudget,
    bytes_max: u64,
}

impl Form {
    /// The form of a body, none of it read yet.
    pub(super) fn of(service: &Service, body: RequestBody) -> Result<Self, Failure> {
        Form::up_to(service.file_bytes_max(), service, body)
    }

    /// The same, of a file that may have so many bytes.
    pub(crate) fn up_to(
        bytes_max: u64,
        service: &Service,
        body: RequestBody,
    ) -> Result<Self, Failure> {
        let headers = body.headers();
        let boundary = boundary(headers).ok_or(Failure::MediaType(NO_FORM))?;
        let plain = |coding: &HeaderValue| coding.as_bytes().eq_ignore_ascii_case(b"identity");
        if !headers.get_all(CONTENT_ENCODING).iter().all(plain) {
            return Err(Failure::MediaType(COMPRESSED));
        }
        let whole = bytes_max.saturating_add(FRAME_BYTES_MAX);
        let announced = headers
            .get(CONTENT_LENGTH)
            .and_then(|value| value.to_str().ok());
        let announced: Option<u64> = announced.and_then(|length| length.parse().ok());
        if announced.is_some_and(|length| length > whole) {
            return Err(Refusal::TooLarge { bytes_max }.into());
        }
        let head = Arc::new(AtomicUsize::new(0));
        let limited = HeadLimit {
            body: body.stream(),
            head: head.clone(),
            is_resting: false,
        };
        let limit = SizeLimit::new().whole_stream(whole);
        let constraints = Constraints::new().size_limit(limit);
        Ok(Form {
            parts: Multipart::with_constraints(limited, boundary, constraints),
            head,
            time: TimeBudget::new(service.settings().body_time_max),
            bytes_max,
        })
    }

    /// The next part.
    pub(crate) async fn part(&mut self) -> Result<Option<multer::Field<'static>>, Failure> {
        self.head.store(0, Ordering::Relaxed);
        let part = self.time.wait_for(self.parts.next_field()).await?;
        self.head.store(CONTENT, Ordering::Relaxed);
        part.map_err(|error| self.failure(&error))
    }

    /// The next piece of a part's content.
    pub(crate) async fn piece(
        &mut self,
        part: &mut multer::Field<'static>,
    ) -> Result<Option<Bytes>, Failure> {
        let piece = self.time.wait_for(part.chunk()).await?;
        let piece = piece.map_err(|error| self.failure(&error))?;
        self.time.earn(piece.as_ref().map_or(0, Bytes::len));
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

/// A form that is not the one asked for.
pub(crate) fn unusable(what: &str) -> Failure {
    let text = format!("the form can't be used: {what}; send one part named `{PART}`");
    Refusal::Parameter(text.into()).into()
}

/// A body whose heads of parts are short: the reader of forms holds a head until it is whole, and would hold
/// anything.
struct HeadLimit {
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

impl futures_core::Stream for HeadLimit {
    type Item = Result<Bytes, StreamError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let limited = self.get_mut();
        if std::mem::take(&mut limited.is_resting) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let came = std::task::ready!(Pin::new(&mut limited.body).poll_next(context));
        let before = limited.head.load(Ordering::Relaxed);
        if before != CONTENT
            && let Some(Ok(bytes)) = &came
        {
            // what came last may hold the content's beginning, and counts when it did not
            if before > HEAD_BYTES_MAX {
                return Poll::Ready(Some(Err(HeadTooLong.into())));
            }
            limited.head.store(before + bytes.len(), Ordering::Relaxed);
            limited.is_resting = true;
        }
        Poll::Ready(came.map(|bytes| bytes.map_err(StreamError::from)))
    }
}
