//! A connection that is listened to while an answer on it is waited for: a client that closes its half or says more is
//! told to the answer, which may end its waiting (`server::HangUp`). Nothing that came is taken, and while no answer
//! asks, it costs a look at a lock. It stands next to the socket, so what it hears is also the end of a TLS stream.
//!
//! It looks where the connection is flushed, which hyper does in each of its turns; a test of the program holds it to that.

use server::HangUp;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A socket and who wants to know whether its other end is still there.
pub(crate) struct Hearing {
    stream: TcpStream,
    hang_up: HangUp,
}

impl Hearing {
    pub(crate) fn new(stream: TcpStream, hang_up: HangUp) -> Self {
        Hearing { stream, hang_up }
    }

    /// Looks what came, where somebody asks; else the task is woken when something comes.
    fn hear(&self, context: &mut Context<'_>) {
        if !self.hang_up.is_asked() {
            return;
        }
        let mut byte = [0];
        let mut byte = ReadBuf::new(&mut byte);
        if self.stream.poll_peek(context, &mut byte).is_ready() {
            self.hang_up.tell();
        }
    }
}

impl AsyncRead for Hearing {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Hearing {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.hear(context);
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
