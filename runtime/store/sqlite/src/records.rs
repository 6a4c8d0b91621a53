//! Reading records: point look-ups on prepared statements, and the doors to pages, log and check. What a
//! row holds is told in `row`.

use super::SqliteStore;
use super::log_row::{self, LogReader, select_entry};
use super::row::{first, json_of, limit_of, only, record, record_of_key, select_record};
use super::writer::State;
use super::{check, pages, past, past_states, write};
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension, params};
use store::records::{
    Counts, DatasetChanges, DeletedPage, FoundRecord, LogEntry, PageLimit, RecordId, RecordPlace,
    Records, RecordsPage, Shelf, StoredRecord, Write, WriteVerdict, bytes_of,
};
use store::{StoreError, StoreFuture, own_thread};
use tracing::{debug_span, trace_span};

const BY_PLACE: &str = select_record!("WHERE place = ?1");
const BY_KEY: &str = select_record!(
    "WHERE dataset = ?1 AND primary_key = ?2 AND deleted = 0 AND primary_key IS NOT NULL"
);
const COUNTS: &str = "SELECT records, errored FROM dataset_state WHERE dataset = ?1";
// in the order in which they are asked for
const COUNTS_OF: &str = "SELECT coalesce(s.records, 0), coalesce(s.errored, 0)
   FROM json_each(?1) AS asked LEFT JOIN dataset_state s ON s.dataset = asked.value
   ORDER BY asked.key";
pub(super) const LOG: &str = select_entry!("WHERE number > ?1 ORDER BY number LIMIT ?2");
// more pages than a usual record touches: on a disk that is all but full, a small write fits longer than theirs
const PROVE: &str = "UPDATE write_proof SET number = number + 1, room = zeroblob(32768)";
const LAST_CHANGE: &str =
    select_entry!("WHERE number = (SELECT last_change FROM records WHERE place = ?1)");
const LOG_HEAD: &str = "SELECT coalesce(max(number), 0) FROM change_log";

const LOG_HEAD_OF: &str = "SELECT coalesce(max(number), 0) FROM change_log
   INDEXED BY change_log_of_dataset WHERE place >> 40 = ?1";

/// What may be read of pages by the thread that answers; for more, others would have to wait too long.
pub(super) const AT_ONCE_BYTES_MAX: usize = 1 << 20;

/// An answer that was found at once: a cached look-up is quicker than handing it to another thread.
fn at_once<'a, T: Send + 'a>(result: Result<T, Failure>) -> StoreFuture<'a, T> {
    Box::pin(std::future::ready(result.map_err(StoreError::from)))
}

impl SqliteStore {
    /// What is told of a record, and of its key if it has one, before the writer changes it.
    pub(super) fn changing(&self) -> impl Fn(RecordPlace, Option<&str>) + Send + use<> {
        let (changes, record_cache) = (self.changes.clone(), self.record_cache.clone());
        move |place, key| {
            // in this order: who has read it by now may not bring it back
            changes.touch(place);
            if let Some(key) = key {
                record_cache.forget(place.dataset, key);
            }
        }
    }

    /// Reads on a thread that may take its time, where there are such and this is none.
    pub(super) fn beside<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        let threads = tokio::runtime::Handle::try_current();
        let Some(threads) = threads.ok().filter(|_| !own_thread::does_it_here()) else {
            return at_once(self.readers.with(read));
        };
        let (readers, span) = (self.readers.clone(), tracing::Span::current());
        let task = threads.spawn_blocking(move || span.in_scope(|| readers.with(read)));
        Box::pin(async move { Ok(task.await.map_err(|_| StoreError::Panicked)??) })
    }
}

impl Records for SqliteStore {
    fn write(&self, write: Write) -> StoreFuture<'_, WriteVerdict> {
        let span = debug_span!("store.write", write.dataset);
        let changing = self.changing();
        self.writer.run_write(span, move |connection, state| {
            let State { catalog, tally, .. } = state;
            let verdict = write::apply(connection, catalog, tally, &write, &changing)?;
            if let WriteVerdict::Done { id, .. } = verdict {
                changing(id.place, None);
            }
            Ok(verdict)
        })
    }

    fn get(&self, place: RecordPlace) -> StoreFuture<'_, Option<StoredRecord>> {
        let _span = trace_span!("store.get", place.dataset, place.sequence).entered();
        let Some(place) = place.number() else {
            return at_once(Ok(None));
        };
        at_once(
            self.readers
                .with(|connection| only(connection.prepare_cached(BY_PLACE)?, [place], record)),
        )
    }

    fn get_some<'a>(
        &'a self,
        places: &'a [RecordPlace],
        bytes_max: usize,
    ) -> StoreFuture<'a, Vec<FoundRecord>> {
        let _span = trace_span!("store.get_some", places = places.len()).entered();
        // one look at what is committed: each would have to read the upper pages of the tree again
        at_once(self.readers.with(|connection| {
            let mut statement = connection.prepare_cached(BY_PLACE)?;
            let (mut found, mut bytes) = (Vec::with_capacity(places.len()), 0);
            for place in places {
                let one = match place.number() {
                    Some(number) => first(&mut statement, [number], record),
                    None => Ok(None),
                };
                let one = one.map_err(StoreError::from);
                bytes += bytes_of(&one);
                found.push(one);
                if bytes >= bytes_max {
                    break;
                }
            }
            Ok(found)
        }))
    }

    fn by_key(&self, dataset: u32, key: &str) -> StoreFuture<'_, Option<StoredRecord>> {
        let _span = trace_span!("store.by_key", dataset).entered();
        if let Some(record) = self.record_cache.get(dataset, key) {
            return at_once(Ok(Some(record)));
        }
        let commits = self.changes.ended();
        let found = self.readers.with(|connection| {
            let statement = connection.prepare_cached(BY_KEY)?;
            let found = only(statement, params![dataset, key], |row| {
                record_of_key(row, key)
            })?;
            // the index leads to a record: it must be that key's
            match found {
                Some(None) => Err(StoreError::Damaged(format!(
                    "the index of primary keys of dataset {dataset} leads to records of other keys"
                ))
                .into()),
                found => Ok(found.flatten()),
            }
        });
        if let Ok(Some(record)) = &found {
            let sequence = record.id.place.sequence;
            self.record_cache.put(dataset, key, record, || {
                let newest = self.changes.newest(dataset, sequence, sequence);
                newest.is_some_and(|newest| newest <= commits)
            });
        }
        at_once(found)
    }

    fn page(
        &self,
        dataset: u32,
        shelf: Shelf,
        after: u64,
        limit: PageLimit,
    ) -> StoreFuture<'_, RecordsPage> {
        let _span = trace_span!("store.page", dataset, ?shelf, after, limit.records).entered();
        let Some(places) = RecordPlace::numbers_behind(dataset, after) else {
            return at_once(Ok(RecordsPage::default()));
        };
        let read = move |connection: &Connection| match shelf {
            Shelf::Live => pages::live(connection, &places, limit),
            Shelf::Deleted => pages::deleted(connection, dataset, &places, limit),
        };
        if limit.bytes > AT_ONCE_BYTES_MAX {
            return self.beside(read);
        }
        at_once(self.readers.with(read))
    }

    fn newest_deleted(
        &self,
        dataset: u32,
        before: u64,
        limit: PageLimit,
    ) -> StoreFuture<'_, DeletedPage> {
        let span = trace_span!("store.newest_deleted", dataset, before, limit.records);
        let _span = span.entered();
        self.beside(move |connection| pages::newest_deleted(connection, dataset, before, limit))
    }

    fn commits(&self) -> u64 {
        self.changes.ended()
    }

    fn changed(&self, dataset: u32, first: u64, last: u64) -> Option<u64> {
        self.changes.newest(dataset, first, last)
    }

    fn counts(&self, dataset: u32) -> StoreFuture<'_, Counts> {
        let _span = trace_span!("store.counts", dataset).entered();
        at_once(self.readers.with(|connection| {
            let counts = connection
                .prepare_cached(COUNTS)?
                .query_row([dataset], |row| {
                    let (records, errored): (i64, i64) = (row.get(0)?, row.get(1)?);
                    Ok(Counts {
                        records: records.cast_unsigned(),
                        errored: errored.cast_unsigned(),
                    })
                });
            Ok(counts.optional()?.unwrap_or_default())
        }))
    }

    fn counts_of(&self, datasets: Vec<u32>) -> StoreFuture<'_, Vec<Counts>> {
        let _span = trace_span!("store.counts_of", datasets = datasets.len()).entered();
        at_once(self.readers.with(|connection| {
            let mut statement = connection.prepare_cached(COUNTS_OF)?;
            let rows = statement.query_map([json_of(&datasets)], |row| {
                Ok(Counts {
                    records: row.get::<_, i64>(0)?.cast_unsigned(),
                    errored: row.get::<_, i64>(1)?.cast_unsigned(),
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        }))
    }

    fn log(&self, after: u64, limit: PageLimit) -> StoreFuture<'_, Vec<LogEntry>> {
        let _span = trace_span!("store.log", after, limit.records).entered();
        at_once(self.readers.with(|connection| {
            let mut statement = connection.prepare_cached(LOG)?;
            let after = i64::try_from(after).unwrap_or(i64::MAX);
            let rows = statement.query(params![after, limit_of(limit.records)])?;
            past_states::read_some(connection, rows, limit)
        }))
    }

    fn log_records(&self, after: u64, most: usize) -> StoreFuture<'_, Vec<(u64, RecordId)>> {
        let _span = trace_span!("store.log_records", after, most).entered();
        at_once(self.readers.with(|connection| {
            let mut statement = connection.prepare_cached(LOG)?;
            let after = i64::try_from(after).unwrap_or(i64::MAX);
            log_row::read_records(statement.query(params![after, limit_of(most)])?)
        }))
    }

    fn newest_changes(
        &self,
        datasets: Vec<u32>,
        most: usize,
    ) -> StoreFuture<'_, Vec<(u64, RecordId)>> {
        let span = trace_span!("store.newest_changes", datasets = datasets.len());
        let _span = span.entered();
        self.beside(move |connection| past::newest_changes(connection, &datasets, most))
    }

    fn changes(
        &self,
        dataset: u32,
        after: u64,
        limit: PageLimit,
    ) -> StoreFuture<'_, DatasetChanges> {
        let _span = trace_span!("store.changes", dataset, after, limit.records).entered();
        let read = move |connection: &Connection| past::changes(connection, dataset, after, limit);
        if limit.bytes > AT_ONCE_BYTES_MAX {
            return self.beside(read);
        }
        at_once(self.readers.with(read))
    }

    fn changes_before(
        &self,
        dataset: u32,
        before: u64,
        limit: PageLimit,
    ) -> StoreFuture<'_, Vec<LogEntry>> {
        let _span = trace_span!("store.changes_before", dataset, before, limit.records).entered();
        let read =
            move |connection: &Connection| past::changes_before(connection, dataset, before, limit);
        if limit.bytes > AT_ONCE_BYTES_MAX {
            return self.beside(read);
        }
        at_once(self.readers.with(read))
    }

    fn next_change(&self, dataset: u32, after: u64) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let mut bell = self.changes.bell(dataset);
            loop {
                let newest = self
                    .readers
                    .with(|connection| past::newest(connection, dataset));
                // a bell that is gone means the end of the store
                if newest? > after || bell.changed().await.is_err() {
                    return Ok(());
                }
            }
        })
    }

    fn history(
        &self,
        id: RecordId,
        before: Option<u64>,
        limit: PageLimit,
    ) -> StoreFuture<'_, Vec<LogEntry>> {
        let place = id.place;
        let _span = trace_span!("store.history", place.dataset, place.sequence).entered();
        at_once(
            self.readers
                .with(|connection| past::of_record(connection, id, before, limit)),
        )
    }

    fn last_change(&self, place: RecordPlace) -> StoreFuture<'_, Option<LogEntry>> {
        let _span = trace_span!("store.last_change", place.dataset, place.sequence).entered();
        let Some(place) = place.number() else {
            return at_once(Ok(None));
        };
        at_once(self.readers.with(|connection| {
            let statement = connection.prepare_cached(LAST_CHANGE)?;
            only(statement, [place], |row| {
                past_states::read_whole(&mut LogReader::default(), connection, row)
            })
        }))
    }

    fn log_head(&self) -> StoreFuture<'_, u64> {
        let _span = trace_span!("store.log_head").entered();
        at_once(self.readers.with(|connection| {
            let head: i64 = connection
                .prepare_cached(LOG_HEAD)?
                .query_row([], |row| row.get(0))?;
            Ok(head.cast_unsigned())
        }))
    }

    fn log_head_of(&self, datasets: Vec<u32>) -> StoreFuture<'_, u64> {
        let _span = trace_span!("store.log_head_of").entered();
        at_once(self.readers.with(|connection| {
            let mut newest = connection.prepare_cached(LOG_HEAD_OF)?;
            let mut head = 0;
            for dataset in &datasets {
                head = head.max(newest.query_row([dataset], |row| row.get::<_, i64>(0))?);
            }
            Ok(head.cast_unsigned())
        }))
    }

    fn prove_write(&self) -> StoreFuture<'_, ()> {
        self.writer
            .run(debug_span!("store.prove_write"), |connection, _| {
                connection.prepare_cached(PROVE)?.execute([])?;
                Ok(())
            })
    }

    fn has_checksums(&self) -> bool {
        true
    }

    fn is_read_only(&self) -> bool {
        self.writer.is_read_only()
    }

    fn check(&self) -> StoreFuture<'_, Vec<String>> {
        let span = debug_span!("store.check");
        // it reads everything, which may take minutes: on a thread and a connection of its own
        let (reply, answer) = tokio::sync::oneshot::channel();
        let connection = self.readers.another();
        let started = std::thread::Builder::new()
            .name("fieldstone-check".to_owned())
            .spawn(move || {
                let found = span.in_scope(|| connection().and_then(|file| check::check(&file)));
                // who no longer waits needs no answer
                let _ = reply.send(found);
            });
        Box::pin(async move {
            started?;
            Ok(answer.await.map_err(|_| StoreError::Panicked)??)
        })
    }
}
