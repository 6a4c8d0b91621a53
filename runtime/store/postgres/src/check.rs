//! Compares counters, keys and the change log with the records, as of one moment.

use crate::connections::{Connections, transact};
use crate::error::Failure;

/// A question whose rows are contradictions: what is wrong, and the numbers that say where.
const QUESTIONS: &[(&str, &str)] = &[
    (
        "a dataset's counters differ from its records (dataset, counted, there)",
        "SELECT s.dataset, s.records, count(r.sequence) FILTER (WHERE NOT r.deleted)
         FROM dataset_state s LEFT JOIN records r ON r.dataset = s.dataset
         GROUP BY s.dataset, s.records, s.errored, s.last_sequence
         HAVING s.records <> count(r.sequence) FILTER (WHERE NOT r.deleted)
           OR s.errored <> count(r.sequence) FILTER (WHERE NOT r.deleted AND r.errors IS NOT NULL)
           OR s.last_sequence < coalesce(max(r.sequence), 0)",
    ),
    (
        "a record's dataset has no counters (dataset, sequence, 0)",
        "SELECT r.dataset, min(r.sequence), 0::bigint FROM records r
         LEFT JOIN dataset_state s ON s.dataset = r.dataset
         WHERE s.dataset IS NULL GROUP BY r.dataset",
    ),
    (
        "a primary key is there more than once (dataset, first sequence, records)",
        "SELECT dataset, min(sequence), count(*) FROM records
         WHERE NOT deleted AND primary_key IS NOT NULL
         GROUP BY dataset, primary_key HAVING count(*) > 1",
    ),
    (
        "a record's newest entry of the change log is about another or says something else (dataset, sequence, entry)",
        "SELECT r.dataset, r.sequence, r.last_change FROM records r
         LEFT JOIN change_log l ON l.dataset = r.dataset AND l.number = r.last_change
         LEFT JOIN dataset_state s ON s.dataset = r.dataset
         WHERE (l.number IS NULL AND r.last_change > coalesce(s.changes_lost, 0))
           OR l.sequence <> r.sequence OR l.nonce <> r.nonce OR l.version <> r.version
           OR (l.action = 'delete') <> r.deleted
           OR (l.number IS NOT NULL AND NOT r.deleted AND l.after IS DISTINCT FROM r.body)",
    ),
    (
        "an entry of the change log is newer than its dataset's newest, or than the store's (dataset, entry, newest)",
        "SELECT l.dataset, max(l.number), coalesce(s.last_change, 0) FROM change_log l
         LEFT JOIN dataset_state s ON s.dataset = l.dataset
         GROUP BY l.dataset, s.last_change
         HAVING max(l.number) > coalesce(s.last_change, 0)
           OR max(l.number) > (SELECT value FROM counters WHERE name = 'log')",
    ),
];

/// The contradictions, in words.
pub(crate) async fn check(connections: &Connections) -> Result<Vec<String>, Failure> {
    transact!(connections, tx => {
        tx.take_time();
        tx.batch("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ").await?;
        let mut found = Vec::new();
        for (what, sql) in QUESTIONS {
            for row in tx.rows(sql, &[]).await? {
                let (first, second, third): (i64, i64, i64) = (row.get(0), row.get(1), row.get(2));
                found.push(format!("{what}: {first}, {second}, {third}"));
            }
        }
        tx.keeps_nothing();
        Ok(found)
    })
}
