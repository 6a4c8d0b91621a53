//! Stories of a disk that is full, as SQLite tells it: the writer's connection may use only so many
//! pages. They are here because the limit is that connection's own.

use super::super::writer::READERS_REST;
use super::super::{SqliteOptions, SqliteStore};
use super::{create, wait};
use rusqlite::{Connection, ErrorCode};
use std::path::Path;
use std::sync::Arc;
use store::StoreError;
use store::catalog::{CatalogWrite, Catalogs};
use store::records::{PageLimit, Records, Shelf, WriteVerdict};

/// A store whose file has so many pages at most.
fn limited(folder: &Path, pages: u32) -> SqliteStore {
    let limit = |connection: &Connection| {
        connection.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))
    };
    SqliteStore::open_prepared(folder, SqliteOptions::default(), READERS_REST, limit).unwrap()
}

fn is_full(error: &StoreError) -> bool {
    matches!(error, StoreError::Database(error) if error.downcast_ref::<rusqlite::Error>().and_then(rusqlite::Error::sqlite_error_code) == Some(ErrorCode::DiskFull))
}

#[test]
fn when_the_disk_is_full_every_waiter_is_told_and_nothing_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let store = limited(folder.path(), 120);
    // all of them wait at once, so that they share transactions
    let waiting: Vec<_> = (0..300)
        .map(|n| (n, store.write(create(&n.to_string(), 2000))))
        .collect();
    let (mut kept, mut refused) = (Vec::new(), 0);
    for (n, answer) in waiting {
        match wait(answer) {
            Ok(WriteVerdict::Done { .. }) => kept.push(n),
            Err(error) if is_full(&error) => refused += 1,
            other => panic!("{n}: {other:?}"),
        }
    }
    assert!(kept.len() > 20 && refused > 20, "{} kept", kept.len());
    let agrees = |store: &SqliteStore| {
        for n in &kept {
            assert!(
                wait(store.by_key(1, &n.to_string())).unwrap().is_some(),
                "{n} is lost"
            );
        }
        let all = PageLimit {
            records: usize::MAX,
            bytes: usize::MAX,
        };
        let page = wait(store.page(1, Shelf::Live, 0, all)).unwrap();
        assert_eq!(page.records.len(), kept.len());
        assert_eq!(wait(store.counts(1)).unwrap().records, kept.len() as u64);
        assert_eq!(wait(store.check()).unwrap(), Vec::<String>::new());
    };
    agrees(&store);
    drop(store);
    // once there is room again, it goes on
    let store = SqliteStore::open(folder.path()).unwrap();
    agrees(&store);
    assert!(wait(store.write(create("room", 2000))).is_ok());
}

#[test]
fn a_decision_that_finds_the_disk_full_leaves_the_catalog_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let store = limited(folder.path(), 20);
    let before = store.catalog();
    let decision = |_: &_| {
        let stored = store::catalog::Setting {
            id: "s".to_owned(),
            value: "n".repeat(1 << 20),
        };
        Ok(CatalogWrite {
            put: vec![stored.into()],
            ..CatalogWrite::default()
        })
    };
    let failed = wait(store.decide(Box::new(decision))).unwrap_err();
    assert!(is_full(&failed), "{failed:?}");
    assert!(
        Arc::ptr_eq(&store.catalog(), &before),
        "readers never saw it"
    );
}
