//! A stream that passes on what it is asked, and the places at which one may do otherwise: before and behind a write,
//! before a flush, and in place of the end. Whoever does so implements what differs, in a room of its own, and keeps what it
//! knows of the connection; the stream itself keeps nothing.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// What is done otherwise on a connection over a stream `S`. Reading always goes straight through.
pub(crate) trait Hooks<S: AsyncRead + AsyncWrite + Unpin>: Unpin {
    /// Nothing is written until this is ready.
    fn before_write(&mut self, _context: &mut Context<'_>) -> Poll<()> {
        Poll::Ready(())
    }

    /// What a write came to is told as this says.
    fn after_write(
        &mut self,
        written: Poll<io::Result<usize>>,
        _context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        written
    }

    /// Looks at the stream each time before it is flushed.
    fn before_flush(&mut self, _stream: &S, _context: &mut Context<'_>) {}

    /// Ends the stream.
    fn shutdown(&mut self, stream: &mut S, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(stream).poll_shutdown(context)
    }
}

/// A stream with hooks.
pub(crate) struct HookedStream<S, H> {
    stream: S,
    hooks: H,
}

impl<S, H> HookedStream<S, H> {
    pub(crate) fn new(stream: S, hooks: H) -> Self {
        HookedStream { stream, hooks }
    }
}

impl<S: AsyncRead + Unpin, H: Unpin> AsyncRead for HookedStream<S, H> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin, H: Hooks<S>> AsyncWrite for HookedStream<S, H> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let HookedStream { stream, hooks } = self.get_mut();
        ready!(hooks.before_write(context));
        let written = Pin::new(stream).poll_write(context, bytes);
        hooks.after_write(written, context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let HookedStream { stream, hooks } = self.get_mut();
        ready!(hooks.before_write(context));
        let written = Pin::new(stream).poll_write_vectored(context, pieces);
        hooks.after_write(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let HookedStream { stream, hooks } = self.get_mut();
        hooks.before_flush(stream, context);
        Pin::new(stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let HookedStream { stream, hooks } = self.get_mut();
        hooks.shutdown(stream, context)
    }
}
