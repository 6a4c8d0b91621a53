//! The rows of uploaded files.

use super::SqliteStore;
use super::noun_rows::malformed;
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension, Row, params};
use store::files::{FileRow, Files};
use store::{StoreError, StoreFuture, files::StoredFile};
use tracing::{debug_span, trace_span};
use wire::Timestamp;

const BYTES: &str = "SELECT coalesce(sum(json_extract(document, '$.size')), 0) FROM files
   WHERE dataset IN (SELECT value FROM json_each(?1))";
const PUT: &str = "INSERT INTO files (id, dataset, created_at, document) VALUES (?1, ?2, ?3, ?4)";
const BY_ID: &str = "SELECT document, condemned_at FROM files WHERE id = ?1";
const BY_IDS: &str = "SELECT document, condemned_at FROM files
   WHERE id IN (SELECT value FROM json_each(?1))";
const KNOWN: &str = "SELECT document, condemned_at FROM files WHERE id > ?1 ORDER BY id LIMIT ?2";
const DOUBTFUL: &str = "SELECT document, condemned_at FROM files
   WHERE dataset = ?1 AND (created_at < ?2 OR condemned_at IS NOT NULL) ORDER BY created_at, id";
const CONDEMN: &str = "UPDATE files SET condemned_at = ?3 WHERE id = ?1 AND dataset = ?2";
const REPRIEVE: &str = "UPDATE files SET condemned_at = NULL WHERE id = ?1";
const REMOVE: &str = "DELETE FROM files WHERE id = ?1 AND condemned_at < ?2";

/// Files by their ids, behind one of them; so many at most.
pub(super) fn known(
    connection: &Connection,
    after: &str,
    max: usize,
) -> Result<Vec<StoredFile>, Failure> {
    let mut statement = connection.prepare(KNOWN)?;
    let max = i64::try_from(max).unwrap_or(i64::MAX);
    let rows = statement.query_map(params![after, max], |row| Ok(file(row)?.file))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn file(row: &Row<'_>) -> rusqlite::Result<FileRow> {
    let document: String = row.get(0)?;
    let unreadable = |error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error))
    };
    Ok(FileRow {
        file: serde_json::from_str(&document).map_err(unreadable)?,
        condemned_at: row.get::<_, Option<i64>>(1)?.map(Timestamp::from_millis),
    })
}

impl Files for SqliteStore {
    fn put_file(&self, file: StoredFile) -> StoreFuture<'_, ()> {
        let span = debug_span!("store.put_file", file.id, file.dataset);
        self.writer.run(span, move |connection, _| {
            let document = serde_json::to_string(&file).map_err(|source| StoreError::Document {
                what: "an uploaded file".to_owned(),
                source,
            })?;
            connection.prepare_cached(PUT)?.execute(params![
                file.id,
                file.dataset,
                file.created_at.millis(),
                document
            ])?;
            Ok(())
        })
    }

    fn file(&self, id: &str) -> StoreFuture<'_, Option<FileRow>> {
        let _span = trace_span!("store.file", file.id = id).entered();
        let found = self.readers.with(|connection| {
            let mut statement = connection.prepare_cached(BY_ID)?;
            Ok(statement.query_row([id], file).optional()?)
        });
        Box::pin(std::future::ready(found.map_err(StoreError::from)))
    }

    fn files_of(&self, ids: Vec<String>) -> StoreFuture<'_, Vec<FileRow>> {
        let _span = trace_span!("store.files_of", files = ids.len()).entered();
        let found = self.readers.with(|connection| {
            let asked = serde_json::to_string(&ids).map_err(malformed("ids of files"))?;
            let mut statement = connection.prepare_cached(BY_IDS)?;
            let rows = statement.query_map([asked], file)?;
            Ok(rows.collect::<Result<_, _>>()?)
        });
        Box::pin(std::future::ready(found.map_err(StoreError::from)))
    }

    fn file_bytes(&self, datasets: Vec<String>) -> StoreFuture<'_, u64> {
        let _span = trace_span!("store.file_bytes", datasets = datasets.len()).entered();
        let sum = self.readers.with(|connection| {
            let asked = serde_json::to_string(&datasets).map_err(malformed("ids of datasets"))?;
            let mut statement = connection.prepare_cached(BYTES)?;
            Ok(statement.query_row([asked], |row| row.get::<_, i64>(0))?)
        });
        let sum = sum.map(|bytes| u64::try_from(bytes).unwrap_or_default());
        Box::pin(std::future::ready(sum.map_err(StoreError::from)))
    }

    fn doubtful_files(&self, dataset: &str, before: Timestamp) -> StoreFuture<'_, Vec<FileRow>> {
        let _span = trace_span!("store.doubtful_files", dataset).entered();
        let found = self.readers.with(|connection| {
            let mut statement = connection.prepare_cached(DOUBTFUL)?;
            let rows = statement.query_map(params![dataset, before.millis()], file)?;
            Ok(rows.collect::<Result<_, _>>()?)
        });
        Box::pin(std::future::ready(found.map_err(StoreError::from)))
    }

    fn condemn_files(&self, dataset: &str, ids: Vec<String>, at: Timestamp) -> StoreFuture<'_, ()> {
        let span = debug_span!("store.condemn_files", dataset, count = ids.len());
        let dataset = dataset.to_owned();
        self.writer.run(span, move |connection, _| {
            let mut statement = connection.prepare_cached(CONDEMN)?;
            for id in &ids {
                statement.execute(params![id, dataset, at.millis()])?;
            }
            Ok(())
        })
    }

    fn reprieve_file(&self, id: &str) -> StoreFuture<'_, bool> {
        let span = debug_span!("store.reprieve_file", file.id = id);
        let id = id.to_owned();
        self.writer.run(span, move |connection, _| {
            let mut statement = connection.prepare_cached(REPRIEVE)?;
            Ok(statement.execute([&id])? > 0)
        })
    }

    fn remove_file(&self, id: &str, condemned_before: Timestamp) -> StoreFuture<'_, bool> {
        let span = debug_span!("store.remove_file", file.id = id);
        let id = id.to_owned();
        self.writer.run(span, move |connection, _| {
            let mut statement = connection.prepare_cached(REMOVE)?;
            Ok(statement.execute(params![id, condemned_before.millis()])? > 0)
        })
    }
}
