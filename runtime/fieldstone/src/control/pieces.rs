//! A file, or standard input, on its way to a server: read on a thread of its own, piece by piece, no faster than it is
//! taken. It looks at nothing of what it reads.

use hyper::body::{Body, Bytes, Frame};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Bytes of a piece, and how many wait.
const PIECE_BYTES: usize = 128 << 10;
const WAITING_MAX: usize = 8;

/// What is being read.
pub(crate) struct Pieces {
    read: Receiver<io::Result<Bytes>>,
    taken: Arc<AtomicU64>,
}

impl Pieces {
    /// Begins to read; `-` is standard input. `taken` counts the bytes that were taken.
    ///
    /// # Errors
    /// A file that can't be opened.
    pub(crate) fn of(path: &Path, taken: Arc<AtomicU64>) -> io::Result<Self> {
        let source: Box<dyn Read + Send> = if path == Path::new("-") {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(path)?)
        };
        let (sender, read) = channel(WAITING_MAX);
        std::thread::Builder::new()
            .name("pieces".to_owned())
            .spawn(move || read_all(source, &sender))?;
        Ok(Pieces { read, taken })
    }
}

/// Reads to the end, or until nobody takes any more.
fn read_all(mut source: impl Read, sender: &Sender<io::Result<Bytes>>) {
    loop {
        let mut piece = Vec::with_capacity(PIECE_BYTES);
        let read = source.by_ref().take(PIECE_BYTES as u64);
        let piece = match { read }.read_to_end(&mut piece) {
            Ok(0) => return,
            Ok(_) => Ok(piece.into()),
            Err(error) => Err(error),
        };
        let is_last = piece.is_err();
        if sender.blocking_send(piece).is_err() || is_last {
            return;
        }
    }
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let piece = std::task::ready!(self.read.poll_recv(context));
        if let Some(Ok(piece)) = &piece {
            let count = piece.len() as u64;
            self.taken.fetch_add(count, Ordering::Relaxed);
        }
        Poll::Ready(piece.map(|piece| piece.map(Frame::data)))
    }
}
