//! The body of a download, piece by piece, given up when nothing moves for too long.

use super::address::BaseUrl;
use super::broken::{broken_off, stalled_within};
use crate::ClientError;
use crate::content::{Download, Pieces};
use bytes::Bytes;
use futures_core::Stream;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep};

/// The content of an answer, of which `bytes_max` bytes may be read into memory at once.
pub(super) fn download(
    answer: reqwest::Response,
    base: &BaseUrl,
    timeout: Duration,
    bytes_max: usize,
) -> Download {
    let text = |name| answer.headers().get(name)?.to_str().ok();
    Download {
        media_type: text(CONTENT_TYPE).map(str::to_owned),
        size: text(CONTENT_LENGTH).and_then(|length| length.parse().ok()),
        bytes_max,
        pieces: Box::pin(DownloadStream {
            base: base.clone(),
            timeout,
            limit: Box::pin(sleep(timeout)),
            pieces: Some(Box::pin(answer.bytes_stream())),
        }),
    }
}

/// The pieces of a content as they come.
struct DownloadStream {
    base: BaseUrl,
    timeout: Duration,
    limit: Pin<Box<Sleep>>,
    /// `None` after the end, and after an error.
    pieces: Option<Pieces<reqwest::Error>>,
}

impl Stream for DownloadStream {
    type Item = Result<Bytes, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(pieces) = &mut self.pieces else {
            return Poll::Ready(None);
        };
        let piece = match pieces.as_mut().poll_next(context) {
            Poll::Ready(Some(Ok(piece))) => {
                let next = Instant::now() + self.timeout;
                self.limit.as_mut().reset(next);
                return Poll::Ready(Some(Ok(piece)));
            }
            Poll::Ready(Some(Err(error))) => Some(Err(broken_off(&self.base, error))),
            Poll::Ready(None) => None,
            Poll::Pending => {
                std::task::ready!(self.limit.as_mut().poll(context));
                Some(Err(stalled_within(&self.base)))
            }
        };
        self.pieces = None;
        Poll::Ready(piece)
    }
}
