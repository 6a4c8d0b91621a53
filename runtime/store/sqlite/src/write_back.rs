//! Hands pages that were written into a file over to the disk, a few at a time. A sync takes over all there is at once, and
//! whatever else is synced meanwhile waits behind it: behind the thousands of pages of a checkpoint, a commit waits a
//! fiftieth of a second. Nothing depends on what is done here: who needs the pages on the disk syncs the file afterwards,
//! and finds little left to wait for.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

/// How many pages are handed over together at least: a millisecond's work of a plain disk.
const TOGETHER: usize = 32;
/// How long the disk then has for others.
const REST: Duration = Duration::from_micros(1500);
/// How often it rests at most, a fifth of a second in all: who writes in bulk is not held up.
const RESTS_MAX: usize = 128;
/// What stands before the frames of a write-ahead log, and before the page of each (SQLite's "WAL-mode File Format", 1.1 and
/// 1.2).
const HEADER_BYTES: u64 = 32;
const FRAME_HEADER_BYTES: u64 = 24;
/// Where the header has the size of a page.
const PAGE_SIZE_AT: u64 = 8;
/// The log's index has blocks of such a size, the first one with a header; a block begins with the numbers of the pages
/// in so many frames (ibid., 2.1 and 2.2).
const BLOCK_BYTES: u64 = 32 << 10;
const BLOCK_HEADER_BYTES: u64 = 136;
const BLOCK_FRAMES: u64 = 4096;
const NUMBER_BYTES: u64 = 4;

/// The write-ahead log of a database. Closing its index gives up the locks of connections, so it is closed behind them.
pub(super) struct LogFile {
    log: File,
    index: File,
}

impl LogFile {
    /// That of a database that is open, and the log's index.
    pub(super) fn open(log: &Path, index: &Path) -> io::Result<Self> {
        Ok(LogFile {
            log: File::open(log)?,
            index: File::open(index)?,
        })
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.log.sync_data()
    }

    fn page_size(&self) -> io::Result<u64> {
        let mut bytes = [0; 4];
        read_at(&self.log, &mut bytes, PAGE_SIZE_AT)?;
        // what is no size of a page is none that one has
        Ok(u64::from(u32::from_be_bytes(bytes)).max(512))
    }

    /// The numbers of the pages that frames have.
    fn pages(&self, frames: Range<u64>) -> io::Result<Vec<u32>> {
        let of_header = BLOCK_HEADER_BYTES / NUMBER_BYTES;
        // as if the header were frames
        let (mut at, end) = (frames.start + of_header, frames.end + of_header);
        let mut pages = Vec::new();
        while at < end {
            let (block, first) = (at / BLOCK_FRAMES, at % BLOCK_FRAMES);
            let count = (BLOCK_FRAMES - first).min(end - at);
            let mut bytes = vec![0; usize::try_from(count * NUMBER_BYTES).unwrap_or(0)];
            let place = block * BLOCK_BYTES + first * NUMBER_BYTES;
            read_at(&self.index, &mut bytes, place)?;
            let (numbers, _) = bytes.as_chunks();
            pages.extend(numbers.iter().map(|number| u32::from_ne_bytes(*number)));
            at += count;
        }
        Ok(pages)
    }

    /// Hands over what frames of this log brought into its database; `rest` waits, and says whether to go on.
    pub(super) fn hand_over_brought(
        &self,
        database: &File,
        frames: Range<u64>,
        rest: impl FnMut(Duration) -> bool,
    ) -> io::Result<()> {
        let size = self.page_size()?;
        let mut pages = self.pages(frames)?;
        pages.sort_unstable();
        pages.dedup();
        // pages count from one
        let pages = pages.iter().filter_map(|page| page.checked_sub(1));
        let places = pages.map(|page| u64::from(page) * size);
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
        hand_over(&self.log, &places.collect::<Vec<_>>(), frame, rest);
        Ok(())
    }
}

/// Has the disk begin to write what is at these places of a file, in their order; what is side by side, `size` bytes each, it
/// is told at once.
fn hand_over(file: &File, places: &[u64], size: u64, mut rest: impl FnMut(Duration) -> bool) {
    let together = TOGETHER.max(places.len().div_ceil(RESTS_MAX));
    for places in places.chunks(together) {
        for side_by_side in places.chunk_by(|one, next| one + size == *next) {
            if let (Some(first), Some(last)) = (side_by_side.first(), side_by_side.last()) {
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
    fn database(folder: &Path) -> (Connection, LogFile, File) {
        let path = folder.join("a.db");
        let connection = Connection::open(&path).unwrap();
        let set = "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a);";
        connection.execute_batch(set).unwrap();
        for _ in 0..20 {
            let put = "INSERT INTO t VALUES (randomblob(9000))";
            connection.execute(put, []).unwrap();
        }
        let [log, index] = ["a.db-wal", "a.db-shm"].map(|name| folder.join(name));
        let log = LogFile::open(&log, &index).unwrap();
        let file = File::options().read(true).write(true).open(path).unwrap();
        (connection, log, file)
    }

    fn frames(connection: &Connection) -> u64 {
        let sql = "PRAGMA wal_checkpoint(PASSIVE)";
        let count: i64 = connection.query_row(sql, [], |row| row.get(1)).unwrap();
        count.unsigned_abs()
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
    fn the_index_of_a_log_tells_the_pages_of_its_frames() {
        let folder = tempfile::tempdir().unwrap();
        let (connection, log, _) = database(folder.path());
        let each = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
           INSERT INTO t SELECT randomblob(9000) FROM n";
        connection.execute(each, []).unwrap();
        let count = frames(&connection);
        assert!(count > 2 * BLOCK_FRAMES, "{count}");
        let size = log.page_size().unwrap();
        assert_eq!(size, 4096);
        for part in [0..count, 5..6, 4000..4100, BLOCK_FRAMES * 2 - 40..count] {
            let told = log.pages(part.clone()).unwrap();
            let frames = part.map(|frame| {
                let mut bytes = [0; 4];
                let place = HEADER_BYTES + frame * (FRAME_HEADER_BYTES + size);
                read_at(&log.log, &mut bytes, place).unwrap();
                u32::from_be_bytes(bytes)
            });
            assert_eq!(told, frames.collect::<Vec<_>>());
        }
    }
}
