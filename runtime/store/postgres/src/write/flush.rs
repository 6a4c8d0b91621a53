//! Writes what was decided: a statement for each kind of change, all sent at once.

use super::by_dataset::{Grouping, RowsStatement, rows_statement};
use super::draft::{Draft, PastState, RecordRow};
use crate::connection::Outgoing;
use crate::connections::Transaction;
use crate::error::{Failure, malformed};
use crate::trail;
use std::collections::BTreeMap;
use store::catalog::Actor;
use tokio_postgres::types::ToSql;

const HEAD: &str = "UPDATE counters SET value = $1 WHERE name = 'log'";
const RELEASE: RowsStatement = rows_statement!(
    "UPDATE records r SET primary_key = NULL
   FROM unnest($1::bigint[], $2::bigint[]) AS w (dataset, sequence)
   WHERE r.dataset = w.dataset AND r.sequence = w.sequence",
    " AND r.dataset = $3"
);
const PURGE: RowsStatement = rows_statement!(
    "DELETE FROM records r
   USING unnest($1::bigint[], $2::bigint[]) AS w (dataset, sequence)
   WHERE r.dataset = w.dataset AND r.sequence = w.sequence",
    " AND r.dataset = $3"
);
const UPDATE: RowsStatement = rows_statement!(
    "UPDATE records r SET version = w.version, schema_version = w.schema_version,
     deleted = w.deleted, last_change = w.last_change, primary_key = w.primary_key,
     errors = w.errors, hidden = w.hidden, body = w.body
   FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::boolean[],
     $7::bigint[], $8::text[], $9::text[], $10::text[], $11::text[])
     AS w (dataset, sequence, nonce, version, schema_version, deleted, last_change, primary_key,
       errors, hidden, body)
   WHERE r.dataset = w.dataset AND r.sequence = w.sequence",
    " AND r.dataset = $12"
);
const INSERT: &str =
    "INSERT INTO records (dataset, sequence, nonce, version, schema_version, deleted,
     last_change, primary_key, errors, hidden, body)
   SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
     $6::boolean[], $7::bigint[], $8::text[], $9::text[], $10::text[], $11::text[])";
const LOG: &str = "INSERT INTO change_log (dataset, number, sequence, nonce, action, version,
     schema_version, at, actor, prior, before, errors, hidden, digest)
   SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[],
     $6::bigint[], $7::bigint[], $8::bigint[], $9::text[], $10::bigint[], $11::text[], $12::text[],
     $13::text[], $14::bigint[])";
const KEEP: &str = "INSERT INTO past_states (dataset, sequence, number, body)
   SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[])";
const PURGE_STATES: RowsStatement = rows_statement!(
    "DELETE FROM past_states p
   USING unnest($1::bigint[], $2::bigint[]) AS w (dataset, sequence)
   WHERE p.dataset = w.dataset AND p.sequence = w.sequence",
    " AND p.dataset = $3"
);
const DATASETS: RowsStatement = rows_statement!(
    "UPDATE dataset_state s SET records = w.records, errored = w.errored,
     last_sequence = w.last_sequence, last_change = w.last_change
   FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
     AS w (dataset, records, errored, last_sequence, last_change)
   WHERE s.dataset = w.dataset",
    " AND s.dataset = $6"
);
// behind such a purge jobs are to be emptied
const TO_SETTLE: &str = "UPDATE dataset_state SET purge_to_settle = $2 WHERE dataset = $1";
const FORGET: RowsStatement = rows_statement!(
    "DELETE FROM change_log l
   USING unnest($1::bigint[], $2::bigint[]) AS w (dataset, number)
   WHERE l.dataset = w.dataset AND l.number = w.number",
    " AND l.dataset = $3"
);
// from the newest entry back; where one is not kept any more, none before it is. Of one dataset at a time: an engine that
// divides tables follows no entries through several shards
const PURGE_PAST: &str = "WITH RECURSIVE past (number, prior) AS (
     SELECT l.number, l.prior FROM change_log l
     WHERE l.dataset = $1 AND l.number = ANY ($2::bigint[])
     UNION ALL
     SELECT l.number, l.prior FROM past p
     JOIN change_log l ON l.dataset = $1 AND l.number = p.prior AND l.number < p.number)
   DELETE FROM change_log l USING past p WHERE l.dataset = $1 AND l.number = p.number";

/// Writes a draft.
pub(super) async fn flush(tx: &Transaction, draft: &Draft) -> Result<(), Failure> {
    let grouping = draft.grouping;
    let mut all = vec![Outgoing {
        sql: HEAD,
        values: vec![Box::new(draft.head.cast_signed())],
    }];
    all.extend(grouping.pairs(RELEASE, &draft.released));
    let changed = draft.records.iter().filter(|(_, it)| it.is_changed);
    let (mut gone, mut past) = (Vec::new(), BTreeMap::<i64, Vec<i64>>::new());
    let (mut new, mut old): (Vec<&RecordRow>, Vec<&RecordRow>) = (Vec::new(), Vec::new());
    for (place, record) in changed {
        match (&record.row, record.stored_change) {
            (Some(row), Some(_)) => old.push(row),
            (Some(row), None) => new.push(row),
            (None, Some(change)) => {
                gone.push(*place);
                past.entry(place.0).or_default().push(change);
            }
            (None, None) => {}
        }
    }
    new.sort_unstable_by_key(|row| (row.dataset, row.sequence));
    all.extend(past.into_iter().map(|(dataset, newest)| Outgoing {
        sql: PURGE_PAST,
        values: vec![Box::new(dataset), Box::new(newest)],
    }));
    all.extend(grouping.pairs(PURGE_STATES, &gone));
    all.extend(grouping.pairs(PURGE, &gone));
    for (dataset, rows) in grouping.group(old, |row| row.dataset) {
        all.push(of_one(grouping, UPDATE, columns(&rows), dataset));
    }
    if !new.is_empty() {
        all.push(Outgoing {
            sql: INSERT,
            values: columns(&new),
        });
    }
    all.push(log(draft)?);
    all.extend(past_states(&draft.past_states));
    all.extend(grouping.pairs(FORGET, &draft.forgotten));
    let changed = draft.datasets.values().filter(|it| it.is_changed);
    for (dataset, changed) in grouping.group(changed, |it| it.dataset) {
        let values = vec![
            column(changed.iter().copied(), |it| it.dataset),
            column(changed.iter().copied(), |it| it.records),
            column(changed.iter().copied(), |it| it.errored),
            column(changed.iter().copied(), |it| it.last_sequence),
            column(changed.iter().copied(), |it| it.last_change),
        ];
        all.push(of_one(grouping, DATASETS, values, dataset));
    }
    all.extend(draft.unsettled.iter().map(|(dataset, number)| Outgoing {
        sql: TO_SETTLE,
        values: vec![Box::new(*dataset), Box::new(*number)],
    }));
    tx.execute_all(&all).await?;
    trail::remember(tx, &draft.audit).await
}

/// A statement with its values, and the dataset that it is of.
fn of_one<'d>(
    grouping: Grouping,
    statement: RowsStatement,
    mut values: Vec<Box<dyn ToSql + Sync + Send + 'd>>,
    dataset: Option<i64>,
) -> Outgoing<'d> {
    if let Some(dataset) = dataset {
        values.push(Box::new(dataset));
    }
    let sql = grouping.text(statement);
    Outgoing { sql, values }
}

/// A column of rows, as a value of a statement.
fn column<'d, R, T>(
    rows: impl IntoIterator<Item = &'d R>,
    of: impl Fn(&'d R) -> T,
) -> Box<dyn ToSql + Sync + Send + 'd>
where
    R: 'd,
    T: ToSql + Sync + Send + 'd,
{
    Box::new(rows.into_iter().map(of).collect::<Vec<T>>())
}

/// The columns of rows of records.
fn columns<'d>(rows: &[&'d RecordRow]) -> Vec<Box<dyn ToSql + Sync + Send + 'd>> {
    let all = || rows.iter().copied();
    vec![
        column(all(), |it| it.dataset),
        column(all(), |it| it.sequence),
        column(all(), |it| it.nonce),
        column(all(), |it| it.version),
        column(all(), |it| it.schema_version),
        column(all(), |it| it.deleted),
        column(all(), |it| it.last_change),
        column(all(), |it| it.primary_key.as_deref()),
        column(all(), |it| it.errors.as_deref()),
        column(all(), |it| it.hidden.as_deref()),
        column(all(), |it| it.body.as_str()),
    ]
}

fn log(draft: &Draft) -> Result<Outgoing<'_>, Failure> {
    let log = &draft.log;
    let mut actors: Vec<String> = Vec::with_capacity(log.len());
    let mut last: Option<(&Actor, String)> = None;
    for entry in log {
        let text = match &last {
            Some((actor, text)) if **actor == entry.actor => text.clone(),
            _ => serde_json::to_string(&entry.actor).map_err(malformed("an actor"))?,
        };
        actors.push(text.clone());
        last = Some((&entry.actor, text));
    }
    Ok(Outgoing {
        sql: LOG,
        values: vec![
            column(log, |it| it.dataset),
            column(log, |it| it.number),
            column(log, |it| it.sequence),
            column(log, |it| it.nonce),
            column(log, |it| it.action.as_str()),
            column(log, |it| it.version),
            column(log, |it| it.schema_version),
            column(log, |it| it.at.millis()),
            Box::new(actors),
            column(log, |it| it.prior),
            column(log, |it| it.before.as_deref()),
            column(log, |it| it.errors.as_deref()),
            column(log, |it| it.hidden.as_deref()),
            column(log, |it| it.digest),
        ],
    })
}

/// A statement on values that are kept whole, if there are any.
fn past_states(states: &[PastState]) -> Option<Outgoing<'_>> {
    (!states.is_empty()).then(|| Outgoing {
        sql: KEEP,
        values: vec![
            column(states, |it| it.dataset),
            column(states, |it| it.sequence),
            column(states, |it| it.number),
            column(states, |it| it.body.as_str()),
        ],
    })
}
