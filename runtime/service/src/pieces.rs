//! Work that takes its time on the threads that answer, in pieces: whoever makes a large page lets others go first now
//! and then, so that a small answer waits for a piece and never for the page.

/// Bytes that are made in one piece: a fraction of a millisecond.
const PIECE_BYTES: usize = 256 << 10;

/// What was made since others had their turn.
#[derive(Debug, Default)]
pub(crate) struct Pieces {
    bytes: usize,
}

impl Pieces {
    /// Notes that so many bytes more were made.
    pub(crate) async fn made(&mut self, bytes: usize) {
        self.bytes += bytes;
        if self.bytes >= PIECE_BYTES {
            self.bytes = 0;
            tokio::task::yield_now().await;
        }
    }
}
