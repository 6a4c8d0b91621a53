//! The data folder: one process has it, newer stores are left alone, a check may read beside.

use super::{dataset, file, open};
use crate::engines::{folder, wait};
use crate::test_dataset::{TestDataset, content};
use runtime::store::sqlite::{SqliteFolder, SqliteOptions, SqliteStore};
use runtime::store::{Records, StoreError};
use std::fs;
use std::sync::Arc;

#[test]
fn a_folder_that_is_open_is_not_opened_again_until_it_is_closed() {
    let folder = folder();
    let store = open(folder.path());
    match SqliteStore::open(folder.path()) {
        Err(StoreError::InUse(named)) => assert_eq!(named, folder.path().display().to_string()),
        other => panic!("{other:?}"),
    }
    assert_eq!(wait(store.log_head()), 0, "the first one goes on");
    Arc::into_inner(store).expect("the only one").close();
    open(folder.path());
}

#[cfg(unix)]
#[test]
fn a_database_that_is_a_link_is_refused_and_a_folder_that_is_one_is_not() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    let (real, other) = (folder.path().join("real"), folder.path().join("other"));
    let store = open(&real);
    fs::create_dir(&other).expect("a folder");
    let database = real.join("fieldstone.db");
    symlink(&database, other.join("fieldstone.db")).expect("a link");
    let linked = other.join("fieldstone.db").display().to_string();
    let create = SqliteOptions {
        create: true,
        ..SqliteOptions::default()
    };
    // beside the one that has it, and behind
    for held in [Some(store), None] {
        for refused in [
            SqliteStore::open(&other).map(drop),
            SqliteStore::open_with(&other, create).map(drop),
            SqliteStore::compact_folder(&other).map(drop),
            SqliteStore::check_folder(&other).map(drop),
            SqliteStore::is_in(&other).map(drop),
        ] {
            match refused {
                Err(StoreError::Linked(named)) => assert_eq!(named, linked),
                refused => panic!("{refused:?}"),
            }
        }
        drop(held);
    }
    assert!(other.join("fieldstone.db").is_symlink(), "it stays");
    assert!(!other.join("fieldstone.lock").exists(), "nothing is made");
    let whole = folder.path().join("whole");
    symlink(&real, &whole).expect("a link");
    let store = open(&whole);
    assert!(matches!(
        SqliteStore::open(&real),
        Err(StoreError::InUse(_))
    ));
    Arc::into_inner(store).expect("the only one").close();
    SqliteStore::compact_folder(&whole).expect("it is compacted");
    assert!(whole.is_symlink() && database.is_file());
}

#[test]
fn what_a_compaction_left_that_was_killed_goes_when_the_folder_is_opened_to_be_written() {
    let folder = folder();
    let path = folder.path();
    let left = [
        "fieldstone.db.new",
        "fieldstone.db.new-journal",
        "search.db.new",
        "search.db.new-journal",
    ]
    .map(|name| path.join(name));
    let there = || left.iter().filter(|left| left.exists()).count();
    let store = open(path);
    for left in &left {
        fs::write(left, "records").expect("written");
    }
    // they may be of who has the folder
    for refused in [
        SqliteStore::open(path).map(drop),
        SqliteStore::compact_folder(path).map(drop),
    ] {
        assert!(matches!(refused, Err(StoreError::InUse(_))), "{refused:?}");
    }
    Arc::into_inner(store).expect("the only one").close();
    SqliteStore::check_folder(path).expect("it is read");
    assert_eq!(there(), 4);
    drop(open(path));
    assert_eq!(there(), 0);
}

#[test]
fn folders_are_made_where_there_are_none() {
    let folder = folder();
    let deep = folder.path().join("a/b");
    dataset(&deep).create("A");
    assert_eq!(dataset(&deep).counts(), (1, 0));
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_made_is_its_users_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    let deep = folder.path().join("a");
    let open = SqliteFolder::open(&deep, SqliteOptions::default());
    let mode = |path: &std::path::Path| {
        let metadata = fs::metadata(path).expect("it is there");
        metadata.permissions().mode() & 0o777
    };
    assert_eq!(mode(&deep), 0o700);
    let mut files = 0;
    for entry in fs::read_dir(&deep).expect("the folder") {
        let path = entry.expect("an entry").path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        files += 1;
    }
    assert!(
        files >= 5,
        "both databases, their logs and the lock: {files}"
    );
    drop(open.expect("a folder"));
}

#[test]
fn a_closed_store_is_one_file_beside_its_lock() {
    let folder = folder();
    dataset(folder.path()).create("A");
    let names = fs::read_dir(folder.path()).expect("the folder");
    let mut names: Vec<_> = names
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["fieldstone.db", "fieldstone.lock"]);
}

#[test]
fn a_closed_store_has_finished_what_was_queued() {
    let folder = folder();
    let dataset = dataset(folder.path());
    for n in 0..1000 {
        let create = TestDataset::creation(content(&format!("K{n}"), ""));
        drop(dataset.store.write(dataset.write(create)));
    }
    drop(dataset);
    let dataset = super::dataset(folder.path());
    assert_eq!(dataset.counts(), (1000, 0));
    dataset.is_sound();
}

#[test]
fn a_newer_store_is_refused_and_left_as_it_is() {
    let folder = folder();
    dataset(folder.path()).create("A");
    let version: i64 = file(folder.path())
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .expect("a version");
    let become_version = |version: i64| {
        let file = file(folder.path());
        file.pragma_update(None, "user_version", version)
            .expect("written");
    };
    become_version(99);
    let before = fs::read(folder.path().join("fieldstone.db")).expect("the file");
    for refused in [
        SqliteStore::open(folder.path()).map(|_| ()),
        SqliteStore::check_folder(folder.path()).map(|_| ()),
    ] {
        match refused {
            Err(error @ StoreError::Newer { found: 99, known }) => {
                assert_eq!(known, version);
                assert!(error.to_string().contains("99"), "{error}");
            }
            other => panic!("{other:?}"),
        }
    }
    let after = fs::read(folder.path().join("fieldstone.db")).expect("the file");
    assert!(before == after, "not a byte is changed");
    become_version(version);
    assert_eq!(
        dataset(folder.path()).counts(),
        (1, 0),
        "the refusal let go of the folder"
    );
}

#[test]
fn a_check_reads_beside_a_store_that_is_running() {
    let folder = folder();
    let dataset = dataset(folder.path());
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for n in 0..200 {
                dataset.create(&n.to_string());
            }
        });
        while !writer.is_finished() {
            let found = SqliteStore::check_folder(folder.path()).expect("it reads");
            assert_eq!(found, Vec::<String>::new());
            assert_eq!(wait(dataset.store.check()), found);
        }
    });
    assert_eq!(dataset.counts(), (200, 0));
}

#[test]
fn a_check_of_a_closed_store_leaves_it_as_it_was() {
    let folder = folder();
    dataset(folder.path()).create("A");
    let found = SqliteStore::check_folder(folder.path()).expect("it reads");
    assert_eq!(found, Vec::<String>::new());
    dataset(folder.path()).is_sound();
}

#[test]
fn where_there_is_no_store_a_check_says_so_and_makes_none() {
    let folder = folder();
    for path in [folder.path().to_owned(), folder.path().join("absent")] {
        match SqliteStore::check_folder(&path) {
            Err(StoreError::Missing(named)) => assert_eq!(named, path.display().to_string()),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
}

#[test]
fn a_copy_that_a_killed_process_left_goes_when_the_store_is_opened() {
    let folder = folder();
    drop(open(folder.path()));
    let (left, other) = (folder.path().join("trial-x1"), folder.path().join("trial"));
    for folder in [&left, &other] {
        fs::create_dir(folder).expect("a folder");
        fs::write(folder.join("fieldstone.db"), "of before").expect("a file");
    }
    drop(open(folder.path()));
    assert!(!left.exists() && other.exists());
}
