//! Files that go from under a store, and stores whose database is gone: nothing is acknowledged that is in no
//! store, and nothing is begun anew unless that is asked for.

use super::{dataset, open};
use crate::engines::{folder, try_wait, wait};
use crate::test_dataset::{TestDataset, content};
use runtime::store::records::WriteVerdict;
use runtime::store::sqlite::{SqliteOptions, SqliteStore};
use runtime::store::{Records as _, StoreError};
use std::fs;
use std::path::Path;

/// Tries to write a record.
fn offer(dataset: &TestDataset, key: &str) -> Result<WriteVerdict, StoreError> {
    let change = TestDataset::creation(content(key, ""));
    try_wait(dataset.store.write(dataset.write(change)))
}

#[track_caller]
fn is_refused(written: Result<WriteVerdict, StoreError>, name: &str) {
    match written {
        Err(error @ StoreError::Replaced(_)) => assert!(error.to_string().contains(name)),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn a_write_into_a_file_that_was_replaced_is_not_acknowledged() {
    let folder = folder();
    let dataset = dataset(folder.path());
    let kept = dataset.create("A");
    for name in ["fieldstone.db", "fieldstone.db-wal", "fieldstone.db-shm"] {
        let (path, aside) = (folder.path().join(name), folder.path().join("aside"));
        fs::rename(&path, &aside).expect("moved");
        is_refused(offer(&dataset, "lost"), name);
        fs::copy(&aside, &path).expect("copied");
        is_refused(offer(&dataset, "lost"), name);
        assert_eq!(dataset.by_key("A").expect("it reads on").id, kept);
        // with the very file, it goes on
        fs::rename(&aside, &path).expect("put back");
        assert!(offer(&dataset, name).is_ok());
    }
    assert_eq!(dataset.counts(), (4, 0), "nothing of what was refused");
    dataset.is_sound();
}

#[test]
fn a_write_into_a_folder_that_was_moved_or_removed_is_not_acknowledged() {
    let folder = folder();
    let (data, aside) = (folder.path().join("data"), folder.path().join("aside"));
    let first = dataset(&data);
    first.create("A");
    fs::rename(&data, &aside).expect("moved");
    is_refused(offer(&first, "B"), "fieldstone.db");
    // whoever comes now has a folder of its own
    let second = dataset(&data);
    second.create("C");
    is_refused(offer(&first, "B"), "fieldstone.db");
    assert_eq!(second.counts(), (1, 0));
    drop(first);
    fs::remove_dir_all(&data).expect("removed");
    is_refused(offer(&second, "D"), "fieldstone.db");
    drop(second);
    let again = dataset(&aside);
    assert_eq!(again.counts(), (1, 0));
    again.is_sound();
}

#[test]
fn a_folder_stays_locked_when_its_lock_file_is_gone() {
    let folder = folder();
    let store = open(folder.path());
    fs::remove_file(folder.path().join("fieldstone.lock")).expect("removed");
    match SqliteStore::open(folder.path()) {
        Err(StoreError::InUse(named)) => assert_eq!(named, folder.path().display().to_string()),
        other => panic!("{other:?}"),
    }
    assert_eq!(wait(store.log_head()), 0);
}

fn is_lost(folder: &Path, words: &str) {
    let names = || {
        let mut names: Vec<_> = fs::read_dir(folder)
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        names.sort();
        names
    };
    let before = names();
    for refused in [
        SqliteStore::open(folder).map(drop),
        SqliteStore::check_folder(folder).map(drop),
        SqliteStore::is_in(folder).map(drop),
    ] {
        match refused {
            Err(error @ StoreError::Lost { .. }) => {
                let message = error.to_string();
                assert!(
                    message.contains(words) && message.contains("--create"),
                    "{message}"
                );
            }
            other => panic!("{words}: {other:?}"),
        }
    }
    assert_eq!(names(), before, "nothing is made");
}

#[test]
fn a_folder_that_lost_its_database_is_refused_until_told_to_begin_anew() {
    let folder = folder();
    dataset(folder.path()).create("A");
    let file = folder.path().join("fieldstone.db");
    let sound = fs::read(&file).expect("the file");
    fs::write(&file, "").expect("emptied");
    is_lost(folder.path(), "an empty fieldstone.db");
    fs::remove_file(&file).expect("removed");
    is_lost(folder.path(), "fieldstone.lock and no fieldstone.db");
    fs::write(folder.path().join("search.db"), "x").expect("written");
    is_lost(folder.path(), "search.db and no fieldstone.db");
    // the database comes back
    fs::write(&file, &sound).expect("restored");
    assert_eq!(dataset(folder.path()).counts(), (1, 0));
    fs::remove_file(&file).expect("removed");
    let options = SqliteOptions {
        create: true,
        ..SqliteOptions::default()
    };
    let store = SqliteStore::open_with(folder.path(), options).expect("begun anew");
    assert_eq!(wait(store.log_head()), 0);
}
