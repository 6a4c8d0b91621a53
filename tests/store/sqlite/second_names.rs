//! A database that is one file with another name, as `cp -al` and `rsync --link-dest` make it: who would write it is refused, and
//! who reads it is not, as long as nobody has it.

use super::{dataset, open};
use crate::engines::folder;
use crate::test_dataset::TestDataset;
use runtime::store::StoreError;
use runtime::store::sqlite::{Access, SqliteOptions, SqliteStore};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Takes a folder to write it, in all ways.
fn to_write(folder: &Path) -> [Result<(), StoreError>; 3] {
    let create = SqliteOptions {
        create: true,
        ..SqliteOptions::default()
    };
    [
        SqliteStore::open(folder).map(drop),
        SqliteStore::open_with(folder, create).map(drop),
        SqliteStore::compact_folder(folder).map(drop),
    ]
}

/// Looks into a folder, in all ways.
fn to_read(folder: &Path) -> [Result<(), StoreError>; 4] {
    let read = SqliteOptions {
        access: Access::Read,
        ..SqliteOptions::default()
    };
    [
        SqliteStore::check_folder(folder).map(drop),
        SqliteStore::is_in(folder).map(drop),
        SqliteStore::backup_copy_of(folder, None).map(drop),
        SqliteStore::open_with(folder, read).map(drop),
    ]
}

#[test]
fn a_database_or_a_log_with_a_second_name_is_refused_to_who_writes_and_read_where_it_lies_still() {
    let folder = folder();
    let (real, other) = (folder.path().join("real"), folder.path().join("other"));
    let store = open(&real);
    // so that its log has something
    TestDataset::new(store.clone(), 1).create("A");
    fs::create_dir(&other).expect("a folder");
    let refused = |folder: &Path, file: &str, tried: &[Result<(), StoreError>]| {
        for refused in tried {
            match refused {
                Err(StoreError::SecondName(named)) => {
                    assert_eq!(*named, folder.join(file).display().to_string());
                }
                refused => panic!("{refused:?}"),
            }
        }
    };
    let linked = |file: &str| {
        let (there, here) = (real.join(file), other.join(file));
        fs::hard_link(there, here).expect("a second name");
    };
    // beside the one that has it
    linked("fieldstone.db-wal");
    fs::copy(real.join("fieldstone.db"), other.join("fieldstone.db")).expect("a copy");
    refused(&other, "fieldstone.db-wal", &to_write(&other));
    refused(&other, "fieldstone.db-wal", &to_read(&other));
    fs::remove_dir_all(&other).expect("it goes");
    fs::create_dir(&other).expect("a folder");
    linked("fieldstone.db");
    refused(&other, "fieldstone.db", &to_write(&other));
    refused(&real, "fieldstone.db", &to_read(&real));
    // and behind
    Arc::into_inner(store).expect("the only one").close();
    for folder in [&other, &real] {
        refused(folder, "fieldstone.db", &to_write(folder));
        for found in to_read(folder) {
            found.expect("nobody writes it");
        }
        let found = SqliteStore::check_folder(folder).expect("it can be read");
        assert_eq!(found, Vec::<String>::new());
    }
    assert!(!other.join("fieldstone.lock").exists(), "nothing is made");
    fs::remove_file(other.join("fieldstone.db")).expect("it goes");
    assert_eq!(dataset(&real).counts(), (1, 0));
}
