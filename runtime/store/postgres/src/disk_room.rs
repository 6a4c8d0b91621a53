//! Whether the disk of the database is full. A small write may find room in a page that is there while larger ones are refused, so
//! that a write succeeds proves nothing. It makes no room.

use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Instant;

/// When the database refused something last for lack of room; none once it had some.
#[derive(Clone, Default)]
pub(crate) struct DiskRoom(Arc<Mutex<Option<Instant>>>);

impl DiskRoom {
    /// Notes that it refused something.
    pub(crate) fn note_full(&self) {
        *self.0.lock() = Some(Instant::now());
    }

    /// When it refused something last.
    pub(crate) fn full_since(&self) -> Option<Instant> {
        *self.0.lock()
    }

    /// Notes that it has some again, unless it refused something since.
    pub(crate) fn note_room(&self, full: Instant) {
        let mut noted = self.0.lock();
        if *noted == Some(full) {
            *noted = None;
        }
    }
}
