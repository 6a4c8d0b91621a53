//! Counts of days, made of the datasets' counters in one statement; two servers that do so at once write one after the
//! other, in the order of the datasets.

use crate::PostgresStore;
use crate::connection::Values;
use crate::connections::transact;
use store::StoreFuture;
use store::daily_counts::{DailyCounts, DayCounts};
use store::records::Counts;
use wire::Day;

const IS_CHANGED: &str = "SELECT s.dataset FROM dataset_state s
   LEFT JOIN daily_counts d ON d.dataset = s.dataset AND d.day = $1
   WHERE d.dataset IS NULL OR d.records <> s.records OR d.errored <> s.errored LIMIT 1";
const KEEP: &str = "INSERT INTO daily_counts (dataset, day, records, errored)
   SELECT dataset, $1, records, errored FROM dataset_state ORDER BY dataset
   ON CONFLICT (dataset, day) DO UPDATE SET records = excluded.records, errored = excluded.errored
   WHERE daily_counts.records <> excluded.records OR daily_counts.errored <> excluded.errored";
const FORGET: &str = "DELETE FROM daily_counts WHERE day < $1";
const OF_DATASETS: &str = "SELECT day, sum(records)::bigint, sum(errored)::bigint FROM daily_counts
   WHERE dataset = ANY($1::bigint[]) AND day >= $2 GROUP BY day ORDER BY day";

impl DailyCounts for PostgresStore {
    fn keep_daily_counts(&self, day: Day, oldest: Day) -> StoreFuture<'_, ()> {
        let inner = self.inner.clone();
        let (day, oldest) = (day.number(), oldest.number());
        self.see_through(async move {
            // who looks again and again must not write for it
            let changed = inner.connections.read_one(IS_CHANGED, &[&day]).await?;
            if changed.is_none() {
                return Ok(());
            }
            transact!(&inner.connections, tx => {
                tx.execute(KEEP, &[&day]).await?;
                tx.execute(FORGET, &[&oldest]).await?;
                Ok(())
            })
        })
    }

    fn daily_counts(&self, datasets: Vec<u32>, first: Day) -> StoreFuture<'_, Vec<DayCounts>> {
        self.read(move |inner| async move {
            let datasets: Vec<i64> = datasets.into_iter().map(i64::from).collect();
            let first = first.number();
            let given: Values<'_> = &[&datasets, &first];
            let rows = inner.connections.read(OF_DATASETS, given).await?;
            let of_row = |row: &tokio_postgres::Row| DayCounts {
                day: Day::from_number(row.get(0)),
                counts: Counts {
                    records: row.get::<_, i64>(1).cast_unsigned(),
                    errored: row.get::<_, i64>(2).cast_unsigned(),
                },
            };
            Ok(rows.iter().map(of_row).collect())
        })
    }
}
