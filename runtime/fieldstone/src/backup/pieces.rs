//! Bytes that one thread writes and another place takes, piece by piece: who takes slowly slows who writes, and who takes
//! no more ends it.

use hyper::body::{Body, Bytes, Frame};
use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Bytes of a piece.
const PIECE_BYTES: usize = 256 << 10;
/// Pieces that wait to be taken.
const WAITING_MAX: usize = 4;

/// What was written, to be taken.
pub(crate) struct Pieces {
    pieces: Receiver<io::Result<Bytes>>,
}

/// Takes what is written.
pub(super) struct PieceWriter {
    pieces: Sender<io::Result<Bytes>>,
    piece: Vec<u8>,
}

impl Pieces {
    /// Those that a thread of its own writes.
    pub(super) fn begin(
        write: impl FnOnce(&mut PieceWriter) -> anyhow::Result<()> + Send + 'static,
    ) -> Self {
        let (sender, pieces) = channel(WAITING_MAX);
        tokio::task::spawn_blocking(move || {
            let mut writer = PieceWriter {
                pieces: sender,
                piece: Vec::with_capacity(PIECE_BYTES),
            };
            let ended = write(&mut writer).and_then(|()| Ok(writer.flush()?));
            if let Err(error) = ended {
                let text = format!("{error:#}");
                // who takes no more needs no telling
                if writer
                    .pieces
                    .blocking_send(Err(io::Error::other(text)))
                    .is_ok()
                {
                    tracing::error!("a backup broke off: {error:#}");
                }
            }
        });
        Pieces { pieces }
    }

    /// The next one; `None` after the last.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Bytes>> {
        self.pieces.recv().await.transpose()
    }
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let piece = self.pieces.poll_recv(context);
        piece.map(|piece| piece.map(|piece| piece.map(Frame::data)))
    }
}

impl Write for PieceWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE_BYTES {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE_BYTES));
        let sent = self.pieces.blocking_send(Ok(piece.into()));
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}
