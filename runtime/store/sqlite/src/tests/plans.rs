//! How statements find their rows: by a tree, however few rows a table had when the store was closed.

use super::super::{SqliteStore, pages, records};
use super::{create, wait};
use std::path::Path;
use store::records::Records;

/// What SQLite does for a statement that is asked of a store as readers see it.
fn plan(store: &SqliteStore, sql: &str) -> Vec<String> {
    let steps = store.readers.with(|connection| {
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
        // nothing is done, so nothing need be given
        let mut rows = statement.raw_query();
        let mut steps = Vec::new();
        while let Some(row) = rows.next()? {
            steps.push(row.get::<_, String>(3)?);
        }
        Ok(steps)
    });
    steps.unwrap()
}

#[track_caller]
fn check_plans(store: &SqliteStore) {
    for sql in [pages::LIVE, records::LOG] {
        let steps = plan(store, sql);
        let begins_inside = steps[0].contains("SEARCH") && steps[0].contains("PRIMARY KEY");
        assert!(steps.len() == 1 && begins_inside, "{sql}: {steps:?}");
    }
}

#[test]
fn a_page_of_deleted_records_begins_with_the_newest_deletion_and_sorts_none() {
    let folder = tempfile::tempdir().unwrap();
    let steps = plan(
        &SqliteStore::open(folder.path()).unwrap(),
        pages::NEWEST_DELETED,
    );
    let [log, record] = &steps[..] else {
        panic!("{steps:?}");
    };
    assert!(
        log.contains("change_log_deletions (<expr>=? AND rowid<?)"),
        "{log}"
    );
    assert!(record.contains("INTEGER PRIMARY KEY"), "{record}");
}

fn with_one_record(folder: &Path) {
    let store = SqliteStore::open(folder).unwrap();
    wait(store.write(create("first", 10))).unwrap();
}

#[test]
fn a_store_that_was_closed_while_it_was_small_reads_no_more_than_is_asked_for_when_it_is_large() {
    let folder = tempfile::tempdir().unwrap();
    with_one_record(folder.path());
    check_plans(&SqliteStore::open(folder.path()).unwrap());
}
