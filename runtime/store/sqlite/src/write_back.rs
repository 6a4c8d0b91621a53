//! Hands pages that were written into a file over to the disk, a few at a time. A sync takes over all there is at once, and
//! whatever else is synced meanwhile waits behind it: behind the thousands of pages of a checkpoint, a commit waits a
//! fiftieth of a second. Nothing depends on what is done here: who needs the pages on the disk syncs the file afterwards,
//! and finds little left to wait for.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::time::Duration;

/// How many pages are handed over together at least: a millisecond's work of a plain disk.
const TOGETHER: usize = 32;
/// How long the disk then has for others.
const REST: Duration = Duration::from_micros(1500);
/// How often it rests at most, a fifth of a second in all: who writes in bulk is not held up.
const RESTS_MAX: usize = 128;
/// What stands before the frames of a write-ahead log, and before the page of each (SQLite's file format, 4.1 and 4.2).
const HEADER_BYTES: u64 = 32;
const FRAME_HEADER_BYTES: u64 = 24;
/// Where the header has the size of a page.
const PAGE_SIZE_AT: u64 = 8;

/// A write-ahead log, as it tells which pages it has.
pub(super) struct LogFile(File);

impl LogFile {
    /// That of a file that is open for reading.
    pub(super) fn new(file: File) -> Self {
        LogFile(file)
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn page_size(&self) -> io::Result<u64> {
        // what is no size of a page is none that one has
        Ok(u64::from(self.number(PAGE_SIZE_AT)?).max(512))
    }

    fn number(&self, at: u64) -> io::Result<u32> {
        let mut bytes = [0; 4];
        read_at(&self.0, &mut bytes, at)?;
        Ok(u32::from_be_bytes(bytes))
    }

    /// Hands over what frames of this log brought into its database; `rest` waits, and says whether to go on.
    pub(super) fn hand_over_brought(
        &self,
        database: &File,
        frames: Range<u64>,
        rest: impl FnMut(Duration) -> bool,
    ) -> io::Result<()> {
        let size = self.page_size()?;
        let mut pages = Vec::new();
        for frame in frames {
            let at = HEADER_BYTES + frame * (FRAME_HEADER_BYTES + size);
            pages.push(u64::from(self.number(at)?));
        }
        pages.sort_unstable();
        pages.dedup();
        let places = pages.iter().map(|page| page.saturating_sub(1) * size);
        hand_over(database, &places.collect::<Vec<_>>(), size, rest);
        Ok(())
    }

    /// Hands over frames of this log.
    pub(super) fn hand_over(
        &self,
        frames: Range<u64>,
        rest: impl FnMut(Duration) -> bool,
    ) -> io::Result<()> {
        let frame = FRAME_HEADER_BYTES + self.page_size()?;
        let places = frames.map(|number| HEADER_BYTES + number * frame);
        hand_over(&self.0, &places.collect::<Vec<_>>(), frame, rest);
        Ok(())
    }
}

/// Has the disk begin to write what is at these places of a file, in their order; what is side by side, `size` bytes each, it
/// is told at once.
fn hand_over(file: &File, places: &[u64], size: u64, mut rest: impl FnMut(Duration) -> bool) {
    let together = TOGETHER.max(places.len().div_ceil(RESTS_MAX));
    for places in places.chunks(together) {
        for side_by_side in places.chunk_by(|one, next| one + size == *next) {
            if let [first, .., last] | [first @ last] = side_by_side {
                begin(file, *first, *last);
            }
        }
        if !rest(REST) {
            return;
        }
    }
}

/// Linux begins to write what is said not to be needed, and keeps in memory what is being written, and a page of which
/// only a part is said so.
#[cfg(target_os = "linux")]
fn begin(file: &File, first: u64, last: u64) {
    use rustix::fs::{Advice, fadvise};
    use std::num::NonZeroU64;
    let length = NonZeroU64::new(last - first + 1);
    // where it does not, the sync has more to do
    let _ = fadvise(file, first + 1, length, Advice::DontNeed);
}

#[cfg(not(target_os = "linux"))]
fn begin(_: &File, _: u64, _: u64) {}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    use std::os::unix::fs::FileExt as _;
    file.read_exact_at(bytes, at)
}

#[cfg(not(unix))]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    use std::io::{Read as _, Seek as _, SeekFrom};
    let mut file = file;
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::Connection;

    /// A database whose log has more frames than it has pages.
    fn database(folder: &std::path::Path) -> (Connection, LogFile, File) {
        let path = folder.join("a.db");
        let connection = Connection::open(&path).unwrap();
        let set = "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a);";
        connection.execute_batch(set).unwrap();
        for _ in 0..20 {
            let put = "INSERT INTO t VALUES (randomblob(9000))";
            connection.execute(put, []).unwrap();
        }
        let log = LogFile::new(File::open(folder.join("a.db-wal")).unwrap());
        let file = File::options().read(true).write(true).open(path).unwrap();
        (connection, log, file)
    }

    fn frames(connection: &Connection) -> u64 {
        let sql = "PRAGMA wal_checkpoint(PASSIVE)";
        connection.query_row(sql, [], |row| row.get(1)).unwrap()
    }

    #[test]
    fn pages_of_a_log_are_handed_over_once_each_with_rests_between() {
        let folder = tempfile::tempdir().unwrap();
        let (connection, log, file) = database(folder.path());
        let count = frames(&connection);
        let pages: i64 = connection
            .query_row("PRAGMA page_count", [], |row| row.get(0))
            .unwrap();
        let mut rests = 0;
        let rest = |_| {
            rests += 1;
            true
        };
        log.hand_over_brought(&file, 0..count, rest).unwrap();
        assert!(u64::try_from(pages).unwrap() < count, "{pages} of {count}");
        assert_eq!(rests, usize::try_from(pages).unwrap().div_ceil(TOGETHER));
        let mut all = 0;
        let rest = |_| {
            all += 1;
            true
        };
        log.hand_over(0..count, rest).unwrap();
        assert_eq!(all, usize::try_from(count).unwrap().div_ceil(TOGETHER));
        // who can't wait is not held up
        let mut rests = 0;
        let rest = |_| {
            rests += 1;
            false
        };
        log.hand_over(0..count, rest).unwrap();
        assert_eq!(rests, 1);
        // nothing of it is read from the file but numbers, and nothing is written
        let whole: String = connection
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(whole, "ok");
    }

    #[test]
    fn frames_that_a_log_does_not_have_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let (connection, log, file) = database(folder.path());
        let behind = frames(&connection);
        let ended = log.hand_over_brought(&file, behind..behind + 1, |_| true);
        assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
