//! Bits that turn on the disk: what is read is what was written, or an error that names the row.

use super::{dataset, file};
use crate::engines::{folder, try_wait};
use crate::test_dataset::{TestDataset, content};
use runtime::store::records::{
    Change, LogEntry, PageLimit, RecordPlace, RecordsPage, Shelf, StoredRecord, WriteVerdict,
};
use runtime::store::sqlite::SqliteStore;
use runtime::store::{Records as _, RottenRow, StoreError};
use std::path::Path;
use tests::seeded_rng::SeededRng;

const ALL: PageLimit = PageLimit {
    records: usize::MAX,
    bytes: usize::MAX,
};

/// Records with a past, one of them deleted.
fn filled(folder: &Path, count: usize) {
    let dataset = dataset(folder);
    for n in 0..count {
        let id = dataset.create(&format!("K{n}"));
        dataset.update(
            id,
            0,
            content(&format!("K{n}"), &"text ".repeat(n * 7 % 60)),
        );
        if n == 3 {
            dataset.delete(id, 1);
        }
    }
}

fn place(sequence: u64) -> RecordPlace {
    RecordPlace {
        dataset: 1,
        sequence,
    }
}

fn page(dataset: &TestDataset, after: u64) -> Result<RecordsPage, StoreError> {
    try_wait(dataset.store.page(1, Shelf::Live, after, ALL))
}

fn is_rotten<T: std::fmt::Debug>(read: &Result<T, StoreError>, sequence: u64) -> bool {
    match read {
        Err(StoreError::Rotten(RottenRow::Record(id))) => id.place == place(sequence),
        _ => false,
    }
}

#[test]
fn a_deleted_record_is_listed_though_the_entry_of_its_deletion_is_not_as_it_was() {
    let folder = folder();
    filled(folder.path(), 5);
    let sql =
        "UPDATE change_log SET actor = replace(actor, 'key-1', 'key-2') WHERE action = 'delete'";
    assert_eq!(file(folder.path()).execute(sql, []).expect("an entry"), 1);
    assert_eq!(dataset(folder.path()).deletions(ALL), [None]);
}

/// What happens to the second of five records when a column of its row is another.
fn check_record(change: &str) {
    let folder = folder();
    filled(folder.path(), 5);
    let sql = format!("UPDATE records SET {change} WHERE primary_key = 'K1'");
    assert_eq!(file(folder.path()).execute(&sql, []).expect(change), 1);
    let dataset = dataset(folder.path());
    let read = try_wait(dataset.store.get(place(2)));
    assert!(is_rotten(&read, 2), "{change}: {read:?}");
    let read = try_wait(dataset.store.by_key(1, "K1"));
    let is_lost = change.contains("deleted") || change.contains("primary_key");
    assert!(is_rotten(&read, 2) || is_lost, "{change}: {read:?}");
    // a page ends before it, the next one fails, and behind it all is well
    let first = page(&dataset, 0).expect("the records before");
    assert_eq!(
        (first.records.len(), first.behind),
        (1, Some(2)),
        "{change}"
    );
    assert!(is_rotten(&page(&dataset, 1), 2), "{change}");
    assert_eq!(page(&dataset, 2).expect("those behind").records.len(), 2);
    let written = TestDataset::creation(content("K9", ""));
    assert!(try_wait(dataset.store.write(dataset.write(written))).is_ok());
    let found = try_wait(dataset.store.check()).expect("checked").join("\n");
    let named = format!("the record at place {}", (1u64 << 40) + 2);
    assert!(found.contains(&named), "{change}: {found}");
}

#[test]
fn a_record_that_is_not_as_it_was_written_is_an_error_that_names_it() {
    for change in [
        "body = replace(body, 't', 'u')",
        "body = substr(body, 1, 5)",
        "body = CAST(x'7bff7d' AS TEXT)",
        "version = version + 1",
        "nonce = nonce + 1",
        "schema_version = 7",
        "deleted = 1",
        "last_change = 1",
        "primary_key = 'K7'",
        "errors = '[1]'",
        "hidden = '{}'",
        "checksum = checksum + 1",
    ] {
        check_record(change);
    }
}

#[test]
fn nothing_is_written_over_a_record_that_is_not_as_it_was_written() {
    let folder = folder();
    filled(folder.path(), 2);
    let id = dataset(folder.path())
        .get(place(1))
        .expect("it is there")
        .id;
    let file = file(folder.path());
    file.execute(
        "UPDATE records SET body = '{}' WHERE primary_key = 'K0'",
        [],
    )
    .expect("spoiled");
    let dataset = dataset(folder.path());
    for change in [
        Change::Update {
            id,
            version: 1,
            content: content("K0", "new"),
        },
        Change::Delete { id, version: 1 },
    ] {
        let written = try_wait(dataset.store.write(dataset.write(change)));
        assert!(is_rotten(&written, 1), "{written:?}");
    }
}

#[test]
fn a_deleted_record_that_is_not_as_it_was_written_is_purged_and_none_that_a_turned_bit_marks_so() {
    let folder = folder();
    filled(folder.path(), 5);
    let [live, gone] = {
        let dataset = dataset(folder.path());
        [2, 4].map(|sequence| dataset.get(place(sequence)).expect("it is there").id)
    };
    let file = file(folder.path());
    for spoil in [
        "UPDATE records SET deleted = 1 WHERE primary_key = 'K1'",
        "UPDATE records SET body = replace(body, 't', 'u') WHERE primary_key = 'K3'",
    ] {
        assert_eq!(file.execute(spoil, []).expect(spoil), 1);
    }
    let dataset = dataset(folder.path());
    let purge = |id| try_wait(dataset.store.write(dataset.write(Change::Purge { id })));
    let purged = purge(live);
    assert!(is_rotten(&purged, 2), "{purged:?}");
    let purged = purge(gone);
    assert!(
        matches!(purged, Ok(WriteVerdict::Done { .. })),
        "{purged:?}"
    );
    assert_eq!(dataset.get(gone.place), None);
    let log = try_wait(dataset.store.log_records(0, 99)).expect("the log");
    let of_it = log.iter().filter(|(_, id)| *id == gone);
    assert_eq!(of_it.count(), 1, "that it was purged");
}

#[test]
fn an_entry_of_the_log_that_is_not_as_it_was_written_is_an_error_that_names_it() {
    let folder = folder();
    filled(folder.path(), 5);
    for (change, back) in [
        ("at = at + 1", "at = at - 1"),
        (
            "actor = replace(actor, 'N', 'M')",
            "actor = replace(actor, 'M', 'N')",
        ),
        ("prior = 9", "prior = NULL"),
        ("action = 'restore'", "action = 'create'"),
        ("action = 'other'", "action = 'create'"),
    ] {
        let alter = |change: &str| {
            let sql = format!("UPDATE change_log SET {change} WHERE number = 3");
            file(folder.path()).execute(&sql, []).expect("spoiled");
        };
        alter(change);
        let dataset = dataset(folder.path());
        let log = |after| try_wait(dataset.store.log(after, ALL));
        let before: Vec<LogEntry> = log(0).expect("the entries before");
        assert_eq!(before.len(), 2, "{change}");
        match log(2) {
            Err(StoreError::Rotten(RottenRow::Entry { number: 3, id })) => {
                assert_eq!(id.place, place(2));
            }
            other => panic!("{change}: {other:?}"),
        }
        assert!(log(3).expect("those behind").len() > 5);
        let found = try_wait(dataset.store.check()).expect("checked").join("\n");
        assert!(found.contains("entry 3 of the change log"), "{found}");
        alter(back);
    }
    dataset(folder.path()).is_sound();
}

/// What a store gives of each record by its place and by its key, and in pages.
fn everything(store: &SqliteStore, count: u64) -> Vec<Result<Option<StoredRecord>, StoreError>> {
    let mut read = Vec::new();
    for sequence in 1..=count {
        read.push(try_wait(store.get(place(sequence))));
        read.push(try_wait(store.by_key(1, &format!("K{}", sequence - 1))));
        let page = try_wait(store.page(1, Shelf::Live, sequence - 1, PageLimit::of(1)));
        read.push(page.map(|page| page.records.into_iter().next()));
    }
    read
}

#[test]
fn whichever_bit_turns_what_is_read_was_written_or_is_an_error() {
    const COUNT: u64 = 40;
    let folder = folder();
    filled(folder.path(), 40);
    let meant = everything(&super::open(folder.path()), COUNT);
    let path = folder.path().join("fieldstone.db");
    let sound = std::fs::read(&path).expect("the file");
    let known: Vec<&StoredRecord> = meant.iter().flatten().flatten().collect();
    let mut rng = SeededRng(5);
    let mut errors = 0;
    for _ in 0..400 {
        let mut bytes = sound.clone();
        let at = rng.below(bytes.len() * 8);
        bytes[at / 8] ^= 1 << (at % 8);
        std::fs::write(&path, &bytes).expect("written");
        let Ok(store) = SqliteStore::open(folder.path()) else {
            continue;
        };
        for (index, (read, meant)) in everything(&store, COUNT).iter().zip(&meant).enumerate() {
            let meant = meant.as_ref().expect("it was sound");
            let Ok(read) = read else {
                errors += 1;
                continue;
            };
            if read == meant {
                continue;
            }
            // a page of a tree that leads elsewhere: the check tells that something is missing, and what is
            // there is as it was written
            assert!(
                read.as_ref().is_none_or(|read| known.contains(&read)),
                "bit {at}: {read:?} is not {meant:?}"
            );
            let found = SqliteStore::check_folder(folder.path());
            let is_told = found.as_ref().map_or(true, |found| !found.is_empty());
            assert!(
                is_told,
                "bit {at}: {index} is missing, and the check is silent"
            );
        }
    }
    assert!(errors > 20, "{errors}");
}
