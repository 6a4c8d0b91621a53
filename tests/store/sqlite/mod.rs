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
