//! What was written to records: the change log, the changes of one dataset in the order of their commits, and the past of one
//! record. How the values of an entry are found, `past_states` tells.

use crate::citus;
use crate::connection::Values;
use crate::connections::Reads;
use crate::error::Failure;
use crate::log_row::{ENTRY_COLUMNS, LogReader, select_entry};
use crate::past_states::{behind, fill, read_some};
use crate::records::{number_of, told};
use crate::{Inner, limit_of};
use std::time::Duration;
use store::StoreError;
use store::records::{DatasetChanges, LogEntry, PageLimit, RecordId, RecordPlace};
use tokio_postgres::Row;

const LOG: &str = select_entry!("WHERE l.number > $1 ORDER BY l.number LIMIT $2");
const LOG_RECORDS: &str = "SELECT number, dataset, sequence, nonce FROM change_log
   WHERE number > $1 ORDER BY number LIMIT $2";
const LOG_HEAD: &str = "SELECT value FROM counters WHERE name = 'log'";
const LOG_HEAD_OF: &str = "SELECT coalesce(max(last_change), 0)::bigint FROM dataset_state
   WHERE dataset = ANY($1::bigint[])";
// one statement, so all of one moment
const CHANGES: &str = "SELECT l.number, l.dataset, l.sequence, l.nonce, l.action, l.version,
     l.schema_version, l.at, l.actor, l.prior, l.before, l.after, l.errors, l.hidden, l.digest,
     s.last_change, s.changes_lost
   FROM dataset_state s LEFT JOIN LATERAL (
     SELECT * FROM change_log WHERE dataset = $1 AND number > $2 ORDER BY number LIMIT $3) l ON true
   WHERE s.dataset = $1 ORDER BY l.number";
const CHANGES_BEFORE: &str =
    select_entry!("WHERE l.dataset = $1 AND l.number < $2 ORDER BY l.number DESC LIMIT $3");
const NEWEST: &str = "SELECT last_change FROM dataset_state WHERE dataset = $1";
// the values behind the newest entry are the record's
const LAST_CHANGE: &str = select_entry!(
    ", r.body",
    "JOIN records r ON r.dataset = l.dataset AND r.last_change = l.number
   WHERE r.dataset = $1 AND r.sequence = $2"
);
const NEWEST_OF_RECORD: &str =
    "SELECT last_change, body FROM records WHERE dataset = $1 AND sequence = $2 AND nonce = $3";
const PRIOR: &str =
    "SELECT prior FROM change_log WHERE dataset = $1 AND number = $3 AND sequence = $2";
// from entry to entry by what each says was before it
const HISTORY: &str = "WITH RECURSIVE past (number, prior, depth) AS (
     SELECT number, prior, 1 FROM change_log WHERE dataset = $1 AND number = $2
     UNION ALL
     SELECT l.number, l.prior, p.depth + 1 FROM past p
     JOIN change_log l ON l.dataset = $1 AND l.number = p.prior WHERE p.depth < $3)
   SELECT l.number, l.dataset, l.sequence, l.nonce, l.action, l.version, l.schema_version, l.at,
     l.actor, l.prior, l.before, l.after, l.errors, l.hidden, l.digest
   FROM past JOIN change_log l ON l.dataset = $1 AND l.number = past.number
   ORDER BY l.number DESC";

/// Entries of a record's past that are read at a time.
const ENTRIES_AT_ONCE: usize = 50;
/// How often changes that other servers made are looked for, while somebody waits for some.
const LOOK_AGAIN: Duration = Duration::from_millis(200);
/// How often entries are read where the values of the first can't be found.
const READS_MAX: u32 = 4;

/// Reads entries, again where the values of the first can't be found: by the time that they are looked for, a purge or its
/// age may have taken it, and then it is not found any more either.
macro_rules! settled {
    ($read:expr) => {{
        let mut reads = 1;
        loop {
            match $read.await {
                Err(Failure::Store(StoreError::Rotten(_))) if reads < READS_MAX => reads += 1,
                ended => break ended,
            }
        }
    }};
}

impl Inner {
    fn reads(&self) -> Reads<'_> {
        Reads::Any(&self.connections)
    }

    /// The change log behind an entry.
    pub(crate) async fn log(&self, after: u64, limit: PageLimit) -> Result<Vec<LogEntry>, Failure> {
        settled!(self.read_log(after, limit))
    }

    async fn read_log(&self, after: u64, limit: PageLimit) -> Result<Vec<LogEntry>, Failure> {
        let given = (number_of(after), limit_of(limit.records));
        let rows = self.connections.read(LOG, &[&given.0, &given.1]).await?;
        read_some(self.reads(), &rows, limit).await
    }

    /// What entries behind one are about, and of none before which another one is still to come.
    pub(crate) async fn log_records(
        &self,
        after: u64,
        most: usize,
    ) -> Result<Vec<(u64, RecordId)>, Failure> {
        let mut found = self.read_log_records(after, most).await?;
        let end = found.last().map_or(after, |(number, _)| *number);
        if self.is_divided && end - after > found.len() as u64 {
            // a number that is missing is gone, or of a node that does not show it yet
            citus::settle(self.reads()).await?;
            found = self.read_log_records(after, most).await?;
            // what came meanwhile may have gaps of its own
            found.retain(|(number, _)| *number <= end);
        }
        Ok(found)
    }

    async fn read_log_records(
        &self,
        after: u64,
        most: usize,
    ) -> Result<Vec<(u64, RecordId)>, Failure> {
        let given: Values<'_> = &[&number_of(after), &limit_of(most)];
        let rows = self.connections.read(LOG_RECORDS, given).await?;
        Ok(rows.iter().map(told).collect())
    }

    /// The newest entry of the change log.
    pub(crate) async fn log_head(&self) -> Result<u64, Failure> {
        let row = self.connections.read_one(LOG_HEAD, &[]).await?;
        Ok(row.map_or(0, |row| row.get::<_, i64>(0).cast_unsigned()))
    }

    /// The newest entry about one of these datasets.
    pub(crate) async fn log_head_of(&self, datasets: &[u32]) -> Result<u64, Failure> {
        let datasets: Vec<_> = datasets.iter().map(|own| i64::from(*own)).collect();
        let row = self.connections.read_one(LOG_HEAD_OF, &[&datasets]).await?;
        Ok(row.map_or(0, |row| row.get::<_, i64>(0).cast_unsigned()))
    }

    /// The newest entry, when each node shows all up to it.
    pub(crate) async fn settled_head(&self) -> Result<u64, Failure> {
        let head = self.log_head().await?;
        if self.is_divided {
            citus::settle(self.reads()).await?;
        }
        Ok(head)
    }

    /// The changes of a dataset behind an entry.
    pub(crate) async fn changes(
        &self,
        dataset: u32,
        after: u64,
        limit: PageLimit,
    ) -> Result<DatasetChanges, Failure> {
        settled!(self.read_changes(dataset, after, limit))
    }

    async fn read_changes(
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
        let given: Values<'_> = &[&given.0, &given.1, &given.2];
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
                _ => read_some(self.reads(), &rows, limit).await?,
            },
            newest: of(ENTRY_COLUMNS),
            lost: of(ENTRY_COLUMNS + 1),
        })
    }

    /// The changes of a dataset before an entry, the newest first.
    pub(crate) async fn changes_before(
        &self,
        dataset: u32,
        before: u64,
        limit: PageLimit,
    ) -> Result<Vec<LogEntry>, Failure> {
        settled!(self.read_changes_before(dataset, before, limit))
    }

    async fn read_changes_before(
        &self,
        dataset: u32,
        before: u64,
        limit: PageLimit,
    ) -> Result<Vec<LogEntry>, Failure> {
        let given = (
            i64::from(dataset),
            number_of(before),
            limit_of(limit.records),
        );
        let given: Values<'_> = &[&given.0, &given.1, &given.2];
        let rows = self.connections.read(CHANGES_BEFORE, given).await?;
        read_some(self.reads(), &rows, limit).await
    }

    /// Waits for a change of a dataset behind an entry.
    pub(crate) async fn next_change(&self, dataset: u32, after: u64) -> Result<(), Failure> {
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

    /// The newest entry about a record.
    pub(crate) async fn last_change(
        &self,
        place: RecordPlace,
    ) -> Result<Option<LogEntry>, Failure> {
        let Some(row) = self.at_place(LAST_CHANGE, place).await? else {
            return Ok(None);
        };
        let entry = LogReader::default().read(&row)?;
        Ok(Some(fill(entry, row.get(ENTRY_COLUMNS))?))
    }

    /// The past of a record, the newest entry first.
    pub(crate) async fn history(
        &self,
        id: RecordId,
        before: Option<u64>,
        limit: PageLimit,
    ) -> Result<Vec<LogEntry>, Failure> {
        settled!(self.read_history(id, before, limit))
    }

    async fn read_history(
        &self,
        id: RecordId,
        before: Option<u64>,
        limit: PageLimit,
    ) -> Result<Vec<LogEntry>, Failure> {
        let dataset = i64::from(id.place.dataset);
        // which entry is read next, and the values behind it, if they are known
        let (mut next, mut state) = self.begin(id, before).await?;
        let (mut reader, mut entries, mut bytes) = (LogReader::default(), Vec::new(), 0);
        while let Some(number) = next {
            let most = ENTRIES_AT_ONCE.min(limit.records.saturating_sub(entries.len()));
            let depth = i32::try_from(most).unwrap_or(i32::MAX);
            if most == 0 {
                break;
            }
            let given: Values<'_> = &[&dataset, &number, &depth];
            let rows = self.connections.read(HISTORY, given).await?;
            next = None;
            for row in &rows {
                let entry = match reader.read(row) {
                    Ok(entry) => {
                        if state.is_none() {
                            let mut found = behind(self.reads(), &[&entry]).await?;
                            state = found.remove(&entry.entry.number);
                        }
                        fill(entry, state.take())
                    }
                    Err(failure) => Err(failure),
                };
                let entry = match entry {
                    // who comes for more is told
                    Err(_) if !entries.is_empty() => return Ok(entries),
                    entry => entry?,
                };
                if entry.id != id || limit.is_reached(entries.len(), bytes) {
                    return Ok(entries);
                }
                bytes += entry.bytes();
                next = entry.prior.map(number_of);
                // an entry without values before it changed none
                state = entry.before.clone().or_else(|| entry.after.clone());
                entries.push(entry);
            }
        }
        Ok(entries)
    }

    /// Where the past of a record begins: with its newest entry, whose values are the record's, or with the one before another.
    async fn begin(
        &self,
        id: RecordId,
        before: Option<u64>,
    ) -> Result<(Option<i64>, Option<String>), Failure> {
        let (dataset, sequence) = (i64::from(id.place.dataset), id.place.sequence.cast_signed());
        if let Some(before) = before.map(number_of) {
            let given: Values<'_> = &[&dataset, &sequence, &before];
            let row = self.connections.read_one(PRIOR, given).await?;
            return Ok((row.and_then(|row| row.get(0)), None));
        }
        let given: Values<'_> = &[&dataset, &sequence, &id.nonce.cast_signed()];
        let row = self.connections.read_one(NEWEST_OF_RECORD, given).await?;
        Ok(row.map_or((None, None), |row| (row.get(0), row.get(1))))
    }
}
