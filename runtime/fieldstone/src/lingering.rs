//! A request that was answered before all of its body came. A small body of which nobody began to read is read and
//! forgotten before the answer goes out, so that the next request on its connection is found behind it. Else the
//! connection ends with the answer, which says so; and who sends the whole request before it reads would lose that
//! answer, since what comes at a connection that is closed ends it on both sides. So what still comes is read and
//! forgotten for a while, behind the answer and the end of what is said here. It keeps nothing of it, and no other
//! connection waits.

use crate::stream_hooks::Hooks;
use axum::http::header::EXPECT;
use hyper::Request;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use parking_lot::Mutex;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// How large a body may be announced that is read and forgotten before its answer.
const SMALL_BYTES_MAX: u64 = 16 << 10;
/// How long that is waited for.
const SMALL_TIME_MAX: Duration = Duration::from_secs(1);
/// How much is read and forgotten: as much as the largest body that the default limits know, a manifest with its files.
const BYTES_MAX: usize = 64 << 20;
/// How long.
const TIME_MAX: Duration = Duration::from_secs(5);
/// Bytes that are read at once.
const PIECE_BYTES: usize = 8 << 10;

/// What the request that came last on a connection left of its body unread.
#[derive(Clone, Default)]
pub(crate) struct UnreadBody(Arc<Mutex<Left>>);

#[derive(Default)]
enum Left {
    /// It has no body, or all of it was read.
    #[default]
    Nothing,
    /// Whoever answers has the body still.
    Open,
    /// A part that is not read any more, or all of a large body.
    Something,
    /// All of a small one.
    Small(Incoming),
}

impl UnreadBody {
    /// The next request on the connection; what is left of its body is told here.
    pub(crate) fn watch(&self, request: Request<Incoming>) -> Request<WatchedBody> {
        let expects = request.headers().contains_key(EXPECT);
        request.map(|body| {
            let size = body.size_hint().exact();
            *self.0.lock() = if body.is_end_stream() {
                Left::Nothing
            } else {
                Left::Open
            };
            WatchedBody {
                body: Some(body),
                // who waits until the body is asked for is not asked for it now
                is_small: !expects && size.is_some_and(|size| size <= SMALL_BYTES_MAX),
                unread: self.clone(),
            }
        })
    }

    /// Whether the connection can go on behind the answer that was made: nothing of the body is left, or what is left
    /// comes soon. How the request is framed decides on that, and nothing of what it asks.
    pub(crate) async fn is_over(&self) -> bool {
        let left = std::mem::replace(&mut *self.0.lock(), Left::Something);
        let is_over = match left {
            Left::Nothing => true,
            Left::Open | Left::Something => false,
            Left::Small(body) => {
                let came = tokio::time::timeout(SMALL_TIME_MAX, forget(body)).await;
                came.unwrap_or(false)
            }
        };
        if is_over {
            *self.0.lock() = Left::Nothing;
        }
        is_over
    }

    /// The connection ends with the answer, however the body goes on, so nobody waits for what is left of it: as long as
    /// somebody has a body, its connection is in the midst of it and does not end.
    pub(crate) fn give_up(&self) {
        let mut left = self.0.lock();
        if matches!(*left, Left::Small(_)) {
            *left = Left::Something;
        }
    }

    /// Whether something is left that may still come.
    fn has_more(&self) -> bool {
        !matches!(*self.0.lock(), Left::Nothing)
    }
}

/// Reads a body to its end; whether it came to one.
async fn forget(mut body: Incoming) -> bool {
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        if frame.is_err() {
            return false;
        }
    }
    true
}

/// A body that tells when it goes before it was read to its end.
pub(crate) struct WatchedBody {
    /// None once it has ended.
    body: Option<Incoming>,
    /// Whether it is small, and nobody began to read it.
    is_small: bool,
    unread: UnreadBody,
}

impl Body for WatchedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        self.is_small = false;
        let Some(body) = self.body.as_mut() else {
            return Poll::Ready(None);
        };
        let frame = ready!(Pin::new(body).poll_frame(context));
        // behind an error nothing comes either
        if !matches!(frame, Some(Ok(_))) {
            self.body = None;
            *self.unread.0.lock() = Left::Nothing;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let body = self.body.as_ref();
        body.map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl Drop for WatchedBody {
    fn drop(&mut self) {
        let Some(body) = self.body.take() else {
            return;
        };
        let mut left = self.unread.0.lock();
        // else the answer is on its way, and what it says of the connection holds
        if matches!(*left, Left::Open) {
            *left = if body.is_end_stream() {
                Left::Nothing
            } else if self.is_small {
                Left::Small(body)
            } else {
                Left::Something
            };
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
            if !self.unread.has_more() {
                return Poll::Ready(Ok(()));
            }
        }
        self.forget(stream, context).map(Ok)
    }
}
