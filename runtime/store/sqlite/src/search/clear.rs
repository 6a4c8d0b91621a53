//! Emptying the index, so that it is made anew from the records: its tables, or its file where that is damaged.

use super::columns::Columns;
use super::{Inner, open};
use crate::error::Failure;
use rusqlite::Connection;
use std::sync::atomic::Ordering;
use store::StoreError;

const CLEAR: &str = "INSERT INTO words (words) VALUES ('delete-all'); DELETE FROM slots;
   DELETE FROM facts; DELETE FROM keys; DELETE FROM orders; DELETE FROM faults; DELETE FROM progress;";

impl Inner {
    /// Empties the index; one that is damaged is made anew. Its progress goes before anything else does: who looks on meanwhile
    /// finds that it was emptied.
    pub(super) fn clear(&self) -> Result<(), Failure> {
        let mut writer = self.writer()?;
        let known = (self.columns().clone(), self.progress.read().clone());
        self.remember(Columns::default(), None);
        self.emptied.fetch_add(1, Ordering::SeqCst);
        let cleared = self.clear_away(&mut writer);
        if cleared.is_err() {
            // what is still there is to be emptied another time
            let (columns, progress) = known;
            self.remember(columns, progress);
        }
        cleared
    }

    fn clear_away(&self, writer: &mut Connection) -> Result<(), Failure> {
        if !self.damage.is_there() {
            match emptied(writer).map_err(|failure| self.damage.noted(failure)) {
                Err(Failure::Store(StoreError::IndexDamaged)) => {}
                emptied => return emptied,
            }
        }
        self.readers.renew(|file| {
            // closed before its files go: who closes last tidies up by their names
            *writer = Connection::open_in_memory()?;
            *writer = open::anew(file)?;
            Ok(())
        })?;
        self.damage.mended();
        Ok(())
    }
}

fn emptied(writer: &mut Connection) -> Result<(), Failure> {
    let transaction = writer.transaction()?;
    transaction.execute_batch(CLEAR)?;
    Ok(transaction.commit()?)
}
