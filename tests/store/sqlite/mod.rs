//! What only the embedded store has: a folder with a lock, one writer thread, a file that can be
//! damaged, a disk that can be full, a process that can be killed.

mod check;
mod check_trail;
mod failing;
mod killed;
mod lost_log;
mod opening;
mod replaced;
mod replicated;
mod rot;
#[cfg(unix)]
mod second_names;

use crate::test_dataset::TestDataset;
use runtime::store::sqlite::SqliteStore;
use rusqlite::Connection;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn open(folder: &Path) -> Arc<SqliteStore> {
    Arc::new(SqliteStore::open(folder).expect("the store opens"))
}

fn dataset(folder: &Path) -> TestDataset {
    TestDataset::new(open(folder), 1)
}

/// The store's file, past the store.
fn file(folder: &Path) -> Connection {
    Connection::open(folder.join("fieldstone.db")).expect("the file")
}

/// Waits until a store that nobody writes has all of its log in the database, which it begins a second behind its last commit:
/// but for the seal, where somebody reads what was there before.
fn until_log_is_over(folder: &Path, is_read: bool) {
    const PATIENCE: Duration = Duration::from_secs(60);
    let file = file(folder);
    let mark = "SELECT count(*) FROM commit_mark";
    let _: i64 = file.query_row(mark, [], |row| row.get(0)).expect("read");
    let extent = || -> (i64, i64) {
        let look = "PRAGMA wal_checkpoint(NOOP)";
        let extent = file.query_row(look, [], |row| Ok((row.get(1)?, row.get(2)?)));
        extent.expect("a look")
    };
    let (before, _) = extent();
    let began = Instant::now();
    loop {
        let (pages, done) = extent();
        let is_over = if is_read {
            done >= before && pages > before
        } else {
            done == pages
        };
        if is_over {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "{done} of {pages} pages");
        std::thread::sleep(Duration::from_millis(20));
    }
}
