//! What is noted in the store of a folder that was restored from a backup, before anyone opens it: that it was, in the words of
//! who restores it, and that files of its jobs, which are in no backup, are not there. Its version stays as it is.

use super::commit_mark::CommitMark;
use super::{SqliteStore, data_folder, jobs, noun_rows, open};
use crate::error::Failure;
use rusqlite::Connection;
use std::path::Path;
use store::StoreError;
use store::catalog::Noun;

impl SqliteStore {
    /// Notes in the store of a folder that nobody has open that it was restored: its catalog gets this noun, and its jobs have no
    /// files any more.
    ///
    /// # Errors
    /// When there is no store, it is from a newer version, it is damaged, or the disk fails.
    pub fn note_restored(folder: &Path, noun: &Noun) -> Result<(), StoreError> {
        // one that is not there is not made
        drop(open::existing(folder)?);
        Ok(note(&folder.join(data_folder::FILE), noun)?)
    }
}

fn note(file: &Path, noun: &Noun) -> Result<(), Failure> {
    let connection = Connection::open(file)?;
    connection.execute_batch("PRAGMA synchronous = FULL;")?;
    open::version(&connection)?;
    let transaction = connection.unchecked_transaction()?;
    noun_rows::put(&transaction, noun)?;
    jobs::forget_all_files(&transaction)?;
    // it goes on for itself from here, and needs no log
    let mark = CommitMark::of(&transaction)?;
    mark.of_copy(&transaction)?.write(&transaction)?;
    transaction.commit()?;
    // all of it is in the one file that takes its place
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    Ok(())
}
