//! A store in a folder as one that is moved, or moved into: its rows in the portable form of the contract. While a move into
//! it is not over, nobody else opens it.

mod read;
mod write;

use crate::data_folder::{self, FolderLock};
use crate::error::Failure;
use crate::{SqliteOptions, SqliteStore, gaps, open};
use rusqlite::{Connection, OptionalExtension};
use std::path::Path;
use store::transfer::{
    Begun, Part, RowKey, TransferRow, TransferSource, TransferTarget, not_alone,
};
use store::{StoreError, StoreFuture};
use tracing::debug_span;

const PROGRESS: &str = "SELECT document FROM moves WHERE id = 1";
const BEGIN: &str = "INSERT INTO moves (id, document) VALUES (1, ?1)";
/// What a new store has whose move has not begun.
const MARK: &str = "INSERT INTO moves (id, document) VALUES (1, '');";
const GO_ON: &str = "UPDATE moves SET document = ?2 WHERE id = 1 AND document = ?1";
const END: &str = "DELETE FROM moves";
const IS_EMPTY: &str =
    "SELECT NOT EXISTS (SELECT 1 FROM catalog) AND NOT EXISTS (SELECT 1 FROM dataset_state)
   AND NOT EXISTS (SELECT 1 FROM change_log) AND NOT EXISTS (SELECT 1 FROM audit)";

/// How far a move into a store is, if one is under way.
fn progress(connection: &Connection) -> Result<Option<String>, Failure> {
    Ok(connection
        .query_row(PROGRESS, [], |row| row.get(0))
        .optional()?)
}

/// Refuses a store that a move into it did not fill yet.
pub(super) fn require_whole(connection: &Connection, folder: &Path) -> Result<(), Failure> {
    match progress(connection)? {
        Some(_) => {
            let shown = format!("the data folder {}", folder.display());
            Err(StoreError::HalfMoved(shown).into())
        }
        None => Ok(()),
    }
}

impl SqliteStore {
    /// Opens the store of a folder to move another one into it, making both if they are not there, and locks the folder.
    ///
    /// # Errors
    /// Those of [`open`](Self::open), but that of a store that is not whole.
    pub fn open_to_move(folder: &Path) -> Result<Self, StoreError> {
        if !data_folder::holds_store(folder)? {
            begin_in(folder)?;
        }
        let options = SqliteOptions {
            record_cache_bytes: 0,
            ..SqliteOptions::default()
        };
        Ok(Self::open_prepared(
            folder,
            options,
            crate::writer::READERS_REST,
            |_| Ok(()),
        )?)
    }
}

/// Makes the store of a folder, which is marked as one that a move fills from the moment that it has tables.
fn begin_in(folder: &Path) -> Result<(), Failure> {
    data_folder::make(folder)?;
    let _lock = FolderLock::take(folder, false)?;
    let (first, others) = open::MIGRATIONS.split_first().expect("there is one");
    let marked = format!("{first}\n{MARK}");
    let migrations = [&[&*marked], others].concat();
    open::writer_connection_by(&folder.join(data_folder::FILE), &migrations)?;
    Ok(())
}

impl TransferSource for SqliteStore {
    fn rows(
        &self,
        part: Part,
        after: Option<RowKey>,
        max: usize,
    ) -> StoreFuture<'_, Vec<TransferRow>> {
        self.beside(move |connection| read::rows(connection, part, after, max))
    }
}

impl TransferTarget for SqliteStore {
    fn begin(&self, progress: String) -> StoreFuture<'_, Begun> {
        let span = debug_span!("store.begin_move");
        self.writer.run(span, move |connection, _| {
            match self::progress(connection)? {
                Some(nothing) if nothing.is_empty() => {
                    connection.execute(GO_ON, [&nothing, &progress])?;
                    return Ok(Begun::New);
                }
                Some(before) => return Ok(Begun::Before(before)),
                None => {}
            }
            if !connection.query_row(IS_EMPTY, [], |row| row.get::<_, bool>(0))? {
                return Ok(Begun::Occupied);
            }
            connection.execute(BEGIN, [&progress])?;
            Ok(Begun::New)
        })
    }

    fn put(&self, rows: Vec<TransferRow>, from: String, progress: String) -> StoreFuture<'_, ()> {
        let span = debug_span!("store.put_moved", rows = rows.len());
        self.writer.run(span, move |connection, _| {
            if connection
                .prepare_cached(GO_ON)?
                .execute([&from, &progress])?
                == 0
            {
                return Err(not_alone().into());
            }
            rows.iter().try_for_each(|row| write::put(connection, row))
        })
    }

    fn settle(&self) -> StoreFuture<'_, ()> {
        let span = debug_span!("store.settle_move");
        self.writer.run(span, |connection, _| {
            gaps::make_anew(connection)?;
            write::order_trail(connection)
        })
    }

    fn finish(&self) -> StoreFuture<'_, ()> {
        let span = debug_span!("store.finish_move");
        self.writer.run(span, |connection, _| {
            connection.execute(END, [])?;
            Ok(())
        })
    }
}
