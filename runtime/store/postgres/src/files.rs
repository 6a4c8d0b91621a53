//! The rows of uploaded files.

use crate::PostgresStore;
use crate::connection::Values;
use crate::connections::{Transaction, transact};
use crate::contents_hold;
use crate::error::{Failure, malformed};
use store::files::{FileRoom, FileRow, Files, StoredFile};
use store::{StoreError, StoreFuture};
use tokio_postgres::Row;
use wire::Timestamp;

const PUT: &str = "INSERT INTO files (id, dataset, created_at, size, document)
   VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
// rooms count what was put; what was removed meanwhile is found when they are summed up anew
const TAKE_ROOM: &str = "UPDATE file_room SET bytes_at_most = bytes_at_most + $2
   WHERE tenant = $1 AND bytes_at_most + $2 <= $3";
const BEGIN_ROOM: &str =
    "INSERT INTO file_room (tenant, bytes_at_most) VALUES ($1, $2) ON CONFLICT DO NOTHING";
const HOLD_ROOM: &str = "SELECT bytes_at_most FROM file_room WHERE tenant = $1 FOR UPDATE";
const ALL_BYTES: &str =
    "SELECT coalesce(sum(size), 0)::bigint FROM files WHERE dataset = ANY ($1::text[])";
const PUT_ROOM: &str = "UPDATE file_room SET bytes_at_most = $2 WHERE tenant = $1";
const BY_ID: &str = "SELECT document, condemned_at FROM files WHERE id = $1";
const BY_IDS: &str = "SELECT document, condemned_at FROM files WHERE id = ANY ($1::text[])";
const DOUBTFUL: &str = "SELECT document, condemned_at FROM files
   WHERE dataset = $1 AND (created_at < $2 OR condemned_at IS NOT NULL) ORDER BY created_at, id";
const CONDEMN: &str =
    "UPDATE files SET condemned_at = $3 WHERE id = ANY ($1::text[]) AND dataset = $2";
const REPRIEVE: &str = "UPDATE files SET condemned_at = NULL WHERE id = $1";
const REMOVE: &str = "DELETE FROM files WHERE id = $1 AND condemned_at < $2";

fn file(row: &Row) -> Result<FileRow, Failure> {
    let file = serde_json::from_str(row.get(0)).map_err(malformed("an uploaded file"))?;
    Ok(FileRow {
        file,
        condemned_at: row.get::<_, Option<i64>>(1).map(Timestamp::from_millis),
    })
}

/// Takes room for so many bytes, exactly: who else puts a file of the tenant waits for the row meanwhile.
async fn take_room(tx: &Transaction, room: &FileRoom, bytes: i64) -> Result<bool, Failure> {
    let most = i64::try_from(room.bytes_max).unwrap_or(i64::MAX);
    if tx
        .execute(TAKE_ROOM, &[&room.tenant, &bytes, &most])
        .await?
        > 0
    {
        return Ok(true);
    }
    tx.execute(BEGIN_ROOM, &[&room.tenant, &most]).await?;
    tx.rows(HOLD_ROOM, &[&room.tenant]).await?;
    let used = tx.row(ALL_BYTES, &[&room.datasets]).await?;
    let used: i64 = used.map_or(0, |row| row.get(0));
    let has_room = bytes <= most.saturating_sub(used);
    if has_room {
        let used = used + bytes;
        tx.execute(PUT_ROOM, &[&room.tenant, &used]).await?;
    }
    Ok(has_room)
}

/// Keeps a file in a transaction.
async fn put(tx: &Transaction, file: &StoredFile) -> Result<(), Failure> {
    let document = serde_json::to_string(file).map_err(malformed("an uploaded file"))?;
    let (at, size) = (file.created_at.millis(), file.size.cast_signed());
    let given: Values<'_> = &[&file.id, &file.dataset, &at, &size, &document];
    if tx.execute(PUT, given).await? == 0 {
        let words = format!("there is a file {} already", file.id);
        return Err(StoreError::Database(words.into()).into());
    }
    Ok(())
}

impl Files for PostgresStore {
    fn put_file(&self, file: StoredFile) -> StoreFuture<'_, ()> {
        let inner = self.inner.clone();
        self.see_through(async move { transact!(&inner.connections, tx => put(tx, &file).await) })
    }

    fn put_file_within(&self, file: StoredFile, room: FileRoom) -> StoreFuture<'_, bool> {
        let inner = self.inner.clone();
        self.see_through(async move {
            transact!(&inner.connections, tx => {
                let has_room = take_room(tx, &room, file.size.cast_signed()).await?;
                if has_room {
                    put(tx, &file).await?;
                } else {
                    tx.keeps_nothing();
                }
                Ok(has_room)
            })
        })
    }

    fn file(&self, id: &str) -> StoreFuture<'_, Option<FileRow>> {
        let id = id.to_owned();
        self.read(|inner| async move {
            let row = inner.connections.read_one(BY_ID, &[&id]).await?;
            row.as_ref().map(file).transpose()
        })
    }

    fn files_of(&self, ids: Vec<String>) -> StoreFuture<'_, Vec<FileRow>> {
        self.read(move |inner| async move {
            let rows = inner.connections.read(BY_IDS, &[&ids]).await?;
            rows.iter().map(file).collect()
        })
    }

    fn doubtful_files(&self, dataset: &str, before: Timestamp) -> StoreFuture<'_, Vec<FileRow>> {
        let dataset = dataset.to_owned();
        self.read(move |inner| async move {
            let rows = inner
                .connections
                .read(DOUBTFUL, &[&dataset, &before.millis()])
                .await?;
            rows.iter().map(file).collect()
        })
    }

    fn file_bytes(&self, datasets: Vec<String>) -> StoreFuture<'_, u64> {
        self.read(move |inner| async move {
            let row = inner.connections.read_one(ALL_BYTES, &[&datasets]).await?;
            Ok(row.map_or(0, |row| row.get::<_, i64>(0).cast_unsigned()))
        })
    }

    fn condemn_files(&self, dataset: &str, ids: Vec<String>, at: Timestamp) -> StoreFuture<'_, ()> {
        let (inner, dataset) = (self.inner.clone(), dataset.to_owned());
        self.see_through(async move {
            inner
                .connections
                .change(CONDEMN, &[&ids, &dataset, &at.millis()])
                .await?;
            Ok(())
        })
    }

    fn reprieve_file(&self, id: &str) -> StoreFuture<'_, bool> {
        let (inner, id) = (self.inner.clone(), id.to_owned());
        self.see_through(async move { Ok(inner.connections.change(REPRIEVE, &[&id]).await? > 0) })
    }

    fn remove_file(&self, id: &str, condemned_before: Timestamp) -> StoreFuture<'_, bool> {
        let (inner, id) = (self.inner.clone(), id.to_owned());
        self.see_through(async move {
            let before = condemned_before.millis();
            transact!(&inner.connections, tx => {
                if contents_hold::is_held(tx).await? {
                    tx.keeps_nothing();
                    return Ok(false);
                }
                Ok(tx.execute(REMOVE, &[&id, &before]).await? > 0)
            })
        })
    }
}
