//! What is known of uploaded files: it never changes, and a file goes only once it was condemned and
//! stayed so.

use crate::engines::{Store, StoreFolder, each, try_wait, wait};
use crate::nouns::at;
use runtime::store::files::{FileRow, StoredFile};
use std::sync::Arc;
use std::thread;

/// A file that was uploaded to the dataset `d`, so many seconds after the beginning.
pub(crate) fn file(id: &str, seconds: i64) -> StoredFile {
    StoredFile {
        id: id.to_owned(),
        dataset: "d".to_owned(),
        name: "Plan \"B\"\n№ 1.png".to_owned(),
        media_type: "image/png".to_owned(),
        size: u64::MAX,
        width: Some(640),
        height: None,
        sha256: "0f".repeat(32),
        created_at: at(seconds),
    }
}

fn kept(file: StoredFile) -> FileRow {
    FileRow {
        file,
        condemned_at: None,
    }
}

/// A store with files a, b and c, uploaded a second after one another.
fn with_three(folder: &StoreFolder) -> Arc<dyn Store> {
    let store = folder.open();
    for (seconds, id) in ["a", "b", "c"].into_iter().enumerate() {
        let seconds = i64::try_from(seconds).expect("few");
        wait(store.put_file(file(id, seconds)));
    }
    store
}

/// Condemns files of the dataset `d`.
pub(crate) fn condemn(store: &Arc<dyn Store>, ids: &[&str], seconds: i64) {
    let ids = ids.iter().map(|id| (*id).to_owned()).collect();
    wait(store.condemn_files("d", ids, at(seconds)));
}

fn condemned_at(store: &Arc<dyn Store>, id: &str) -> Option<runtime::value::Timestamp> {
    wait(store.file(id)).expect("it is there").condemned_at
}

#[test]
fn a_file_is_found_as_it_was_put() {
    each(|folder| {
        let store = folder.open();
        assert_eq!(wait(store.file("a")), None);
        let bare = StoredFile {
            name: String::new(),
            size: 0,
            width: None,
            ..file("b", 0)
        };
        for file in [file("a", 0), bare] {
            wait(store.put_file(file.clone()));
            assert_eq!(wait(store.file(&file.id)), Some(kept(file)));
        }
        for other in ["", "A", "a ", "%", "'"] {
            assert_eq!(wait(store.file(other)), None, "{other:?}");
        }
    });
}

#[test]
fn several_files_are_found_at_once_without_those_that_are_not_there() {
    each(|folder| {
        let store = with_three(folder);
        condemn(&store, &["c"], 5);
        let found = |ids: &[&str]| {
            let ids = ids.iter().map(|id| (*id).to_owned()).collect();
            let mut rows = wait(store.files_of(ids));
            rows.sort_by(|one, other| one.file.id.cmp(&other.file.id));
            rows
        };
        let condemned = FileRow {
            condemned_at: Some(at(5)),
            ..kept(file("c", 2))
        };
        assert_eq!(
            found(&["c", "none", "'", "a", "a"]),
            [kept(file("a", 0)), condemned]
        );
        assert!(found(&["none"]).is_empty() && found(&[]).is_empty());
    });
}

#[test]
fn the_bytes_of_several_datasets_are_summed_up_at_once() {
    each(|folder| {
        let store = folder.open();
        for (id, dataset, size) in [
            ("a", "d", 1),
            ("b", "d", 20),
            ("c", "e", 300),
            ("x", "f", 4000),
        ] {
            wait(store.put_file(StoredFile {
                dataset: dataset.to_owned(),
                size,
                ..file(id, 0)
            }));
        }
        let bytes = |datasets: &[&str]| {
            let datasets = datasets.iter().map(|it| (*it).to_owned()).collect();
            wait(store.file_bytes(datasets))
        };
        assert_eq!(bytes(&["d", "e", "e", "none", "'"]), 321);
        assert_eq!(bytes(&["f"]), 4000);
        assert_eq!((bytes(&["none"]), bytes(&[])), (0, 0));
    });
}

#[test]
fn a_file_never_changes() {
    each(|folder| {
        let store = with_three(folder);
        let other = StoredFile {
            name: "another".to_owned(),
            ..file("a", 9)
        };
        assert!(try_wait(store.put_file(other)).is_err());
        assert_eq!(wait(store.file("a")), Some(kept(file("a", 0))));
    });
}

#[test]
fn doubtful_files_of_a_dataset_are_those_before_a_moment_and_all_condemned_ones() {
    each(|folder| {
        let store = with_three(folder);
        let elsewhere = StoredFile {
            dataset: "e".to_owned(),
            ..file("x", 0)
        };
        wait(store.put_file(elsewhere.clone()));
        condemn(&store, &["c"], 5);
        let ids = |dataset: &str, seconds| {
            let found = wait(store.doubtful_files(dataset, at(seconds)));
            let mut ids: Vec<String> = found.into_iter().map(|row| row.file.id).collect();
            ids.sort();
            ids
        };
        assert_eq!(ids("d", 0), ["c"], "the moment itself is not before it");
        assert_eq!(ids("d", 1), ["a", "c"], "a condemned one is young");
        assert_eq!(ids("d", 2), ["a", "b", "c"]);
        assert_eq!(ids("d", 99), ["a", "b", "c"]);
        assert_eq!(ids("none", 99), [""; 0]);
        assert_eq!(
            wait(store.doubtful_files("e", at(99))),
            [kept(elsewhere)],
            "as they were put"
        );
    });
}

#[test]
fn a_condemned_file_can_be_spared_again() {
    each(|folder| {
        let store = with_three(folder);
        condemn(&store, &["a", "none", "c"], 10);
        let states = || ["a", "b", "c"].map(|id| condemned_at(&store, id));
        assert_eq!(states(), [Some(at(10)), None, Some(at(10))]);
        assert!(wait(store.reprieve_file("a")));
        assert!(!wait(store.reprieve_file("none")), "it is not there");
        condemn(&store, &["b", "c"], 20);
        assert_eq!(states(), [None, Some(at(20)), Some(at(20))]);
        condemn(&store, &[], 30);
        assert_eq!(states(), [None, Some(at(20)), Some(at(20))]);
        assert_eq!(wait(store.file("none")), None, "nothing came to be");
    });
}

#[test]
fn a_file_of_another_dataset_is_not_condemned_by_who_knows_its_id() {
    each(|folder| {
        let store = with_three(folder);
        wait(store.condemn_files("e", vec!["a".to_owned()], at(10)));
        assert_eq!(condemned_at(&store, "a"), None);
        condemn(&store, &["a"], 20);
        assert_eq!(condemned_at(&store, "a"), Some(at(20)));
    });
}

#[test]
fn only_what_was_condemned_before_a_moment_is_removed() {
    each(|folder| {
        let store = with_three(folder);
        let remove = |id: &str, seconds| wait(store.remove_file(id, at(seconds)));
        assert!(!remove("a", 99), "it was not condemned");
        condemn(&store, &["a", "b"], 10);
        assert!(!remove("a", 10), "the moment itself is not before it");
        assert!(!remove("none", 99));
        assert!(remove("a", 11));
        assert_eq!(wait(store.file("a")), None);
        assert!(!remove("a", 99), "it goes once");
        assert!(!wait(store.reprieve_file("a")), "it is gone");
        assert!(wait(store.reprieve_file("b")));
        assert!(!remove("b", 99), "it was spared");
        assert!(wait(store.reprieve_file("c")), "nobody had condemned it");
        for (id, seconds) in [("b", 1), ("c", 2)] {
            assert_eq!(wait(store.file(id)), Some(kept(file(id, seconds))));
        }
        // an id that is free again is another file's
        wait(store.put_file(file("a", 50)));
        assert_eq!(wait(store.file("a")), Some(kept(file("a", 50))));
    });
}

#[test]
fn files_are_there_after_the_store_is_opened_again() {
    each(|folder| {
        let store = with_three(folder);
        condemn(&store, &["b"], 10);
        let before = wait(store.doubtful_files("d", at(99)));
        assert_eq!(before.len(), 3);
        drop(store);
        assert_eq!(wait(folder.open().doubtful_files("d", at(99))), before);
    });
}

#[test]
fn of_sparing_and_removing_at_once_one_happens() {
    each(|folder| {
        let store = folder.open();
        for round in 0..20 {
            let id = format!("f{round}");
            wait(store.put_file(file(&id, 0)));
            condemn(&store, &[&id], 10);
            let (spared, removed) = thread::scope(|scope| {
                let sparing = scope.spawn(|| wait(store.reprieve_file(&id)));
                let removing = scope.spawn(|| wait(store.remove_file(&id, at(99))));
                (
                    sparing.join().expect("no panic"),
                    removing.join().expect("no panic"),
                )
            });
            assert_ne!(spared, removed, "{id}: one of the two");
            let left = wait(store.file(&id));
            assert_eq!(left, (!removed).then(|| kept(file(&id, 0))), "{id}");
        }
    });
}
