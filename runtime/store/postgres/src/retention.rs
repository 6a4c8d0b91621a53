//! What goes by its age, and behind a purge, in small transactions. What may go, the service says; that who follows a dataset is told, is seen
//! to here. Numbers of the log go on from a counter, whatever went.

use crate::connection::Values;
use crate::connections::transact;
use crate::error::Failure;
use crate::log_row::id_of;
use crate::{Inner, PostgresStore, limit_of};
use store::StoreFuture;
use store::jobs::Job;
use store::records::RecordPlace;
use store::retention::{DeletionBound, OldDeletion, OldDeletions, Retention, UnsettledPurge};
use wire::Timestamp;

const CLOCK: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
/// Up to which entry the log was cut: what is older and still there stays.
const CUT: &str = "SELECT coalesce(max(changes_lost), 0) FROM dataset_state";
// the first of them is mostly found at once: what is older went before
const FIRST_YOUNG: &str = "SELECT number FROM change_log
   WHERE number > $1 AND at >= $2 AND at <= $3 ORDER BY number LIMIT 1";
// as is the last one before it
const LAST_OLD: &str = "SELECT number FROM change_log
   WHERE number > $1 AND number < $2 AND at < $3 ORDER BY number DESC LIMIT 1";
const HEAD: &str = "SELECT coalesce(max(number), 0) FROM change_log";
const OF_STRETCH: &str = "SELECT DISTINCT dataset FROM change_log
   WHERE number > $1 AND number <= $2 ORDER BY dataset";
// one after the other, in the order in which who writes locks them
const LOCK: &str = "SELECT dataset FROM dataset_state WHERE dataset = $1 FOR UPDATE";
const STRETCH: &str = "SELECT max(number), count(*) FROM (SELECT number FROM change_log
   WHERE number > $1 AND number <= $2 ORDER BY number LIMIT $3) AS oldest";
const NOTE_LOST: &str = "UPDATE dataset_state s SET changes_lost = w.newest
   FROM (SELECT dataset, max(number) AS newest FROM change_log
     WHERE number > $1 AND number <= $2 GROUP BY dataset) AS w
   WHERE s.dataset = w.dataset AND s.changes_lost < w.newest";
const CUT_LOG: &str = "DELETE FROM change_log l WHERE l.number > $1 AND l.number <= $2
   AND NOT (l.action = 'delete' AND EXISTS (SELECT 1 FROM records r WHERE r.dataset = l.dataset
     AND r.sequence = l.sequence AND r.deleted AND r.last_change = l.number))";
// they lead to entries before them alone
const CUT_STATES: &str = "DELETE FROM past_states WHERE number <= $1";
const CUT_TRAIL: &str = "DELETE FROM audit a USING (
     SELECT o.tenant, o.own_number FROM audit o JOIN audit_state s ON s.tenant = o.tenant
     WHERE o.at < $1 AND o.own_number < s.last_number AND o.own_number < coalesce(
       (SELECT min(y.own_number) FROM audit y
         WHERE y.tenant = o.tenant AND y.at >= $1 AND y.at <= $2), s.last_number)
     ORDER BY o.at, o.own_number LIMIT $3) AS w
   WHERE a.tenant = w.tenant AND a.own_number = w.own_number";
// those of a clock that was ahead, behind which an old one stands
const CUT_TRAIL_AHEAD: &str = "DELETE FROM audit a USING (
     SELECT o.tenant, o.own_number FROM audit o JOIN audit_state s ON s.tenant = o.tenant
     WHERE o.at > $2 AND o.own_number < coalesce(
       (SELECT min(y.own_number) FROM audit y
         WHERE y.tenant = o.tenant AND y.at >= $1 AND y.at <= $2), s.last_number)
       AND o.own_number < (SELECT max(n.own_number) FROM audit n
         WHERE n.tenant = o.tenant AND n.at < $1)
     ORDER BY o.at, o.own_number LIMIT $3) AS w
   WHERE a.tenant = w.tenant AND a.own_number = w.own_number";
const DELETED: &str = "SELECT r.dataset, r.sequence, r.nonce, r.last_change, l.at FROM records r
   LEFT JOIN change_log l ON l.dataset = r.dataset AND l.number = r.last_change
   WHERE r.deleted AND r.dataset = $1 AND r.sequence > $2 ORDER BY r.sequence LIMIT $3";
const UNSETTLED: &str = "SELECT dataset, purge_to_settle FROM dataset_state
   WHERE purge_to_settle > 0 ORDER BY dataset";
// of one dataset, so that where tables are divided one part of them is asked
const UNSETTLED_OF: &str = "SELECT dataset, purge_to_settle FROM dataset_state
   WHERE dataset = $1 AND purge_to_settle > 0";
const SETTLE: &str = "UPDATE dataset_state SET purge_to_settle = 0
   WHERE dataset = $1 AND purge_to_settle = $2";
const NEXT_DATASET: &str = "SELECT min(dataset) FROM dataset_state WHERE dataset >= $1";
/// Marks of transactions that nobody asks for any more: whoever lost a connection asks at once.
const FORGET_COMMITS: &str = "DELETE FROM commits WHERE id IN (SELECT id FROM commits
   WHERE at < (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 86400000
   ORDER BY at LIMIT $1)";
/// How many go at once.
const COMMITS_AT_ONCE: usize = 10_000;

impl Inner {
    /// The newest entry behind another one that is old, as all between them that are to be believed.
    async fn last_old(
        &self,
        from: i64,
        (moment, believed): (Timestamp, Timestamp),
    ) -> Result<Option<i64>, Failure> {
        let (moment, believed) = (moment.millis(), believed.millis());
        let given: Values<'_> = &[&from, &moment, &believed];
        let young = self.connections.read_one(FIRST_YOUNG, given).await?;
        let young: i64 = young.map_or(i64::MAX, |row| row.get(0));
        let given: Values<'_> = &[&from, &young, &moment];
        let newest = self.connections.read_one(LAST_OLD, given).await?;
        Ok(newest.map(|row| row.get(0)))
    }

    async fn deleted_before(
        &self,
        bound: DeletionBound,
        after: Option<RecordPlace>,
        max: usize,
    ) -> Result<OldDeletions, Failure> {
        let mut found = OldDeletions::default();
        let (mut dataset, mut behind) = match after {
            Some(place) => (i64::from(place.dataset), place.sequence.cast_signed()),
            None => (0, 0),
        };
        let mut room = max;
        loop {
            let row = self.connections.read_one(NEXT_DATASET, &[&dataset]).await?;
            let Some(next) = row.and_then(|row| row.get::<_, Option<i64>>(0)) else {
                return Ok(found);
            };
            if next != dataset {
                behind = 0;
            }
            let given: Values<'_> = &[&next, &behind, &limit_of(room)];
            for row in self.connections.read(DELETED, given).await? {
                let id = id_of(row.get(0), row.get(1), row.get(2));
                let number = row.get::<_, i64>(3).cast_unsigned();
                let at = row.get::<_, Option<i64>>(4).map(Timestamp::from_millis);
                if let Some(at) = at.filter(|at| bound.is_within(number, *at)) {
                    found.records.push(OldDeletion { id, number, at });
                }
                room -= 1;
                if room == 0 {
                    found.next = Some(id.place);
                    return Ok(found);
                }
            }
            (dataset, behind) = (next + 1, 0);
        }
    }
}

impl Retention for PostgresStore {
    fn clock(&self) -> StoreFuture<'_, Option<Timestamp>> {
        self.read(|inner| async move {
            let row = inner.connections.read_one(CLOCK, &[]).await?;
            Ok(row.map(|row| Timestamp::from_millis(row.get(0))))
        })
    }

    fn log_before(&self, moment: Timestamp, believed: Timestamp) -> StoreFuture<'_, u64> {
        self.read(move |inner| async move {
            let row = inner.connections.read_one(CUT, &[]).await?;
            let cut: i64 = row.map_or(0, |row| row.get(0));
            let newest = inner.last_old(cut, (moment, believed)).await?;
            Ok(newest.unwrap_or(cut).cast_unsigned())
        })
    }

    fn kept_before(&self, moment: Timestamp, believed: Timestamp) -> StoreFuture<'_, u64> {
        self.read(move |inner| async move {
            let newest = inner.last_old(0, (moment, believed)).await?;
            Ok(newest.unwrap_or(0).cast_unsigned())
        })
    }

    fn cut_log(&self, up_to: u64, max: usize) -> StoreFuture<'_, usize> {
        let inner = self.inner.clone();
        self.see_through(async move {
            transact!(&inner.connections, tx => {
                let number = |row: Option<tokio_postgres::Row>| row.map_or(0, |row| row.get::<_, i64>(0));
                let from = number(tx.row(CUT, &[]).await?);
                let newest = number(tx.row(HEAD, &[]).await?) - 1;
                let up_to = i64::try_from(up_to).unwrap_or(i64::MAX).min(newest);
                let row = tx.row(STRETCH, &[&from, &up_to, &limit_of(max)]).await?;
                let (last, count): (Option<i64>, i64) =
                    row.map_or((None, 0), |row| (row.get(0), row.get(1)));
                if let Some(last) = last {
                    let datasets = tx.rows(OF_STRETCH, &[&from, &last]).await?;
                    let datasets: Vec<i64> = datasets.iter().map(|row| row.get(0)).collect();
                    let lock = tx.prepare(LOCK).await?;
                    tx.query_each(&lock, &datasets).await?;
                    tx.execute(NOTE_LOST, &[&from, &last]).await?;
                    tx.execute(CUT_LOG, &[&from, &last]).await?;
                    tx.execute(CUT_STATES, &[&last]).await?;
                }
                Ok(usize::try_from(count).unwrap_or_default())
            })
        })
    }

    fn cut_trail(
        &self,
        before: Timestamp,
        believed: Timestamp,
        max: usize,
    ) -> StoreFuture<'_, usize> {
        let inner = self.inner.clone();
        self.see_through(async move {
            let (before, believed) = (before.millis(), believed.millis());
            let mut gone = 0;
            // what tells how old those of a clock are that was ahead goes once they have gone
            for sql in [CUT_TRAIL_AHEAD, CUT_TRAIL] {
                let given: Values<'_> = &[&before, &believed, &limit_of(max.saturating_sub(gone))];
                let cut = inner.connections.change(sql, given).await?;
                gone += usize::try_from(cut).unwrap_or(usize::MAX);
            }
            Ok(gone)
        })
    }

    fn forget_commits(&self) -> StoreFuture<'_, ()> {
        let inner = self.inner.clone();
        self.see_through(async move {
            loop {
                let given: Values<'_> = &[&limit_of(COMMITS_AT_ONCE)];
                let gone = inner.connections.change(FORGET_COMMITS, given).await?;
                if usize::try_from(gone).is_ok_and(|gone| gone < COMMITS_AT_ONCE) {
                    return Ok(());
                }
            }
        })
    }

    fn deleted_before(
        &self,
        bound: DeletionBound,
        after: Option<RecordPlace>,
        max: usize,
    ) -> StoreFuture<'_, OldDeletions> {
        self.read(move |inner| async move { inner.deleted_before(bound, after, max).await })
    }

    fn retell_jobs(&self, jobs: Vec<Job>) -> StoreFuture<'_, ()> {
        let inner = self.inner.clone();
        self.see_through(async move { inner.retell_jobs(&jobs).await })
    }

    fn unsettled_purges(&self, dataset: Option<u32>) -> StoreFuture<'_, Vec<UnsettledPurge>> {
        self.read(move |inner| async move {
            let rows = if let Some(dataset) = dataset {
                let given: Values<'_> = &[&i64::from(dataset)];
                inner.connections.read(UNSETTLED_OF, given).await?
            } else {
                inner.connections.read(UNSETTLED, &[]).await?
            };
            let found = rows.iter().filter_map(|row| {
                Some(UnsettledPurge {
                    dataset: u32::try_from(row.get::<_, i64>(0)).ok()?,
                    number: row.get::<_, i64>(1).cast_unsigned(),
                })
            });
            Ok(found.collect())
        })
    }

    fn settle_purge(&self, purge: UnsettledPurge) -> StoreFuture<'_, ()> {
        let inner = self.inner.clone();
        self.see_through(async move {
            let (dataset, number) = (i64::from(purge.dataset), purge.number.cast_signed());
            let given: Values<'_> = &[&dataset, &number];
            inner.connections.change(SETTLE, given).await?;
            Ok(())
        })
    }

    fn mark_running_jobs(&self, dataset: &str, asked_before: u64) -> StoreFuture<'_, ()> {
        let (inner, dataset) = (self.inner.clone(), dataset.to_owned());
        self.see_through(async move { inner.mark_running_jobs(&dataset, asked_before).await })
    }
}
