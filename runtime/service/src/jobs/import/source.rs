//! The bytes of an import's file: they are counted, and each reading looks whether the job is to end. So a file in which no row
//! comes for long (blank lines, a cell without an end, packed zeros) is left as soon as any other. It knows nothing of rows.

use crate::jobs::context::JobContext;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A file whose job is under way.
pub(super) struct WatchedFile {
    file: File,
    /// How many bytes were read.
    bytes: Arc<AtomicU64>,
    /// What says that the job is to end.
    ends: [Arc<AtomicBool>; 2],
}

impl WatchedFile {
    pub(super) fn new(file: File, bytes: Arc<AtomicU64>, context: &JobContext) -> Self {
        WatchedFile {
            file,
            bytes,
            ends: [context.stop.clone(), context.is_cancelled.clone()],
        }
    }
}

impl Read for WatchedFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.ends.iter().any(|end| end.load(Ordering::Relaxed)) {
            // why, the job knows
            return Err(io::ErrorKind::Other.into());
        }
        let count = self.file.read(into)?;
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
