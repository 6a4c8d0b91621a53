//! The end of a connection on which a request was answered before all of its body came. Who sends the whole request
//! before it reads would lose the answer: what comes at a connection that is closed ends it on both sides. So what
//! still comes is read and forgotten for a while, behind the answer and the end of what is said here. It keeps
//! nothing of it, and no other connection waits.

use crate::stream_hooks::Hooks;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// How much is read and forgotten: as much as the largest body that the default limits know, a manifest with its files.
const BYTES_MAX: usize = 64 << 20;
/// How long.
const TIME_MAX: Duration = Duration::from_secs(5);
/// Bytes that are read at once.
const PIECE_BYTES: usize = 8 << 10;

/// Whether the request that came last on a connection left something of its body unread.
#[derive(Clone, Default)]
pub(crate) struct UnreadBody(Arc<AtomicBool>);

impl UnreadBody {
    /// The body of the next request on the connection; what is left of it is told here.
    pub(crate) fn watch(&self, body: Incoming) -> WatchedBody {
        self.0.store(false, Ordering::Relaxed);
        WatchedBody {
            body,
            has_ended: false,
            unread: self.clone(),
        }
    }
}

/// A body that tells when it goes before it was read to its end.
pub(crate) struct WatchedBody {
    body: Incoming,
    has_ended: bool,
    unread: UnreadBody,
}

impl Body for WatchedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        // behind an error nothing comes either
        self.has_ended = !matches!(frame, Some(Ok(_)));
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for WatchedBody {
    fn drop(&mut self) {
        if !self.has_ended && !self.body.is_end_stream() {
            self.unread.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Closes its stream only when the client has said what it began to say, within bounds.
pub(crate) struct LingeringClose {
    unread: UnreadBody,
    /// What is still waited for, once nothing is written any more.
    rest: Option<Rest>,
}

struct Rest {
    bytes: usize,
    end: Pin<Box<Sleep>>,
}

impl LingeringClose {
    pub(crate) fn new(unread: UnreadBody) -> Self {
        LingeringClose { unread, rest: None }
    }

    /// Reads on until the client has nothing more to say, or said too much, or took too long.
    fn forget<S: AsyncRead + Unpin>(
        &mut self,
        stream: &mut S,
        context: &mut Context<'_>,
    ) -> Poll<()> {
        let rest = self.rest.get_or_insert_with(|| Rest {
            bytes: BYTES_MAX,
            end: Box::pin(tokio::time::sleep(TIME_MAX)),
        });
        let mut piece = [0; PIECE_BYTES];
        while rest.end.as_mut().poll(context).is_pending() {
            let mut into = ReadBuf::new(&mut piece);
            let read = ready!(Pin::new(&mut *stream).poll_read(context, &mut into));
            let count = into.filled().len();
            if read.is_err() || count == 0 || count > rest.bytes {
                break;
            }
            rest.bytes -= count;
        }
        Poll::Ready(())
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Hooks<S> for LingeringClose {
    fn shutdown(&mut self, stream: &mut S, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.rest.is_none() {
            ready!(Pin::new(&mut *stream).poll_shutdown(context))?;
            if !self.unread.0.load(Ordering::Relaxed) {
                return Poll::Ready(Ok(()));
            }
        }
        self.forget(stream, context).map(Ok)
    }
}
