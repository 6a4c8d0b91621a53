//! Records: reads by key on prepared statements, and the change log. How they are written, `write` tells.

use crate::error::Failure;
use crate::log_row::{LogReader, id_of, read_some, select_entry};
use crate::write::folded_key;
use crate::{Inner, PostgresStore, limit_of};
use std::time::Duration;
use store::StoreFuture;
use store::records::{
    Counts, DatasetChanges, FoundRecord, LogEntry, PageLimit, RecordId, RecordPlace, Records,
    RecordsPage, Shelf, StoredRecord, Write, WriteVerdict,
};
use tokio_postgres::Row;

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
const COUNTS: &str = "SELECT records, errored FROM dataset_state WHERE dataset = $1";
const LOG: &str = select_entry!("WHERE l.number > $1 ORDER BY l.number LIMIT $2");
const LOG_RECORDS: &str = "SELECT number, dataset, sequence, nonce FROM change_log
   WHERE number > $1 ORDER BY number LIMIT $2";
const LOG_HEAD: &str = "SELECT value FROM counters WHERE name = 'log'";
// one statement, so all of one moment
const CHANGES: &str = "SELECT l.number, l.dataset, l.sequence, l.nonce, l.action, l.version,
     l.schema_version, l.at, l.actor, l.prior, l.before, l.after, l.errors, l.hidden,
     s.last_change, s.changes_lost
   FROM dataset_state s LEFT JOIN LATERAL (
     SELECT * FROM change_log WHERE dataset = $1 AND number > $2 ORDER BY number LIMIT $3) l ON true
   WHERE s.dataset = $1 ORDER BY l.number";
const NEWEST: &str = "SELECT last_change FROM dataset_state WHERE dataset = $1";
const LAST_CHANGE: &str = select_entry!(
    "JOIN records r ON r.dataset = l.dataset AND r.last_change = l.number
   WHERE r.dataset = $1 AND r.sequence = $2"
);
const NEWEST_OF_RECORD: &str =
    "SELECT last_change FROM records WHERE dataset = $1 AND sequence = $2 AND nonce = $3";
const PRIOR: &str =
    "SELECT prior FROM change_log WHERE dataset = $1 AND number = $3 AND sequence = $2";
// from entry to entry by what each says was before it
const HISTORY: &str = "WITH RECURSIVE past (number, prior, depth) AS (
     SELECT number, prior, 1 FROM change_log WHERE dataset = $1 AND number = $2
     UNION ALL
     SELECT l.number, l.prior, p.depth + 1 FROM past p
     JOIN change_log l ON l.dataset = $1 AND l.number = p.prior WHERE p.depth < $3)
   SELECT l.number, l.dataset, l.sequence, l.nonce, l.action, l.version, l.schema_version, l.at,
     l.actor, l.prior, l.before, l.after, l.errors, l.hidden
   FROM past JOIN change_log l ON l.dataset = $1 AND l.number = past.number
   ORDER BY l.number DESC";
const PROVE: &str = "UPDATE counters SET value = value + 1 WHERE name = 'proof'";

/// Records that a page reads at a time, so that few large ones are read in vain.
const ROWS_AT_ONCE: usize = 100;
/// Entries of a record's past that are read at a time.
const ENTRIES_AT_ONCE: usize = 20;
/// How often changes that other servers made are looked for, while somebody waits for some.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

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
fn number_of(number: u64) -> i64 {
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
            // one more than there is room for tells whether something follows
            let left = limit
                .records
                .saturating_sub(page.records.len())
                .saturating_add(1);
            let most = if limit.bytes == usize::MAX {
                left
            } else {
                left.min(ROWS_AT_ONCE)
            };
            let given = (i64::from(dataset), limit_of(most));
            let rows = self
                .connections
                .read(sql, &[&given.0, &after, &given.1])
                .await?;
            for row in &rows {
                after = row.get(1);
                let is_heavy = bytes >= limit.bytes && !page.records.is_empty();
                if is_heavy || page.records.len() >= limit.records {
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

    async fn history(
        &self,
        id: RecordId,
        before: Option<u64>,
        limit: PageLimit,
    ) -> Result<Vec<LogEntry>, Failure> {
        let (dataset, sequence) = (i64::from(id.place.dataset), id.place.sequence.cast_signed());
        let nonce = id.nonce.cast_signed();
        let row = if let Some(before) = before.map(number_of) {
            let given: crate::connection::Values<'_> = &[&dataset, &sequence, &before];
            self.connections.read_one(PRIOR, given).await?
        } else {
            let given: crate::connection::Values<'_> = &[&dataset, &sequence, &nonce];
            self.connections.read_one(NEWEST_OF_RECORD, given).await?
        };
        let mut next: Option<i64> = row.and_then(|row| row.get(0));
        let (mut reader, mut entries, mut bytes) = (LogReader::default(), Vec::new(), 0);
        while let Some(number) = next {
            let most = ENTRIES_AT_ONCE.min(limit.records.saturating_sub(entries.len()));
            let depth = i32::try_from(most).unwrap_or(i32::MAX);
            if most == 0 {
                break;
            }
            let rows = self
                .connections
                .read(HISTORY, &[&dataset, &number, &depth])
                .await?;
            next = None;
            for row in &rows {
                let entry = match reader.read(row) {
                    // who comes for more is told
                    Err(_) if !entries.is_empty() => return Ok(entries),
                    entry => entry?,
                };
                if entry.id != id || bytes >= limit.bytes {
                    return Ok(entries);
                }
                bytes += entry.bytes();
                next = entry.prior.map(number_of);
                entries.push(entry);
            }
        }
        Ok(entries)
    }

    async fn changes(
        &self,
        dataset: u32,
        after: u64,
        limit: PageLimit,
    ) -> Result<DatasetChanges, Failure> {
        let given = (
            i64::from(dataset),
            number_of(after),
            limit_of(limit.records),
        );
        let given: crate::connection::Values<'_> = &[&given.0, &given.1, &given.2];
        let rows = self.connections.read(CHANGES, given).await?;
        let of = |column: usize| {
            let row = rows.first();
            row.map_or(0, |row| row.get::<_, i64>(column).cast_unsigned())
        };
        // a dataset without entries has one row, of its counters alone
        let is_empty = |row: &Row| row.get::<_, Option<i64>>(0).is_none();
        Ok(DatasetChanges {
            entries: match rows.first() {
                Some(row) if is_empty(row) => Vec::new(),
                _ => read_some(&rows, limit)?,
            },
            newest: of(14),
            lost: of(15),
        })
    }

    /// The newest entry of the change log.
    async fn log_head(&self) -> Result<u64, Failure> {
        let row = self.connections.read_one(LOG_HEAD, &[]).await?;
        Ok(row.map_or(0, |row| row.get::<_, i64>(0).cast_unsigned()))
    }

    async fn next_change(&self, dataset: u32, after: u64) -> Result<(), Failure> {
        let mut head = self.head.subscribe();
        loop {
            head.mark_unchanged();
            let row = self
                .connections
                .read_one(NEWEST, &[&i64::from(dataset)])
                .await?;
            if row.is_some_and(|row| row.get::<_, i64>(0).cast_unsigned() > after) {
                return Ok(());
            }
            // the store's own changes ring; those of other servers are found by looking again
            if let Ok(Err(_)) = tokio::time::timeout(LOOK_AGAIN, head.changed()).await {
                return Ok(());
            }
        }
    }

    /// The row that a statement finds by dataset and sequence; none at a place that no store gives.
    async fn at_place(
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
        self.read(move |inner| async move {
            let given = (number_of(after), limit_of(limit.records));
            let rows = inner.connections.read(LOG, &[&given.0, &given.1]).await?;
            read_some(&rows, limit)
        })
    }

    fn log_records(&self, after: u64, most: usize) -> StoreFuture<'_, Vec<(u64, RecordId)>> {
        self.read(move |inner| async move {
            let given = (number_of(after), limit_of(most));
            let rows = inner
                .connections
                .read(LOG_RECORDS, &[&given.0, &given.1])
                .await?;
            Ok(rows.iter().map(told).collect())
        })
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
        self.read(move |inner| async move {
            let row = inner.at_place(LAST_CHANGE, place).await?;
            row.map(|row| LogReader::default().read(&row)).transpose()
        })
    }

    fn log_head(&self) -> StoreFuture<'_, u64> {
        self.read(move |inner| async move { inner.log_head().await })
    }

    fn prove_write(&self) -> StoreFuture<'_, ()> {
        self.read(move |inner| async move {
            inner.connections.get().await?.execute(PROVE, &[]).await?;
            Ok(())
        })
    }

    fn check(&self) -> StoreFuture<'_, Vec<String>> {
        self.read(move |inner| async move { inner.check().await })
    }
}
