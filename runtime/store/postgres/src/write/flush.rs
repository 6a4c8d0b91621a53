//! Writes what was decided: a statement for each kind of change, all sent at once.

use super::draft::{DatasetDraft, Draft, RecordRow};
use crate::connections::Transaction;
use crate::error::{Failure, malformed};
use crate::trail;
use std::collections::BTreeMap;
use std::sync::Arc;
use store::catalog::Actor;

const HEAD: &str = "UPDATE counters SET value = $1 WHERE name = 'log'";
const RELEASE: &str = "UPDATE records r SET primary_key = NULL
   FROM unnest($1::bigint[], $2::bigint[]) AS w (dataset, sequence)
   WHERE r.dataset = w.dataset AND r.sequence = w.sequence";
const PURGE: &str = "DELETE FROM records r
   USING unnest($1::bigint[], $2::bigint[]) AS w (dataset, sequence)
   WHERE r.dataset = w.dataset AND r.sequence = w.sequence";
const UPDATE: &str = "UPDATE records r SET version = w.version, schema_version = w.schema_version,
     deleted = w.deleted, last_change = w.last_change, primary_key = w.primary_key,
     errors = w.errors, hidden = w.hidden, body = w.body
   FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::boolean[],
     $7::bigint[], $8::text[], $9::text[], $10::text[], $11::text[])
     AS w (dataset, sequence, nonce, version, schema_version, deleted, last_change, primary_key,
       errors, hidden, body)
   WHERE r.dataset = w.dataset AND r.sequence = w.sequence";
const INSERT: &str =
    "INSERT INTO records (dataset, sequence, nonce, version, schema_version, deleted,
     last_change, primary_key, errors, hidden, body)
   SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
     $6::boolean[], $7::bigint[], $8::text[], $9::text[], $10::text[], $11::text[])";
const LOG: &str = "INSERT INTO change_log (dataset, number, sequence, nonce, action, version,
     schema_version, at, actor, prior, before, after, errors, hidden)
   SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[],
     $6::bigint[], $7::bigint[], $8::bigint[], $9::text[], $10::bigint[], $11::text[], $12::text[],
     $13::text[], $14::text[])";
const DATASETS: &str = "UPDATE dataset_state s SET records = w.records, errored = w.errored,
     last_sequence = w.last_sequence, last_change = w.last_change
   FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
     AS w (dataset, records, errored, last_sequence, last_change)
   WHERE s.dataset = w.dataset";
const FORGET: &str = "DELETE FROM change_log l
   USING unnest($1::bigint[], $2::bigint[]) AS w (dataset, number)
   WHERE l.dataset = w.dataset AND l.number = w.number";
// from the newest entry back; where one is not kept any more, none before it is. Of one dataset at a time: an engine that
// divides tables follows no entries through several shards
const PURGE_PAST: &str = "WITH RECURSIVE past (number, prior) AS (
     SELECT l.number, l.prior FROM change_log l
     WHERE l.dataset = $1 AND l.number = ANY ($2::bigint[])
     UNION ALL
     SELECT l.number, l.prior FROM past p
     JOIN change_log l ON l.dataset = $1 AND l.number = p.prior)
   DELETE FROM change_log l USING past p WHERE l.dataset = $1 AND l.number = p.number";

/// Writes a draft.
pub(super) async fn flush(tx: &Transaction, draft: &Draft) -> Result<(), Failure> {
    let head = draft.head.cast_signed();
    tx.execute(HEAD, &[&head]).await?;
    pairs(tx, RELEASE, &draft.released).await?;
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
    for (dataset, newest) in &past {
        tx.execute(PURGE_PAST, &[dataset, newest]).await?;
    }
    pairs(tx, PURGE, &gone).await?;
    rows(tx, UPDATE, &old).await?;
    rows(tx, INSERT, &new).await?;
    log(tx, draft).await?;
    pairs(tx, FORGET, &draft.forgotten).await?;
    let changed: Vec<_> = draft.datasets.values().filter(|it| it.is_changed).collect();
    let column = |of: fn(&&DatasetDraft) -> i64| changed.iter().map(of).collect::<Vec<_>>();
    tx.execute(
        DATASETS,
        &[
            &column(|it| it.dataset),
            &column(|it| it.records),
            &column(|it| it.errored),
            &column(|it| it.last_sequence),
            &column(|it| it.last_change),
        ],
    )
    .await?;
    trail::remember(tx, &draft.audit).await
}

/// Does a statement on pairs of numbers, if there are any.
async fn pairs(tx: &Transaction, sql: &str, pairs: &[(i64, i64)]) -> Result<(), Failure> {
    if !pairs.is_empty() {
        let (first, second): (Vec<i64>, Vec<i64>) = pairs.iter().copied().unzip();
        tx.execute(sql, &[&first, &second]).await?;
    }
    Ok(())
}

/// Does a statement on rows of records, if there are any.
async fn rows(tx: &Transaction, sql: &str, rows: &[&RecordRow]) -> Result<(), Failure> {
    if rows.is_empty() {
        return Ok(());
    }
    let number = |of: fn(&RecordRow) -> i64| rows.iter().map(|it| of(it)).collect::<Vec<_>>();
    let text =
        |of: fn(&RecordRow) -> Option<&str>| rows.iter().map(|it| of(it)).collect::<Vec<_>>();
    tx.execute(
        sql,
        &[
            &number(|it| it.dataset),
            &number(|it| it.sequence),
            &number(|it| it.nonce),
            &number(|it| it.version),
            &number(|it| it.schema_version),
            &rows.iter().map(|it| it.deleted).collect::<Vec<_>>(),
            &number(|it| it.last_change),
            &text(|it| it.primary_key.as_deref()),
            &text(|it| it.errors.as_deref()),
            &text(|it| it.hidden.as_deref()),
            &text(|it| Some(&it.body)),
        ],
    )
    .await?;
    Ok(())
}

async fn log(tx: &Transaction, draft: &Draft) -> Result<(), Failure> {
    let log = &draft.log;
    let mut actors: Vec<Arc<str>> = Vec::with_capacity(log.len());
    let mut last: Option<(&Actor, Arc<str>)> = None;
    for entry in log {
        let text = match &last {
            Some((actor, text)) if **actor == entry.actor => text.clone(),
            _ => {
                let text = serde_json::to_string(&entry.actor).map_err(malformed("an actor"))?;
                Arc::from(text)
            }
        };
        actors.push(text.clone());
        last = Some((&entry.actor, text));
    }
    let actors: Vec<&str> = actors.iter().map(|it| &**it).collect();
    tx.execute(
        LOG,
        &[
            &log.iter().map(|it| it.dataset).collect::<Vec<_>>(),
            &log.iter().map(|it| it.number).collect::<Vec<_>>(),
            &log.iter().map(|it| it.sequence).collect::<Vec<_>>(),
            &log.iter().map(|it| it.nonce).collect::<Vec<_>>(),
            &log.iter().map(|it| it.action.as_str()).collect::<Vec<_>>(),
            &log.iter().map(|it| it.version).collect::<Vec<_>>(),
            &log.iter().map(|it| it.schema_version).collect::<Vec<_>>(),
            &log.iter().map(|it| it.at.millis()).collect::<Vec<_>>(),
            &actors,
            &log.iter().map(|it| it.prior).collect::<Vec<_>>(),
            &log.iter()
                .map(|it| it.before.as_deref())
                .collect::<Vec<_>>(),
            &log.iter().map(|it| it.after.as_deref()).collect::<Vec<_>>(),
            &log.iter()
                .map(|it| it.errors.as_deref())
                .collect::<Vec<_>>(),
            &log.iter()
                .map(|it| it.hidden.as_deref())
                .collect::<Vec<_>>(),
        ],
    )
    .await?;
    Ok(())
}
