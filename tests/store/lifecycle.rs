//! One record from its creation to its purge: versions, verdicts, and that a refused write leaves no
//! trace.

use crate::engines::{each, wait};
use crate::test_dataset::{TestDataset, content, done, faulty};
use runtime::store::records::{
    NewContent, RecordId, RecordPlace, Shelf, StoredRecord, WriteVerdict,
};

/// Does something that must change nothing: no record, no counter, no entry of the log.
fn nothing_changes(dataset: &TestDataset, refused: impl FnOnce() -> WriteVerdict) -> WriteVerdict {
    let everything = || {
        (
            dataset.walk(Shelf::Live, 100),
            dataset.walk(Shelf::Deleted, 100),
            dataset.counts(),
            wait(dataset.store.log_head()),
        )
    };
    let before = everything();
    let verdict = refused();
    assert_eq!(everything(), before, "after {verdict:?}");
    verdict
}

#[test]
fn a_created_record_is_read_by_its_place_and_by_its_key() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("HAM");
        assert_eq!((id.place.dataset, id.place.sequence), (1, 1));
        let record = StoredRecord {
            id,
            version: 0,
            schema_version: 1,
            body: content("HAM", "first").body,
            errors: None,
            hidden: None,
            deleted: false,
        };
        assert_eq!(dataset.get(id.place).as_ref(), Some(&record));
        assert_eq!(dataset.by_key("HAM").as_ref(), Some(&record));
        assert_eq!(dataset.page(Shelf::Live, 0, 10), [record]);
        assert_eq!(dataset.counts(), (1, 0));
        dataset.is_sound();
    });
}

#[test]
fn records_that_are_asked_for_together_come_as_each_alone_up_to_some_bytes() {
    each(|folder| {
        let dataset = folder.dataset();
        let ids: Vec<RecordId> = ["A", "B", "C"].map(|key| dataset.create(key)).to_vec();
        dataset.delete(ids[1], 0);
        let nowhere = RecordPlace {
            dataset: u32::MAX,
            sequence: 1,
        };
        let absent = RecordPlace {
            sequence: 99,
            ..ids[0].place
        };
        let places = [
            ids[2].place,
            nowhere,
            absent,
            ids[1].place,
            ids[0].place,
            ids[2].place,
        ];
        let found = |bytes_max| {
            let found = wait(dataset.store.get_some(&places, bytes_max));
            let found = found.into_iter().map(Result::unwrap);
            found.collect::<Vec<_>>()
        };
        assert_eq!(found(usize::MAX), places.map(|place| dataset.get(place)));
        assert_eq!(found(0).len(), 1, "one at least");
        let one = content("A", "first").body.len();
        assert_eq!(found(one + 1).len(), 4, "what is not there has no bytes");
        assert_eq!(wait(dataset.store.get_some(&[], 1)).len(), 0);
    });
}

#[test]
fn bodies_errors_and_hidden_values_come_back_byte_for_byte() {
    each(|folder| {
        let dataset = folder.dataset();
        let odd = NewContent {
            body: r#"{"a":1.50,"b":1e400,"c":"\u0001 \" ü 😀 e\u0301","d":-0,"d2":[ ]}"#.to_owned(),
            errors: Some(r#"[{"name":"ä","errors":"x; y"}]"#.to_owned()),
            hidden: Some(r#"{"f-9":"kept"}"#.to_owned()),
            primary_key: None,
            schema_version: 7,
        };
        let WriteVerdict::Done { id, .. } = dataset.offer(odd.clone()) else {
            panic!("it is created")
        };
        let found = dataset.get(id.place).expect("it is there");
        assert_eq!(found.body, odd.body);
        assert_eq!(found.errors, odd.errors);
        assert_eq!(found.hidden, odd.hidden);
        assert_eq!(found.schema_version, 7);
        assert_eq!(dataset.counts(), (1, 1));
    });
}

#[test]
fn an_update_replaces_everything_and_the_version_rises_by_one() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("A");
        let next = NewContent {
            schema_version: 2,
            hidden: Some(r#"{"f":1}"#.to_owned()),
            ..faulty("A")
        };
        assert_eq!(
            dataset.update(id, 0, next.clone()),
            WriteVerdict::Done { id, version: 1 }
        );
        let found = dataset.get(id.place).expect("it is there");
        assert_eq!((found.version, found.schema_version), (1, 2));
        assert_eq!(
            (found.body, found.errors, found.hidden),
            (next.body, next.errors, next.hidden)
        );
        assert_eq!(dataset.counts(), (1, 1));

        assert!(done(2)(dataset.update(id, 1, content("A", "clean"))));
        let found = dataset.get(id.place).expect("it is there");
        assert_eq!((found.errors, found.hidden), (None, None));
        assert_eq!(dataset.counts(), (1, 0));
        dataset.is_sound();
    });
}

#[test]
fn a_write_that_changes_nothing_still_makes_a_version() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("A");
        for version in 0..5 {
            assert!(done(version + 1)(dataset.update(
                id,
                version,
                content("A", "first")
            )));
        }
        assert_eq!(wait(dataset.store.log_head()), 6);
    });
}

#[test]
fn a_stale_version_writes_nothing_and_names_the_one_there_is() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("A");
        dataset.update(id, 0, content("A", "second"));
        for version in [0, 2, -1, i64::MIN, i64::MAX] {
            let stale = WriteVerdict::Stale { version: 1 };
            let update = || dataset.update(id, version, content("A", "lost"));
            assert_eq!(nothing_changes(&dataset, update), stale);
            assert_eq!(
                nothing_changes(&dataset, || dataset.delete(id, version)),
                stale
            );
        }
    });
}

#[test]
fn a_stale_version_is_told_before_a_taken_key() {
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("A");
        let b = dataset.create("B");
        let stale = WriteVerdict::Stale { version: 0 };
        let update = || dataset.update(b, 9, content("A", ""));
        assert_eq!(nothing_changes(&dataset, update), stale);
    });
}

#[test]
fn a_deleted_record_is_off_the_shelf_but_kept() {
    each(|folder| {
        let dataset = folder.dataset();
        let (a, b) = (dataset.create("A"), dataset.create("B"));
        assert_eq!(
            dataset.delete(a, 0),
            WriteVerdict::Done { id: a, version: 0 }
        );
        assert_eq!(dataset.by_key("A"), None);
        assert_eq!(dataset.live(), [b.place.sequence]);
        let kept = dataset.get(a.place).expect("it is kept");
        assert!(kept.deleted);
        assert_eq!(kept.body, content("A", "first").body);
        assert_eq!(dataset.page(Shelf::Deleted, 0, 10), [kept]);
        assert_eq!(dataset.counts(), (1, 0));
        dataset.is_sound();
    });
}

#[test]
fn what_is_deleted_cannot_be_deleted_or_updated_again() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("A");
        dataset.delete(id, 0);
        for version in [0, 1, 7] {
            let again = || dataset.delete(id, version);
            assert_eq!(nothing_changes(&dataset, again), WriteVerdict::NotFound);
            let update = || dataset.update(id, version, content("A", "late"));
            assert_eq!(nothing_changes(&dataset, update), WriteVerdict::NotFound);
        }
    });
}

#[test]
fn a_restored_record_is_back_with_its_values_and_a_new_version() {
    each(|folder| {
        let dataset = folder.dataset();
        let WriteVerdict::Done { id, .. } = dataset.offer(faulty("A")) else {
            panic!("it is created")
        };
        assert_eq!(dataset.counts(), (1, 1));
        dataset.delete(id, 0);
        assert_eq!(dataset.counts(), (0, 0));
        assert_eq!(dataset.restore(id), WriteVerdict::Done { id, version: 1 });
        let back = dataset.by_key("A").expect("it is back");
        assert_eq!((back.version, back.deleted), (1, false));
        assert_eq!(
            (back.body, back.errors),
            (faulty("A").body, faulty("A").errors)
        );
        assert_eq!(dataset.counts(), (1, 1));
        assert_eq!(dataset.page(Shelf::Deleted, 0, 10), []);
        // who still holds the version from before the deletion does not overwrite it unseen
        let stale = WriteVerdict::Stale { version: 1 };
        assert_eq!(dataset.update(id, 0, content("A", "late")), stale);
        dataset.is_sound();
    });
}

#[test]
fn only_what_is_deleted_can_be_restored_or_purged() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("A");
        assert_eq!(
            nothing_changes(&dataset, || dataset.restore(id)),
            WriteVerdict::NotFound
        );
        assert_eq!(
            nothing_changes(&dataset, || dataset.purge(id)),
            WriteVerdict::NotFound
        );
    });
}

#[test]
fn a_purged_record_is_gone_for_good_and_its_place_is_not_used_again() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("A");
        dataset.update(id, 0, content("A", "secret"));
        dataset.delete(id, 1);
        assert!(done(1)(dataset.purge(id)));
        assert_eq!(dataset.get(id.place), None);
        assert_eq!(dataset.page(Shelf::Deleted, 0, 10), []);
        for verdict in [
            dataset.restore(id),
            dataset.purge(id),
            dataset.delete(id, 1),
            dataset.update(id, 1, content("A", "")),
        ] {
            assert_eq!(verdict, WriteVerdict::NotFound);
        }
        assert_eq!(dataset.create("A").place.sequence, 2);
        dataset.is_sound();
    });
}

#[test]
fn an_id_with_another_nonce_is_no_record() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("A");
        let gone = dataset.create("B");
        dataset.delete(gone, 0);
        let guess = |id: RecordId| RecordId {
            nonce: id.nonce ^ 1,
            ..id
        };
        let refused: [&dyn Fn() -> WriteVerdict; 4] = [
            &|| dataset.update(guess(id), 0, content("A", "")),
            &|| dataset.delete(guess(id), 0),
            &|| dataset.restore(guess(gone)),
            &|| dataset.purge(guess(gone)),
        ];
        for refused in refused {
            assert_eq!(nothing_changes(&dataset, refused), WriteVerdict::NotFound);
        }
    });
}

#[test]
fn a_record_cannot_be_written_through_another_dataset() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("A");
        let gone = dataset.create("B");
        dataset.delete(gone, 0);
        let foreign = dataset.beside(2);
        foreign.create("A");
        let refused: [&dyn Fn() -> WriteVerdict; 4] = [
            &|| foreign.update(id, 0, content("X", "")),
            &|| foreign.delete(id, 0),
            &|| foreign.restore(gone),
            &|| foreign.purge(gone),
        ];
        for refused in refused {
            assert_eq!(nothing_changes(&dataset, refused), WriteVerdict::NotFound);
        }
        assert_eq!(foreign.counts(), (1, 0));
    });
}

#[test]
fn places_that_cannot_be_are_empty_and_take_no_record() {
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("A");
        dataset.beside(2).create("A");
        let datasets = [0, 1, 2, 3, 1 << 23, (1 << 23) + 1, 1 << 24, u32::MAX];
        let sequences = [0, 2, 1 << 40, (1 << 40) + 1, 1 << 41, 1 << 63, u64::MAX];
        for number in datasets {
            let there = dataset.beside(number);
            for sequence in sequences {
                let place = RecordPlace {
                    dataset: number,
                    sequence,
                };
                assert_eq!(dataset.get(place), None, "{place:?}");
                let id = RecordId { place, nonce: 0 };
                assert_eq!(there.delete(id, 0), WriteVerdict::NotFound);
                let behind = there.page(Shelf::Live, sequence, 10);
                assert!(
                    sequence == 0 || behind.is_empty(),
                    "{place:?} has {behind:?}"
                );
            }
        }
        for number in [1 << 23, 1 << 24, u32::MAX] {
            let there = dataset.beside(number);
            let error = there.try_offer(content("A", "")).unwrap_err();
            assert!(error.to_string().contains(&number.to_string()), "{error}");
            assert_eq!(there.counts(), (0, 0));
            assert_eq!(there.by_key("A"), None);
        }
        let last = dataset.beside((1 << 23) - 1);
        last.create("A");
        assert_eq!(last.live(), [1]);
        assert_eq!(dataset.live(), [1]);
        dataset.is_sound();
    });
}
