//! A page of hits and how many there are, in order of places or sorted.

use super::condition::{Place, anywhere, places};
use super::key_bytes::{from_bytes, value_bytes, value_of};
use crate::connection::Connection;
use crate::error::Failure;
use crate::limit_of;
use crate::sql::Sql;
use store::records::RecordPlace;
use store::search::{Position, Search, SearchPage};
use tokio_postgres::Row;

/// Asks for the least key of a record in a field: how that begins, and the field stands behind it. Only the index of what each
/// record has is of use for it, so the field is written as none of an index, and the whole row (`k`) is asked for, which no index
/// has. Left to itself, the database takes the keys of a field of a dataset for as many as those of an average one, and goes through
/// all keys of a large dataset among small ones for each of its records.
const LEAST_KEY: &str = ", (SELECT k.key FROM search_keys k WHERE k IS NOT NULL AND k.dataset = r.dataset AND k.sequence = r.sequence
   AND k.field || '' = CASE";

/// Looks for records.
pub(super) async fn find(connection: &Connection, search: &Search) -> Result<SearchPage, Failure> {
    let places = places(&search.aims);
    if places.is_empty() {
        return Ok(SearchPage::default());
    }
    let total = if search.total_max == 0 {
        0
    } else {
        count(connection, search, &places).await?
    };
    let sql = page(search, &places);
    let rows = connection.ask(&sql.text, &sql.given()).await?;
    let mut page = SearchPage {
        total,
        ..SearchPage::default()
    };
    for row in &rows {
        page.places.push(place(row));
        if !search.sort.is_empty() {
            let keys = (0..search.sort.len()).map(|number| {
                let key: Option<&[u8]> = row.get(2 + number);
                key.and_then(from_bytes)
            });
            page.keys.push(keys.collect());
        }
    }
    Ok(page)
}

/// How many there are, up to the number that was asked for.
async fn count(
    connection: &Connection,
    search: &Search,
    places: &[Place<'_>],
) -> Result<u64, Failure> {
    let mut sql = Sql::default();
    sql.push("SELECT count(*) FROM (SELECT 1 FROM search_records r WHERE ");
    anywhere(places, &search.expression, &mut sql);
    sql.push(" LIMIT ");
    sql.value(i64::try_from(search.total_max).unwrap_or(i64::MAX));
    sql.push("::bigint) hits");
    let rows = connection.ask(&sql.text, &sql.given()).await?;
    let total = rows.first().map_or(0, |row| row.get::<_, i64>(0));
    Ok(total.cast_unsigned())
}

/// The place of a row that begins with it.
pub(super) fn place(row: &Row) -> RecordPlace {
    RecordPlace {
        dataset: u32::try_from(row.get::<_, i64>(0)).unwrap_or(0),
        sequence: row.get::<_, i64>(1).cast_unsigned(),
    }
}

/// The statement for a page: the keys of the sort are columns `k0`, `k1` and so on. Numbers that are equal stand in order of
/// creation, whatever each was kept as.
fn page(search: &Search, places: &[Place<'_>]) -> Sql {
    let mut sql = Sql::default();
    sql.push("SELECT * FROM (SELECT r.dataset AS d, r.sequence AS s");
    for (number, sort) in search.sort.iter().enumerate() {
        sql.push(LEAST_KEY);
        for place in places {
            let field = place.fields.named(&sort.field).next();
            sql.push(" WHEN r.dataset = ANY (");
            sql.value(place.datasets.clone());
            sql.push("::bigint[]) THEN ");
            sql.value(field.map(|field| field.id.to_string()));
            sql.push("::text");
        }
        sql.push(&format!(" END ORDER BY k.key LIMIT 1) AS k{number}"));
    }
    sql.push(" FROM search_records r WHERE ");
    anywhere(places, &search.expression, &mut sql);
    sql.push(") hits");
    if let Some(after) = &search.after {
        sql.push(" WHERE ");
        behind(search, after, &mut sql);
    }
    sql.push(" ORDER BY ");
    for (number, sort) in search.sort.iter().enumerate() {
        let direction = if sort.descending { "DESC" } else { "ASC" };
        let value = compared(number);
        sql.push(&format!("k{number} IS NULL, {value} {direction}, "));
    }
    if is_reversed(search) {
        // behind the last key they are in order of creation again
        sql.push(
            "CASE WHEN k0 IS NULL THEN d ELSE -d END, CASE WHEN k0 IS NULL THEN s ELSE -s END",
        );
    } else {
        sql.push("d, s");
    }
    sql.push(" LIMIT ");
    sql.value(limit_of(search.limit));
    sql.push("::bigint");
    sql
}

/// Whether equal keys stand against the order of creation.
fn is_reversed(search: &Search) -> bool {
    search.sort.first().is_some_and(|first| first.descending)
}

/// Appends the condition that a hit comes behind a position.
fn behind(search: &Search, after: &Position, sql: &mut Sql) {
    let keys: Vec<Option<Vec<u8>>> = after
        .keys
        .iter()
        .map(|key| key.as_ref().map(value_bytes))
        .collect();
    sql.push("(");
    let mut equal = Vec::new();
    for (number, (sort, key)) in search.sort.iter().zip(&keys).enumerate() {
        // nothing stands behind those without a key but others without one
        if let Some(key) = key {
            for before in &equal {
                let (before, key): &(usize, Option<Vec<u8>>) = before;
                same(*before, key.clone(), sql);
                sql.push(" AND ");
            }
            let sign = if sort.descending { "<" } else { ">" };
            let value = compared(number);
            sql.push(&format!("(k{number} IS NULL OR {value} {sign} "));
            sql.value(key.clone());
            sql.push("::bytea) OR ");
        }
        equal.push((number, key.clone()));
    }
    for (number, key) in &equal {
        same(*number, key.clone(), sql);
        sql.push(" AND ");
    }
    let is_back = is_reversed(search) && keys.first().is_some_and(Option::is_some);
    sql.push(if is_back { "(d, s) < (" } else { "(d, s) > (" });
    sql.value(i64::from(after.place.dataset));
    sql.push("::bigint, ");
    sql.value(after.place.sequence.cast_signed());
    sql.push("::bigint))");
}

/// What is compared of a key of the sort.
fn compared(number: usize) -> String {
    value_of(&format!("k{number}"))
}

fn same(number: usize, key: Option<Vec<u8>>, sql: &mut Sql) {
    let value = compared(number);
    sql.push(&format!("{value} IS NOT DISTINCT FROM "));
    sql.value(key);
    sql.push("::bytea");
}
