//! How often values and faults are there.

use super::condition::{Place, anywhere, ids, places};
use super::key_bytes::from_bytes;
use crate::connection::Connection;
use crate::error::Failure;
use crate::limit_of;
use crate::sql::Sql;
use std::collections::HashMap;
use store::records::RecordPlace;
use store::search::{Count, Counted, FaultCount, FieldName, KeyCounts, Tally};

/// A field of a dataset and a rule that it breaks.
type Kind = (i64, String, String);

/// Counts values or faults.
pub(super) async fn count(connection: &Connection, count: &Count) -> Result<Tally, Failure> {
    let places = places(&count.aims);
    match &count.what {
        Counted::Keys { of, most } => keys(connection, count, &places, (of, *most)).await,
        Counted::Faults { samples } => faults(connection, count, (&places, *samples)).await,
    }
}

/// The most frequent keys, and where these are not all, one more statement for how many others there are.
async fn keys(
    connection: &Connection,
    count: &Count,
    places: &[Place<'_>],
    (name, most): (&FieldName, usize),
) -> Result<Tally, Failure> {
    if places.is_empty() {
        return Ok(Tally::Keys(KeyCounts::default()));
    }
    let mut sql = Sql::default();
    sql.push("SELECT t.key, count(*) FROM search_keys t WHERE ");
    of_name(count, places, name, &mut sql);
    sql.push(" GROUP BY t.key ORDER BY count(*) DESC, t.key LIMIT ");
    sql.value(limit_of(most));
    sql.push("::bigint");
    let rows = connection.ask(&sql.text, &sql.given()).await?;
    let told: Vec<(Vec<u8>, u64)> = rows
        .iter()
        .map(|row| (row.get(0), row.get::<_, i64>(1).cast_unsigned()))
        .collect();
    let mut counts = KeyCounts::default();
    if told.len() >= most {
        let mut sql = Sql::default();
        sql.push(
            "SELECT count(*), coalesce(sum(k.records), 0)::bigint
             FROM (SELECT count(*) AS records FROM search_keys t WHERE ",
        );
        of_name(count, places, name, &mut sql);
        sql.push(" GROUP BY t.key) k");
        let rows = connection.ask(&sql.text, &sql.given()).await?;
        let number = |at: usize| rows.first().map_or(0, |row| row.get::<_, i64>(at));
        let [keys, records] = [0, 1].map(|at| number(at).cast_unsigned());
        let told_records: u64 = told.iter().map(|(_, records)| records).sum();
        counts.others = keys.saturating_sub(told.len() as u64);
        counts.other_records = records.saturating_sub(told_records);
    }
    let told = told.into_iter();
    let read = told.filter_map(|(key, records)| Some((from_bytes(&key)?, records)));
    counts.most = read.collect();
    Ok(Tally::Keys(counts))
}

/// Appends that a row `t` is a key of the fields of a name, of a record that the expression finds, where there is one.
fn of_name(count: &Count, places: &[Place<'_>], name: &FieldName, sql: &mut Sql) {
    sql.push("(");
    for (at, place) in places.iter().enumerate() {
        sql.push(if at == 0 { "" } else { " OR " });
        sql.push("(t.dataset = ANY (");
        sql.value(place.datasets.clone());
        sql.push("::bigint[]) AND t.field = ANY (");
        sql.value(ids(place.fields.named(name)));
        sql.push("::text[]))");
    }
    sql.push(")");
    found(count, places, sql);
}

/// One statement however many datasets there are, and the samples.
async fn faults(
    connection: &Connection,
    count: &Count,
    (places, samples_max): (&[Place<'_>], usize),
) -> Result<Tally, Failure> {
    if places.is_empty() {
        return Ok(Tally::Faults(Vec::new()));
    }
    let datasets = places
        .iter()
        .flat_map(|place| place.datasets.iter().copied());
    let mut sql = Sql::default();
    sql.push(
        "SELECT t.dataset, t.field, t.rule, count(*) FROM search_marks t
         WHERE t.kind = 'fault' AND t.dataset = ANY (",
    );
    sql.value(datasets.collect::<Vec<_>>());
    // place by place and no table of them to be joined: that is planned as if all tables were small
    sql.push("::bigint[]) AND (");
    for (at, place) in places.iter().enumerate() {
        sql.push(if at == 0 { "" } else { " OR " });
        sql.push("(t.dataset = ANY (");
        sql.value(place.datasets.clone());
        sql.push("::bigint[]) AND t.field = ANY (");
        sql.value(ids(place.fields.active.iter()));
        sql.push("::text[]))");
    }
    sql.push(")");
    found(count, places, &mut sql);
    sql.push(" GROUP BY t.dataset, t.field, t.rule");
    let rows = connection.ask(&sql.text, &sql.given()).await?;
    let kinds: Vec<Kind> = rows
        .iter()
        .map(|row| (row.get(0), row.get(1), row.get(2)))
        .collect();
    let mut samples = samples(connection, count, (places, samples_max), &kinds).await?;
    let told = rows.iter().zip(kinds).map(|(row, kind)| {
        let samples = samples.remove(&kind).unwrap_or_default();
        Some(FaultCount {
            dataset: u32::try_from(kind.0).ok()?,
            field: kind.1.into(),
            rule: kind.2.into(),
            records: row.get::<_, i64>(3).cast_unsigned(),
            samples,
        })
    });
    Ok(Tally::Faults(told.flatten().collect()))
}

/// Appends that the record of a row `t` is one that the expression finds, where there is one.
fn found(count: &Count, places: &[Place<'_>], sql: &mut Sql) {
    if let Some(expression) = &count.expression {
        sql.push(" AND EXISTS (SELECT 1 FROM search_records r WHERE r.dataset = t.dataset AND r.sequence = t.sequence AND ");
        anywhere(places, expression, sql);
        sql.push(")");
    }
}

/// Kinds of faults whose first records one statement looks for.
const KINDS_AT_ONCE: usize = 50;

/// The first records with each kind of fault: one statement for all of them, or for the most that it takes.
async fn samples(
    connection: &Connection,
    count: &Count,
    (places, most): (&[Place<'_>], usize),
    kinds: &[Kind],
) -> Result<HashMap<Kind, Vec<RecordPlace>>, Failure> {
    let mut samples: HashMap<Kind, Vec<RecordPlace>> = HashMap::new();
    if most == 0 {
        return Ok(samples);
    }
    for kinds in kinds.chunks(KINDS_AT_ONCE) {
        let mut sql = Sql::default();
        sql.push("SELECT s.dataset, s.sequence, s.field, s.rule FROM (");
        for (at, (dataset, field, rule)) in kinds.iter().enumerate() {
            sql.push(if at == 0 { "" } else { " UNION ALL " });
            sql.push(
                "(SELECT t.dataset, t.sequence, t.field, t.rule FROM search_marks t
                 WHERE t.kind = 'fault' AND t.rule = ",
            );
            sql.value(rule.clone());
            // lists of one: where it is equal to a value, the records are read first, all of them for each mark
            sql.push(" AND t.dataset = ANY (");
            sql.value(vec![*dataset]);
            sql.push("::bigint[]) AND t.field = ANY (");
            sql.value(vec![field.clone()]);
            sql.push("::text[])");
            found(count, places, &mut sql);
            sql.push(" ORDER BY t.dataset, t.sequence LIMIT ");
            sql.value(limit_of(most));
            sql.push("::bigint)");
        }
        sql.push(") s ORDER BY s.dataset, s.sequence");
        for row in connection.ask(&sql.text, &sql.given()).await? {
            let own = samples
                .entry((row.get(0), row.get(2), row.get(3)))
                .or_default();
            own.push(super::finding::place(&row));
        }
    }
    Ok(samples)
}
