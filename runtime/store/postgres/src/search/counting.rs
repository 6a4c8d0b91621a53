//! How often values and faults are there.

use super::condition::{Place, ids, places};
use super::key_bytes::from_bytes;
use crate::connection::Connection;
use crate::error::Failure;
use crate::limit_of;
use crate::sql::Sql;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use store::records::RecordPlace;
use store::search::{Count, Counted, FaultCount, SAMPLES_MAX, Tally};

/// A field and a rule that it breaks.
type Kind = (String, String);

/// Counts values or faults.
pub(super) async fn count(connection: &Connection, count: &Count) -> Result<Tally, Failure> {
    match &count.what {
        Counted::Keys(name) => keys(connection, count, name).await,
        Counted::Faults => faults(connection, count).await,
    }
}

/// Appends what rows `t` of a place are counted: of these fields, and of records that the expression finds.
fn counted(count: &Count, place: &Place<'_>, fields: Vec<String>, sql: &mut Sql) {
    sql.push("t.dataset = ANY (");
    sql.value(place.datasets.clone());
    sql.push("::bigint[]) AND t.field = ANY (");
    sql.value(fields);
    sql.push("::text[])");
    if let Some(expression) = &count.expression {
        sql.push(" AND EXISTS (SELECT 1 FROM search_records r WHERE r.dataset = t.dataset AND r.sequence = t.sequence AND ");
        place.condition(expression, sql);
        sql.push(")");
    }
}

async fn keys(connection: &Connection, count: &Count, name: &[String]) -> Result<Tally, Failure> {
    let mut tally: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    for place in places(&count.aims) {
        let mut sql = Sql::default();
        sql.push("SELECT t.key, count(*) FROM search_keys t WHERE ");
        counted(count, &place, ids(place.fields.named(name)), &mut sql);
        sql.push(" GROUP BY t.key");
        for row in connection.ask(&sql.text, &sql.given()).await? {
            let records = row.get::<_, i64>(1).cast_unsigned();
            *tally.entry(row.get(0)).or_default() += records;
        }
    }
    let read = tally.into_iter();
    let read = read.filter_map(|(key, records)| Some((from_bytes(&key)?, records)));
    Ok(Tally::Keys(read.collect()))
}

async fn faults(connection: &Connection, count: &Count) -> Result<Tally, Failure> {
    let mut found: BTreeMap<(Arc<str>, String, String), FaultCount> = BTreeMap::new();
    for place in places(&count.aims) {
        let fields = || ids(place.fields.active.iter());
        let mut sql = Sql::default();
        sql.push(
            "SELECT t.field, t.rule, count(*) FROM search_marks t WHERE t.kind = 'fault' AND ",
        );
        counted(count, &place, fields(), &mut sql);
        sql.push(" GROUP BY t.field, t.rule");
        let rows = connection.ask(&sql.text, &sql.given()).await?;
        let kinds = rows.iter().map(|row| (row.get(0), row.get(1)));
        let mut samples = samples(connection, count, &place, &kinds.collect::<Vec<_>>()).await?;
        for row in rows {
            let kind: Kind = (row.get(0), row.get(1));
            let samples = samples.remove(&kind).unwrap_or_default();
            let key = (place.fields.schema.clone(), kind.0, kind.1);
            let known = found.entry(key.clone()).or_insert_with(|| FaultCount {
                schema: key.0,
                field: key.1.into(),
                rule: key.2.into(),
                records: 0,
                samples: Vec::new(),
            });
            known.records += row.get::<_, i64>(2).cast_unsigned();
            known.samples.extend(samples);
            known.samples.truncate(SAMPLES_MAX);
        }
    }
    Ok(Tally::Faults(found.into_values().collect()))
}

/// Kinds of faults whose first records one statement looks for.
const KINDS_AT_ONCE: usize = 50;

/// The first records of a place with each kind of fault: one statement for all of them, or for the most that it takes.
async fn samples(
    connection: &Connection,
    count: &Count,
    place: &Place<'_>,
    kinds: &[Kind],
) -> Result<HashMap<Kind, Vec<RecordPlace>>, Failure> {
    let mut samples: HashMap<Kind, Vec<RecordPlace>> = HashMap::new();
    for kinds in kinds.chunks(KINDS_AT_ONCE) {
        let mut sql = Sql::default();
        sql.push("SELECT s.dataset, s.sequence, s.field, s.rule FROM (");
        for (at, (field, rule)) in kinds.iter().enumerate() {
            sql.push(if at == 0 { "" } else { " UNION ALL " });
            sql.push(
                "(SELECT t.dataset, t.sequence, t.field, t.rule FROM search_marks t
                 WHERE t.kind = 'fault' AND t.rule = ",
            );
            sql.value(rule.clone());
            sql.push(" AND ");
            counted(count, place, vec![field.clone()], &mut sql);
            sql.push(" ORDER BY t.dataset, t.sequence LIMIT ");
            sql.value(limit_of(SAMPLES_MAX));
            sql.push("::bigint)");
        }
        sql.push(") s ORDER BY s.dataset, s.sequence");
        for row in connection.ask(&sql.text, &sql.given()).await? {
            let own = samples.entry((row.get(2), row.get(3))).or_default();
            own.push(super::finding::place(&row));
        }
    }
    Ok(samples)
}
