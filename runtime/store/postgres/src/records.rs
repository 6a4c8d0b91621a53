//! Records: reads by key on prepared statements. How they are written, `write` tells; what was written, `past`.

use crate::error::Failure;
use crate::log_row::{LogReader, id_of};
use crate::write::folded_key;
use crate::{Inner, PostgresStore, limit_of};
use store::StoreFuture;
use store::records::{
    Counts, DatasetChanges, DeletedPage, Deletion, FoundRecord, LogEntry, PageLimit, RecordId,
    RecordPlace, Records, RecordsPage, Shelf, StoredRecord, Write, WriteVerdict,
};
use tokio_postgres::Row;
use wire::Timestamp;

/// The columns that [`record`] reads, and more behind them.
macro_rules! select_record {
    ($rest:literal) => {
        select_record!("", $rest)
    };
    ($more:literal, $rest:literal) => {
        concat!(
            "SELECT dataset, sequence, nonce, version, schema_version, body, errors, hidden, deleted",
            $more,
            "
   FROM records ",
            $rest
        )
    };
}
pub(crate) use select_record;

const BY_PLACE: &str = select_record!("WHERE dataset = $1 AND sequence = $2");
const LIVE: &str = select_record!(
    "WHERE dataset = $1 AND sequence > $2 AND NOT deleted ORDER BY sequence LIMIT $3"
);
const DELETED: &str =
    select_record!("WHERE dataset = $1 AND sequence > $2 AND deleted ORDER BY sequence LIMIT $3");
const NEWEST_DELETED: &str = select_record!(
    ", l.number, l.at, l.actor",
    "JOIN (SELECT sequence AS deleted_sequence, number, at, actor FROM change_log
       WHERE dataset = $1 AND action = 'delete' AND number < $2) l
     ON l.deleted_sequence = sequence AND l.number = last_change
   WHERE dataset = $1 AND deleted ORDER BY l.number DESC LIMIT $3"
);
const COUNTS: &str = "SELECT records, errored FROM dataset_state WHERE dataset = $1";

/// Records that a page reads at a time, so that few large ones are read in vain: a page of a hundred, and the one that tells
/// whether something follows.
const ROWS_AT_ONCE: usize = 101;

/// So many rows are read next for a page that has some: one more than there is room for tells whether something follows.
fn rows_at_once(limit: PageLimit, taken: usize) -> usize {
    let left = limit.records.saturating_sub(taken).saturating_add(1);
    if limit.bytes == usize::MAX {
        left
    } else {
        left.min(ROWS_AT_ONCE)
    }
}

pub(crate) fn record(row: &Row) -> StoredRecord {
    StoredRecord {
        id: id_of(row.get(0), row.get(1), row.get(2)),
        version: row.get(3),
        schema_version: row.get(4),
        body: row.get(5),
        errors: row.get(6),
        hidden: row.get(7),
        deleted: row.get(8),
    }
}

/// The number of an entry, and what it is about.
pub(crate) fn told(row: &Row) -> (u64, RecordId) {
    let number = row.get::<_, i64>(0).cast_unsigned();
    (number, id_of(row.get(1), row.get(2), row.get(3)))
}

/// A number as the database keeps it; one that is too great is greater than all.
pub(crate) fn number_of(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Inner {
    async fn page(
        &self,
        dataset: u32,
        shelf: Shelf,
        after: u64,
        limit: PageLimit,
    ) -> Result<RecordsPage, Failure> {
        let sql = match shelf {
            Shelf::Live => LIVE,
            Shelf::Deleted => DELETED,
        };
        let (mut page, mut bytes, mut after) = (RecordsPage::default(), 0, number_of(after));
        loop {
            let most = rows_at_once(limit, page.records.len());
            let given = (i64::from(dataset), limit_of(most));
            let rows = self
                .connections
                .read(sql, &[&given.0, &after, &given.1])
                .await?;
            for row in &rows {
                after = row.get(1);
                if limit.is_reached(page.records.len(), bytes) {
                    page.behind = Some(after.cast_unsigned());
                    return Ok(page);
                }
                let record = record(row);
                bytes += record.bytes();
                page.records.push(record);
            }
            if rows.len() < most {
                return Ok(page);
            }
        }
    }

    async fn newest_deleted(
        &self,
        dataset: u32,
        before: u64,
        limit: PageLimit,
    ) -> Result<DeletedPage, Failure> {
        let (mut page, mut bytes, mut before) = (DeletedPage::default(), 0, number_of(before));
        let mut reader = LogReader::default();
        loop {
            let most = rows_at_once(limit, page.records.len());
            let given = (i64::from(dataset), limit_of(most));
            let rows = self
                .connections
                .read(NEWEST_DELETED, &[&given.0, &before, &given.1])
                .await?;
            for row in &rows {
                if limit.is_reached(page.records.len(), bytes) {
                    page.has_more = true;
                    return Ok(page);
                }
                before = row.get(9);
                let record = record(row);
                bytes += record.bytes();
                let at = Timestamp::from_millis(row.get(10));
                // a text that is no actor was changed by hand
                let done = reader.actor(row.get(11)).ok().map(|actor| (at, actor));
                let number = before.cast_unsigned();
                page.records.push((Deletion { number, done }, record));
            }
            if rows.len() < most {
                return Ok(page);
            }
        }
    }

    /// The row that a statement finds by dataset and sequence; none at a place that no store gives.
    pub(crate) async fn at_place(
        &self,
        statement: &'static str,
        place: RecordPlace,
    ) -> Result<Option<Row>, Failure> {
        if place.number().is_none() {
            return Ok(None);
        }
        let (dataset, sequence) = (i64::from(place.dataset), place.sequence.cast_signed());
        self.connections
            .read_one(statement, &[&dataset, &sequence])
            .await
    }
}

impl Records for PostgresStore {
    fn write(&self, write: Write) -> StoreFuture<'_, WriteVerdict> {
        self.writer.write(write)
    }

    fn get(&self, place: RecordPlace) -> StoreFuture<'_, Option<StoredRecord>> {
        self.read(move |inner| async move {
            let row = inner.at_place(BY_PLACE, place).await?;
            Ok(row.as_ref().map(record))
        })
    }

    fn get_some<'a>(
        &'a self,
        places: &'a [RecordPlace],
        bytes_max: usize,
    ) -> StoreFuture<'a, Vec<FoundRecord>> {
        self.read(move |inner| async move { inner.get_some(places, bytes_max).await })
    }

    fn by_key(&self, dataset: u32, key: &str) -> StoreFuture<'_, Option<StoredRecord>> {
        Box::pin(self.lookups.find(dataset, folded_key(key)))
    }

    fn page(
        &self,
        dataset: u32,
        shelf: Shelf,
        after: u64,
        limit: PageLimit,
    ) -> StoreFuture<'_, RecordsPage> {
        self.read(move |inner| async move { inner.page(dataset, shelf, after, limit).await })
    }

    fn newest_deleted(
        &self,
        dataset: u32,
        before: u64,
        limit: PageLimit,
    ) -> StoreFuture<'_, DeletedPage> {
        self.read(move |inner| async move { inner.newest_deleted(dataset, before, limit).await })
    }

    fn counts(&self, dataset: u32) -> StoreFuture<'_, Counts> {
        self.read(move |inner| async move {
            let row = inner
                .connections
                .read_one(COUNTS, &[&i64::from(dataset)])
                .await?;
            Ok(row.map_or_else(Counts::default, |row| Counts {
                records: row.get::<_, i64>(0).cast_unsigned(),
                errored: row.get::<_, i64>(1).cast_unsigned(),
            }))
        })
    }

    fn counts_of(&self, datasets: Vec<u32>) -> StoreFuture<'_, Vec<Counts>> {
        self.read(move |inner| async move { inner.counts_of(&datasets).await })
    }

    fn log(&self, after: u64, limit: PageLimit) -> StoreFuture<'_, Vec<LogEntry>> {
        self.read(move |inner| async move { inner.log(after, limit).await })
    }

    fn log_records(&self, after: u64, most: usize) -> StoreFuture<'_, Vec<(u64, RecordId)>> {
        self.read(move |inner| async move { inner.log_records(after, most).await })
    }

    fn newest_changes(
        &self,
        datasets: Vec<u32>,
        most: usize,
    ) -> StoreFuture<'_, Vec<(u64, RecordId)>> {
        self.read(move |inner| async move { inner.newest_changes(&datasets, most).await })
    }

    fn changes(
        &self,
        dataset: u32,
        after: u64,
        limit: PageLimit,
    ) -> StoreFuture<'_, DatasetChanges> {
        self.read(move |inner| async move { inner.changes(dataset, after, limit).await })
    }

    fn changes_before(
        &self,
        dataset: u32,
        before: u64,
        limit: PageLimit,
    ) -> StoreFuture<'_, Vec<LogEntry>> {
        self.read(move |inner| async move { inner.changes_before(dataset, before, limit).await })
    }

    fn next_change(&self, dataset: u32, after: u64) -> StoreFuture<'_, ()> {
        self.read(move |inner| async move { inner.next_change(dataset, after).await })
    }

    fn history(
        &self,
        id: RecordId,
        before: Option<u64>,
        limit: PageLimit,
    ) -> StoreFuture<'_, Vec<LogEntry>> {
        self.read(move |inner| async move { inner.history(id, before, limit).await })
    }

    fn last_change(&self, place: RecordPlace) -> StoreFuture<'_, Option<LogEntry>> {
        self.read(move |inner| async move { inner.last_change(place).await })
    }

    fn log_head(&self) -> StoreFuture<'_, u64> {
        self.read(move |inner| async move { inner.log_head().await })
    }

    fn log_head_of(&self, datasets: Vec<u32>) -> StoreFuture<'_, u64> {
        self.read(move |inner| async move { inner.log_head_of(&datasets).await })
    }

    fn settled_head(&self) -> StoreFuture<'_, u64> {
        self.read(move |inner| async move { inner.settled_head().await })
    }

    fn prove_write(&self) -> StoreFuture<'_, ()> {
        self.read(move |inner| async move { inner.prove_write().await })
    }

    fn check(&self) -> StoreFuture<'_, Vec<String>> {
        self.read(move |inner| async move { inner.check().await })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_a_hundred_knows_by_one_statement_whether_something_follows() {
        let limit = PageLimit {
            records: 100,
            bytes: 4 << 20,
        };
        assert_eq!(rows_at_once(limit, 0), limit.records + 1);
    }
}
