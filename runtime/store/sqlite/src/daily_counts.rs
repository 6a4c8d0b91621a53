//! Counts of days, made of the datasets' counters in one statement of the writer.

use super::SqliteStore;
use super::row::json_of;
use rusqlite::params;
use store::StoreFuture;
use store::daily_counts::{DailyCounts, DayCounts};
use store::records::Counts;
use tracing::debug_span;
use wire::Day;

// the condition before ON CONFLICT tells it from that of a join
const KEEP: &str = "INSERT INTO daily_counts (dataset, day, records, errored)
   SELECT dataset, ?1, records, errored FROM dataset_state WHERE true
   ON CONFLICT (dataset, day) DO UPDATE SET records = excluded.records, errored = excluded.errored
   WHERE daily_counts.records <> excluded.records OR daily_counts.errored <> excluded.errored";
const FORGET: &str = "DELETE FROM daily_counts WHERE day < ?1";
const OF_DATASETS: &str = "SELECT day, sum(records), sum(errored) FROM daily_counts
   WHERE dataset IN (SELECT value FROM json_each(?1)) AND day >= ?2 GROUP BY day ORDER BY day";

impl DailyCounts for SqliteStore {
    fn keep_daily_counts(&self, day: Day, oldest: Day) -> StoreFuture<'_, ()> {
        let span = debug_span!("store.keep_daily_counts");
        self.writer.run(span, move |connection, _| {
            connection.prepare_cached(KEEP)?.execute([day.number()])?;
            connection
                .prepare_cached(FORGET)?
                .execute([oldest.number()])?;
            Ok(())
        })
    }

    fn daily_counts(&self, datasets: Vec<u32>, first: Day) -> StoreFuture<'_, Vec<DayCounts>> {
        self.beside(move |connection| {
            let mut statement = connection.prepare_cached(OF_DATASETS)?;
            let given = params![json_of(&datasets), first.number()];
            let rows = statement.query_map(given, |row| {
                Ok(DayCounts {
                    day: Day::from_number(row.get(0)?),
                    counts: Counts {
                        records: row.get::<_, i64>(1)?.cast_unsigned(),
                        errored: row.get::<_, i64>(2)?.cast_unsigned(),
                    },
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }
}
