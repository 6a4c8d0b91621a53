//! The form that carries a file (`multipart/form-data`): written piece by piece, so that nothing is held
//! twice, and watched, so that a connection that stands still is given up however long the file is.
//!
//! It stays our own: the connection library's forms bring three crates (`mime`, `mime_guess`, `unicase`) and
//! would save the thirty lines that write head and tail. What is long here would stay: a stream that is
//! watched, that keeps why its source failed, and that a second attempt can begin anew. Names of files would
//! change, too: it doubles each backslash, which browsers and this form leave alone.

use crate::ClientError;
use crate::chance::chance;
use crate::content::{BoxError, ContentKind, NewFile, Pieces};
use bytes::Bytes;
use futures_core::Stream;
use parking_lot::Mutex;
use reqwest::header::HeaderValue;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::Notify;

/// How much is handed to the connection at once.
const PIECE_BYTES: usize = 64 << 10;
const ANY: &str = "application/octet-stream";

/// A form with one file.
pub(super) struct MultipartForm {
    boundary: String,
    head: Bytes,
    tail: Bytes,
    content: FormContent,
}

enum FormContent {
    Whole(Bytes),
    /// Taken by the one attempt there is.
    Once(Mutex<Option<Pieces<BoxError>>>),
}

impl MultipartForm {
    pub(super) fn of(file: NewFile) -> Result<Self, ClientError> {
        let media_type = match file.media_type.as_str() {
            "" => ANY,
            media_type => media_type,
        };
        if HeaderValue::from_str(media_type).is_err() {
            let why = "the media type has a character that none has".to_owned();
            return Err(ClientError::Request(why));
        }
        // as browsers do. HTML standard, "Multipart form data"
        let name = file.name.replace('"', "%22");
        let name = name.replace('\r', "%0D").replace('\n', "%0A");
        // nobody can know it, so no content holds it
        let boundary = format!("fieldstone-{:016x}{:016x}", chance(), chance());
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: {media_type}\r\n\r\n"
        );
        let tail = format!("\r\n--{boundary}--\r\n");
        Ok(MultipartForm {
            boundary,
            head: head.into(),
            tail: tail.into(),
            content: match file.content.into_kind() {
                ContentKind::Whole(bytes) => FormContent::Whole(bytes),
                ContentKind::Stream(pieces) => FormContent::Once(Mutex::new(Some(pieces))),
            },
        })
    }

    pub(super) fn media_type(&self) -> String {
        format!("multipart/form-data; boundary={}", self.boundary)
    }

    /// Whether it can be sent once more.
    pub(super) fn is_repeatable(&self) -> bool {
        matches!(self.content, FormContent::Whole(_))
    }

    /// Its length, where it is known.
    pub(super) fn length(&self) -> Option<usize> {
        match &self.content {
            FormContent::Whole(bytes) => Some(self.head.len() + bytes.len() + self.tail.len()),
            FormContent::Once(_) => None,
        }
    }

    /// The form for one attempt, and the watch over it.
    pub(super) fn attempt(&self) -> (FormStream, Arc<StallWatch>) {
        let watch = Arc::<StallWatch>::default();
        let stream = FormStream {
            head: self.head.clone(),
            content: match &self.content {
                FormContent::Whole(bytes) => ContentKind::Whole(bytes.clone()),
                FormContent::Once(pieces) => {
                    let pieces = pieces.lock().take();
                    pieces.map_or(ContentKind::Whole(Bytes::new()), ContentKind::Stream)
                }
            },
            tail: self.tail.clone(),
            watch: watch.clone(),
        };
        (stream, watch)
    }
}

/// What is seen of an attempt from outside.
#[derive(Default)]
pub(super) struct StallWatch {
    /// Told for each piece that the connection took.
    moved: Notify,
    /// Why the caller's stream failed.
    failed: Mutex<Option<BoxError>>,
}

/// A form on its way out.
pub(super) struct FormStream {
    head: Bytes,
    content: ContentKind,
    tail: Bytes,
    watch: Arc<StallWatch>,
}

impl FormStream {
    fn piece(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, BoxError>>> {
        if !self.head.is_empty() {
            return Poll::Ready(Some(Ok(std::mem::take(&mut self.head))));
        }
        match &mut self.content {
            ContentKind::Whole(bytes) if !bytes.is_empty() => {
                let piece = bytes.split_to(bytes.len().min(PIECE_BYTES));
                return Poll::Ready(Some(Ok(piece)));
            }
            ContentKind::Whole(_) => {}
            ContentKind::Stream(pieces) => {
                if let Some(piece) = std::task::ready!(pieces.as_mut().poll_next(context)) {
                    return Poll::Ready(Some(piece));
                }
                self.content = ContentKind::Whole(Bytes::new());
            }
        }
        let tail = std::mem::take(&mut self.tail);
        Poll::Ready((!tail.is_empty()).then_some(Ok(tail)))
    }
}

impl Stream for FormStream {
    type Item = Result<Bytes, &'static str>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let piece = std::task::ready!(self.piece(context));
        self.watch.moved.notify_one();
        Poll::Ready(piece.map(|piece| {
            piece.map_err(|error| {
                let mut failed = self.watch.failed.lock();
                *failed = Some(error);
                "the content broke off"
            })
        }))
    }
}

impl StallWatch {
    /// Why the caller's stream failed, if it did.
    pub(super) fn failed(&self) -> Option<BoxError> {
        self.failed.lock().take()
    }

    /// Ends when nothing has moved for so long.
    pub(super) async fn stands_still(&self, limit: std::time::Duration) {
        while tokio::time::timeout(limit, self.moved.notified())
            .await
            .is_ok()
        {}
    }
}
