//! Bytes that one thread writes and another place takes, piece by piece: who takes slowly slows who writes, and who takes
//! no more ends it. A backup on its way, or a file on its way to a server. Nobody looks at what it is.

use hyper::body::{Body, Bytes, Frame};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Bytes of a piece.
const PIECE_BYTES: usize = 256 << 10;
/// Pieces that wait to be taken.
const WAITING_MAX: usize = 4;

/// What was written, to be taken.
pub(crate) struct Pieces {
    pieces: Receiver<io::Result<Bytes>>,
    taken: Arc<AtomicU64>,
}

/// Takes what is written.
pub(crate) struct PieceWriter {
    pieces: Sender<io::Result<Bytes>>,
    piece: Vec<u8>,
}

impl Pieces {
    /// What `write` writes of a backup, which the runtime waits for at its end.
    pub(crate) fn begin(
        write: impl FnOnce(&mut PieceWriter) -> anyhow::Result<()> + Send + 'static,
    ) -> Self {
        let (mut writer, pieces) = Self::pair(Arc::default());
        tokio::task::spawn_blocking(move || {
            let ended = write(&mut writer).and_then(|()| Ok(writer.flush()?));
            if let Err(error) = ended {
                let text = format!("{error:#}");
                // who takes no more needs no telling
                if writer.fail(io::Error::other(text)) {
                    tracing::error!("a backup broke off: {error:#}");
                }
            }
        });
        pieces
    }

    /// A file, a pipe, or standard input (`-`), read by a thread that nobody waits for: standard input may never end, and a pipe
    /// can't be opened before someone writes to it. `taken` counts the bytes that were taken.
    ///
    /// # Errors
    /// A file that can't be opened.
    pub(crate) fn of(path: &Path, taken: Arc<AtomicU64>) -> io::Result<Self> {
        let opened: Option<Box<dyn Read + Send>> = if path == Path::new("-") {
            Some(Box::new(crate::io::standard_input()))
        } else if std::fs::metadata(path)?.is_file() {
            Some(Box::new(File::open(path)?))
        } else {
            None
        };
        let path = path.to_owned();
        let (mut writer, pieces) = Self::pair(taken);
        std::thread::Builder::new()
            .name("pieces".to_owned())
            .spawn(move || {
                let source: io::Result<Box<dyn Read + Send>> = match opened {
                    Some(source) => Ok(source),
                    None => File::open(path).map(|file| Box::new(file) as _),
                };
                let copied = source.and_then(|source| {
                    let mut source = io::BufReader::with_capacity(PIECE_BYTES, source);
                    io::copy(&mut source, &mut writer)
                });
                if let Err(error) = copied.and_then(|_| writer.flush()) {
                    // who takes no more needs no telling
                    writer.fail(error);
                }
            })?;
        Ok(pieces)
    }

    fn pair(taken: Arc<AtomicU64>) -> (PieceWriter, Self) {
        let (sender, pieces) = channel(WAITING_MAX);
        let writer = PieceWriter {
            pieces: sender,
            piece: Vec::with_capacity(PIECE_BYTES),
        };
        (writer, Pieces { pieces, taken })
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
        let piece = std::task::ready!(self.pieces.poll_recv(context));
        if let Some(Ok(piece)) = &piece {
            self.taken.fetch_add(piece.len() as u64, Ordering::Relaxed);
        }
        Poll::Ready(piece.map(|piece| piece.map(Frame::data)))
    }
}

impl PieceWriter {
    /// Ends it with an error, if someone takes it still.
    fn fail(&self, error: io::Error) -> bool {
        self.pieces.blocking_send(Err(error)).is_ok()
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
