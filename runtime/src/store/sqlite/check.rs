//! Verifies the store: every index, counter and primary key against the records. It only reads.

use crate::store::StoreError;
use crate::store::catalog::Catalog;
use crate::store::sqlite::catalog;
use rusqlite::Connection;

/// Queries whose every row is a contradiction, with the words for it.
const CONTRADICTIONS: &[(&str, &str)] = &[
    (
        "the counters of a dataset do not match its records",
        "SELECT 'dataset ' || n.dataset || ': counted ' || n.records || ' records and ' || n.errored || ' with errors'
         FROM dataset_state n
         WHERE n.records <> (SELECT count(*) FROM records r WHERE r.place > n.dataset << 40
             AND r.place < (n.dataset + 1) << 40 AND r.deleted = 0)
            OR n.errored <> (SELECT count(*) FROM records r WHERE r.place > n.dataset << 40
             AND r.place < (n.dataset + 1) << 40 AND r.deleted = 0 AND r.errors IS NOT NULL)",
    ),
    (
        "a record's place is not in its dataset, or beyond the last sequence",
        "SELECT 'place ' || r.place FROM records r LEFT JOIN dataset_state n ON n.dataset = r.dataset
         WHERE r.place >> 40 <> r.dataset OR n.dataset IS NULL
            OR (r.place & ((1 << 40) - 1)) > n.last_sequence",
    ),
    (
        "two live records of a dataset have one primary key",
        "SELECT 'dataset ' || dataset || ', key of place ' || min(place) FROM records NOT INDEXED
         WHERE deleted = 0 AND primary_key IS NOT NULL GROUP BY dataset, primary_key HAVING count(*) > 1",
    ),
    (
        "a record's body is not a JSON object",
        "SELECT 'place ' || place FROM records WHERE NOT json_valid(body) OR json_type(body) <> 'object'",
    ),
    (
        "a record's newest entry in the change log has another version",
        "SELECT 'place ' || r.place FROM records r WHERE r.version <> (SELECT l.version FROM change_log l
           WHERE l.place = r.place ORDER BY l.number DESC LIMIT 1)",
    ),
];

pub(super) fn check(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    let mut statement = connection.prepare("PRAGMA integrity_check(100)")?;
    for line in statement.query_map([], |row| row.get::<_, String>(0))? {
        let line = line?;
        if line != "ok" {
            found.push(format!("the database: {line}"));
        }
    }
    for (words, query) in CONTRADICTIONS {
        let mut statement = connection.prepare(query)?;
        for what in statement.query_map([], |row| row.get::<_, String>(0))? {
            found.push(format!("{words}: {}", what?));
        }
    }
    match catalog::load(connection) {
        Ok(catalog) => dangling(&catalog, &mut found),
        Err(error) => found.push(error.to_string()),
    }
    Ok(found)
}

/// Nouns that refer to nouns that are not there.
fn dangling(catalog: &Catalog, found: &mut Vec<String>) {
    for area in catalog
        .areas
        .values()
        .filter(|area| !catalog.tenants.contains_key(&area.tenant))
    {
        found.push(format!("the area {} has no tenant", area.id));
    }
    for schema in catalog
        .schemas
        .values()
        .filter(|schema| !catalog.areas.contains_key(&schema.area))
    {
        found.push(format!("the schema {} has no area", schema.id));
    }
    for dataset in catalog
        .datasets
        .values()
        .filter(|dataset| !catalog.schemas.contains_key(&dataset.schema))
    {
        found.push(format!("the dataset {} has no schema", dataset.id));
    }
}
