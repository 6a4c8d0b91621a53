//! How who reads much lets the write-ahead log begin anew. Short transactions alone do not: the log can do so only
//! when nobody is in it from the end of one commit to the beginning of the next, and who reads on at once always is.

use super::opened_files::beside;
use rusqlite::Connection;
use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long one waits for it at a time.
const WAIT_MAX: Duration = Duration::from_secs(2);
/// How often one looks.
const LOOK: Duration = Duration::from_millis(5);

/// One who gives way between two transactions.
pub(super) struct GiveWay {
    log_bytes_max: u64,
    /// How long the log was when it was waited for in vain: nobody writes then.
    in_vain: Cell<u64>,
}

impl GiveWay {
    /// To a log that is longer than this.
    pub(super) fn to_log_of(log_bytes_max: u64) -> Self {
        GiveWay {
            log_bytes_max,
            in_vain: Cell::new(0),
        }
    }

    /// Waits, in no transaction, until the log of a connection's database has begun anew, if it is too long.
    pub(super) fn give(&self, connection: &Connection) {
        let Some(file) = connection.path() else {
            return;
        };
        let log = beside(Path::new(file), "-wal");
        let length = || std::fs::metadata(&log).map_or(0, |log| log.len());
        let began = Instant::now();
        while length() > self.log_bytes_max && length() != self.in_vain.get() {
            if began.elapsed() >= WAIT_MAX {
                self.in_vain.set(length());
                return;
            }
            std::thread::sleep(LOOK);
        }
    }
}
