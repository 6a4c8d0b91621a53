//! What goes by its age, and behind a purge, in small transactions of the writer. What may go, the service says; that numbers are never given
//! twice, and that who follows a dataset is told, is seen to here.

use super::row::limit_of;
use super::{SqliteStore, noted_jobs, past};
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension, Params, params};
use store::StoreFuture;
use store::jobs::Job;
use store::records::{RecordId, RecordPlace};
use store::retention::{DeletionBound, OldDeletion, OldDeletions, Retention, UnsettledPurge};
use tracing::debug_span;
use wire::Timestamp;

/// Up to which entry the log was cut: what is older and still there stays.
const CUT: &str = "SELECT coalesce(max(changes_lost), 0) FROM dataset_state";
// the first of them is mostly found at once: what is older went before
const FIRST_YOUNG: &str = "SELECT number FROM change_log
   WHERE number > ?1 AND at >= ?2 AND at <= ?3 ORDER BY number LIMIT 1";
// as is the last one before it
const LAST_OLD: &str = "SELECT number FROM change_log
   WHERE number > ?1 AND number < ?2 AND at < ?3 ORDER BY number DESC LIMIT 1";
const HEAD: &str = "SELECT coalesce(max(number), 0) FROM change_log";
const STRETCH: &str = "SELECT max(number), count(*) FROM (SELECT number FROM change_log
   WHERE number > ?1 AND number <= ?2 ORDER BY number LIMIT ?3)";
const CUT_LOG: &str =
    "DELETE FROM change_log WHERE number > ?1 AND number <= ?2 AND NOT (action = 'delete'
   AND EXISTS (SELECT 1 FROM records WHERE records.place = change_log.place
     AND records.deleted = 1 AND records.last_change = change_log.number))";
// each tenant keeps its newest; who reads them ends at the first young one
pub(super) const OLD_OF_TRAIL: &str = "SELECT number, json_extract(entry, '$.at') FROM audit AS old
   WHERE own_number < (SELECT max(own_number) FROM audit WHERE tenant = old.tenant)
   ORDER BY number";
const CUT_TRAIL: &str = "DELETE FROM audit WHERE number = ?1";
// by the index of deleted records, and the entry of each by its number
const DELETED: &str =
    "SELECT r.place, r.nonce, r.last_change, l.at FROM records r INDEXED BY records_deleted
   LEFT JOIN change_log l ON l.number = r.last_change
   WHERE r.deleted = 1 AND r.dataset = ?1 AND r.place > ?2 ORDER BY r.place LIMIT ?3";
const UNSETTLED: &str = "SELECT dataset, purge_to_settle FROM dataset_state
   WHERE purge_to_settle > 0 ORDER BY dataset";
const UNSETTLED_OF: &str = "SELECT dataset, purge_to_settle FROM dataset_state
   WHERE dataset = ?1 AND purge_to_settle > 0";
const SETTLE: &str = "UPDATE dataset_state SET purge_to_settle = 0
   WHERE dataset = ?1 AND purge_to_settle = ?2";
const NEXT_DATASET: &str = "SELECT min(dataset) FROM dataset_state WHERE dataset >= ?1";

impl Retention for SqliteStore {
    fn log_before(&self, moment: Timestamp, believed: Timestamp) -> StoreFuture<'_, u64> {
        self.beside(move |connection| {
            let cut: i64 = connection.query_row(CUT, [], |row| row.get(0))?;
            let newest = last_old(connection, cut, (moment, believed))?;
            Ok(newest.unwrap_or(cut).cast_unsigned())
        })
    }

    fn kept_before(&self, moment: Timestamp, believed: Timestamp) -> StoreFuture<'_, u64> {
        self.beside(move |connection| {
            let newest = last_old(connection, 0, (moment, believed))?;
            Ok(newest.unwrap_or(0).cast_unsigned())
        })
    }

    fn cut_log(&self, up_to: u64, max: usize) -> StoreFuture<'_, usize> {
        let span = debug_span!("store.cut_log", up_to);
        self.writer.run(span, move |connection, _| {
            let from: i64 = connection.query_row(CUT, [], |row| row.get(0))?;
            let newest = head(connection)? - 1;
            let up_to = i64::try_from(up_to).unwrap_or(i64::MAX).min(newest);
            let mut statement = connection.prepare_cached(STRETCH)?;
            let (last, count): (Option<i64>, i64) = statement
                .query_row(params![from, up_to, limit_of(max)], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })?;
            if let Some(last) = last {
                past::note_lost(connection, from, last)?;
                connection
                    .prepare_cached(CUT_LOG)?
                    .execute(params![from, last])?;
            }
            Ok(usize::try_from(count).unwrap_or_default())
        })
    }

    fn cut_trail(
        &self,
        before: Timestamp,
        believed: Timestamp,
        max: usize,
    ) -> StoreFuture<'_, usize> {
        let span = debug_span!("store.cut_trail");
        self.writer.run(span, move |connection, _| {
            cut_trail(connection, (before, believed), max)
        })
    }

    fn deleted_before(
        &self,
        bound: DeletionBound,
        after: Option<RecordPlace>,
        max: usize,
    ) -> StoreFuture<'_, OldDeletions> {
        self.beside(move |connection| deleted_before(connection, bound, after, max))
    }

    fn retell_jobs(&self, jobs: Vec<Job>) -> StoreFuture<'_, ()> {
        let span = debug_span!("store.retell_jobs", count = jobs.len());
        self.writer.run(span, move |connection, _| {
            noted_jobs::retell(connection, &jobs)
        })
    }

    fn unsettled_purges(&self, dataset: Option<u32>) -> StoreFuture<'_, Vec<UnsettledPurge>> {
        self.beside(move |connection| match dataset {
            Some(dataset) => unsettled(connection, UNSETTLED_OF, [dataset]),
            None => unsettled(connection, UNSETTLED, []),
        })
    }

    fn settle_purge(&self, purge: UnsettledPurge) -> StoreFuture<'_, ()> {
        let span = debug_span!("store.settle_purge", purge.dataset);
        self.writer.run(span, move |connection, _| {
            let given = params![purge.dataset, purge.number.cast_signed()];
            connection.prepare_cached(SETTLE)?.execute(given)?;
            Ok(())
        })
    }

    fn mark_running_jobs(&self, dataset: &str, asked_before: u64) -> StoreFuture<'_, ()> {
        let span = debug_span!("store.mark_running_jobs", dataset);
        let dataset = dataset.to_owned();
        self.writer.run(span, move |connection, _| {
            noted_jobs::mark_running(connection, &dataset, asked_before)
        })
    }
}

/// The newest entry behind another one that is old, as all between them that are to be believed.
fn last_old(
    connection: &Connection,
    from: i64,
    (moment, believed): (Timestamp, Timestamp),
) -> Result<Option<i64>, Failure> {
    let (moment, believed) = (moment.millis(), believed.millis());
    let mut statement = connection.prepare_cached(FIRST_YOUNG)?;
    let young: Option<i64> = statement
        .query_row([from, moment, believed], |row| row.get(0))
        .optional()?;
    let mut statement = connection.prepare_cached(LAST_OLD)?;
    let newest = statement
        .query_row([from, young.unwrap_or(i64::MAX), moment], |row| row.get(0))
        .optional()?;
    Ok(newest)
}

fn unsettled(
    connection: &Connection,
    sql: &str,
    given: impl Params,
) -> Result<Vec<UnsettledPurge>, Failure> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(given, |row| {
        Ok(UnsettledPurge {
            dataset: row.get(0)?,
            number: row.get::<_, i64>(1)?.cast_unsigned(),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Removes the oldest entries of the trail up to the first young one; looks at no more than go, at those of a clock that was
/// ahead up to one that tells how old they are, and at each tenant's newest.
pub(super) fn cut_trail(
    connection: &Connection,
    (before, believed): (Timestamp, Timestamp),
    max: usize,
) -> Result<usize, Failure> {
    let (before, believed) = (before.to_string(), believed.to_string());
    let mut statement = connection.prepare_cached(OLD_OF_TRAIL)?;
    let mut rows = statement.query([])?;
    let (mut old, mut ahead): (Vec<i64>, Vec<i64>) = (Vec::new(), Vec::new());
    while old.len() < max
        && let Some(row) = rows.next()?
    {
        let at: String = row.get(1)?;
        if at > believed {
            ahead.push(row.get(0)?);
        } else if at < before {
            old.append(&mut ahead);
            old.push(row.get(0)?);
        } else {
            break;
        }
    }
    drop(rows);
    // what tells how old those are that stay stays with them
    old.truncate(max);
    let mut cut = connection.prepare_cached(CUT_TRAIL)?;
    for number in &old {
        cut.execute([number])?;
    }
    Ok(old.len())
}

fn deleted_before(
    connection: &Connection,
    bound: DeletionBound,
    after: Option<RecordPlace>,
    max: usize,
) -> Result<OldDeletions, Failure> {
    let mut found = OldDeletions::default();
    let (mut dataset, mut behind) = match after {
        Some(place) => (place.dataset, place.number().unwrap_or(i64::MAX)),
        None => (0, 0),
    };
    let mut room = max;
    loop {
        let mut statement = connection.prepare_cached(NEXT_DATASET)?;
        let Some(next) = statement.query_row([dataset], |row| row.get::<_, Option<u32>>(0))? else {
            return Ok(found);
        };
        let mut statement = connection.prepare_cached(DELETED)?;
        let mut rows = statement.query(params![next, behind, limit_of(room)])?;
        while let Some(row) = rows.next()? {
            let place = RecordPlace::of_number(row.get(0)?);
            let nonce = row.get::<_, i64>(1)?.cast_unsigned();
            let number = row.get::<_, i64>(2)?.cast_unsigned();
            let at = row.get::<_, Option<i64>>(3)?.map(Timestamp::from_millis);
            if let Some(at) = at.filter(|at| bound.is_within(number, *at)) {
                let id = RecordId { place, nonce };
                found.records.push(OldDeletion { id, number, at });
            }
            room -= 1;
            if room == 0 {
                found.next = Some(place);
                return Ok(found);
            }
        }
        let Some(following) = next.checked_add(1) else {
            return Ok(found);
        };
        (dataset, behind) = (following, 0);
    }
}

/// The number of the newest entry.
fn head(connection: &Connection) -> Result<i64, Failure> {
    let mut statement = connection.prepare_cached(HEAD)?;
    Ok(statement.query_row([], |row| row.get(0))?)
}
