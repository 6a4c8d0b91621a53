//! One record from its creation to its purge: versions, verdicts, and that a refused write leaves no
//! trace.

use crate::desk::{Desk, content, done, faulty};
use crate::engines::{each, wait};
use runtime::store::records::{
    NewContent, RecordId, RecordPlace, Shelf, StoredRecord, WriteVerdict,
};

/// Does something that must change nothing: no record, no counter, no entry of the log.
fn nothing_changes(desk: &Desk, refused: impl FnOnce() -> WriteVerdict) -> WriteVerdict {
    let everything = || {
        (
            desk.walk(Shelf::Live, 100),
            desk.walk(Shelf::Deleted, 100),
            desk.counts(),
            wait(desk.store.log_head()),
        )
    };
    let before = everything();
    let verdict = refused();
    assert_eq!(everything(), before, "after {verdict:?}");
    verdict
}

#[test]
fn a_created_record_is_read_by_its_place_and_by_its_key() {
    each(|house| {
        let desk = house.desk();
        let id = desk.create("HAM");
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
        assert_eq!(desk.get(id.place).as_ref(), Some(&record));
        assert_eq!(desk.by_key("HAM").as_ref(), Some(&record));
        assert_eq!(desk.page(Shelf::Live, 0, 10), [record]);
        assert_eq!(desk.counts(), (1, 0));
        desk.is_sound();
    });
}

#[test]
fn bodies_errors_and_hidden_values_come_back_byte_for_byte() {
    each(|house| {
        let desk = house.desk();
        let odd = NewContent {
            body: r#"{"a":1.50,"b":1e400,"c":"\u0001 \" ü 😀 e\u0301","d":-0,"d2":[ ]}"#.to_owned(),
            errors: Some(r#"[{"name":"ä","errors":"x; y"}]"#.to_owned()),
            hidden: Some(r#"{"f-9":"kept"}"#.to_owned()),
            primary_key: None,
            schema_version: 7,
        };
        let WriteVerdict::Done { id, .. } = desk.offer(odd.clone()) else {
            panic!("it is created")
        };
        let found = desk.get(id.place).expect("it is there");
        assert_eq!(found.body, odd.body);
        assert_eq!(found.errors, odd.errors);
        assert_eq!(found.hidden, odd.hidden);
        assert_eq!(found.schema_version, 7);
        assert_eq!(desk.counts(), (1, 1));
    });
}

#[test]
fn an_update_replaces_everything_and_the_version_rises_by_one() {
    each(|house| {
        let desk = house.desk();
        let id = desk.create("A");
        let next = NewContent {
            schema_version: 2,
            hidden: Some(r#"{"f":1}"#.to_owned()),
            ..faulty("A")
        };
        assert_eq!(
            desk.update(id, 0, next.clone()),
            WriteVerdict::Done { id, version: 1 }
        );
        let found = desk.get(id.place).expect("it is there");
        assert_eq!((found.version, found.schema_version), (1, 2));
        assert_eq!(
            (found.body, found.errors, found.hidden),
            (next.body, next.errors, next.hidden)
        );
        assert_eq!(desk.counts(), (1, 1));

        assert!(done(2)(desk.update(id, 1, content("A", "clean"))));
        let found = desk.get(id.place).expect("it is there");
        assert_eq!((found.errors, found.hidden), (None, None));
        assert_eq!(desk.counts(), (1, 0));
        desk.is_sound();
    });
}

#[test]
fn a_write_that_changes_nothing_still_makes_a_version() {
    each(|house| {
        let desk = house.desk();
        let id = desk.create("A");
        for version in 0..5 {
            assert!(done(version + 1)(desk.update(
                id,
                version,
                content("A", "first")
            )));
        }
        assert_eq!(wait(desk.store.log_head()), 6);
    });
}

#[test]
fn a_stale_version_writes_nothing_and_names_the_one_there_is() {
    each(|house| {
        let desk = house.desk();
        let id = desk.create("A");
        desk.update(id, 0, content("A", "second"));
        for version in [0, 2, -1, i64::MIN, i64::MAX] {
            let stale = WriteVerdict::Stale { version: 1 };
            let update = || desk.update(id, version, content("A", "lost"));
            assert_eq!(nothing_changes(&desk, update), stale);
            assert_eq!(nothing_changes(&desk, || desk.delete(id, version)), stale);
        }
    });
}

#[test]
fn a_stale_version_is_told_before_a_taken_key() {
    each(|house| {
        let desk = house.desk();
        desk.create("A");
        let b = desk.create("B");
        let stale = WriteVerdict::Stale { version: 0 };
        let update = || desk.update(b, 9, content("A", ""));
        assert_eq!(nothing_changes(&desk, update), stale);
    });
}

#[test]
fn a_deleted_record_is_off_the_shelf_but_kept() {
    each(|house| {
        let desk = house.desk();
        let (a, b) = (desk.create("A"), desk.create("B"));
        assert_eq!(desk.delete(a, 0), WriteVerdict::Done { id: a, version: 0 });
        assert_eq!(desk.by_key("A"), None);
        assert_eq!(desk.live(), [b.place.sequence]);
        let kept = desk.get(a.place).expect("it is kept");
        assert!(kept.deleted);
        assert_eq!(kept.body, content("A", "first").body);
        assert_eq!(desk.page(Shelf::Deleted, 0, 10), [kept]);
        assert_eq!(desk.counts(), (1, 0));
        desk.is_sound();
    });
}

#[test]
fn what_is_deleted_cannot_be_deleted_or_updated_again() {
    each(|house| {
        let desk = house.desk();
        let id = desk.create("A");
        desk.delete(id, 0);
        for version in [0, 1, 7] {
            let again = || desk.delete(id, version);
            assert_eq!(nothing_changes(&desk, again), WriteVerdict::NotFound);
            let update = || desk.update(id, version, content("A", "late"));
            assert_eq!(nothing_changes(&desk, update), WriteVerdict::NotFound);
        }
    });
}

#[test]
fn a_restored_record_is_back_with_its_values_and_a_new_version() {
    each(|house| {
        let desk = house.desk();
        let WriteVerdict::Done { id, .. } = desk.offer(faulty("A")) else {
            panic!("it is created")
        };
        assert_eq!(desk.counts(), (1, 1));
        desk.delete(id, 0);
        assert_eq!(desk.counts(), (0, 0));
        assert_eq!(desk.restore(id), WriteVerdict::Done { id, version: 1 });
        let back = desk.by_key("A").expect("it is back");
        assert_eq!((back.version, back.deleted), (1, false));
        assert_eq!(
            (back.body, back.errors),
            (faulty("A").body, faulty("A").errors)
        );
        assert_eq!(desk.counts(), (1, 1));
        assert_eq!(desk.page(Shelf::Deleted, 0, 10), []);
        // who still holds the version from before the deletion does not overwrite it unseen
        let stale = WriteVerdict::Stale { version: 1 };
        assert_eq!(desk.update(id, 0, content("A", "late")), stale);
        desk.is_sound();
    });
}

#[test]
fn only_what_is_deleted_can_be_restored_or_purged() {
    each(|house| {
        let desk = house.desk();
        let id = desk.create("A");
        assert_eq!(
            nothing_changes(&desk, || desk.restore(id)),
            WriteVerdict::NotFound
        );
        assert_eq!(
            nothing_changes(&desk, || desk.purge(id)),
            WriteVerdict::NotFound
        );
    });
}

#[test]
fn a_purged_record_is_gone_for_good_and_its_place_is_not_used_again() {
    each(|house| {
        let desk = house.desk();
        let id = desk.create("A");
        desk.update(id, 0, content("A", "secret"));
        desk.delete(id, 1);
        assert!(done(1)(desk.purge(id)));
        assert_eq!(desk.get(id.place), None);
        assert_eq!(desk.page(Shelf::Deleted, 0, 10), []);
        for verdict in [
            desk.restore(id),
            desk.purge(id),
            desk.delete(id, 1),
            desk.update(id, 1, content("A", "")),
        ] {
            assert_eq!(verdict, WriteVerdict::NotFound);
        }
        assert_eq!(desk.create("A").place.sequence, 2);
        desk.is_sound();
    });
}

#[test]
fn an_id_with_another_nonce_is_no_record() {
    each(|house| {
        let desk = house.desk();
        let id = desk.create("A");
        let gone = desk.create("B");
        desk.delete(gone, 0);
        let guess = |id: RecordId| RecordId {
            nonce: id.nonce ^ 1,
            ..id
        };
        let refused: [&dyn Fn() -> WriteVerdict; 4] = [
            &|| desk.update(guess(id), 0, content("A", "")),
            &|| desk.delete(guess(id), 0),
            &|| desk.restore(guess(gone)),
            &|| desk.purge(guess(gone)),
        ];
        for refused in refused {
            assert_eq!(nothing_changes(&desk, refused), WriteVerdict::NotFound);
        }
    });
}

#[test]
fn a_record_cannot_be_written_through_another_dataset() {
    each(|house| {
        let desk = house.desk();
        let id = desk.create("A");
        let gone = desk.create("B");
        desk.delete(gone, 0);
        let foreign = desk.beside(2);
        foreign.create("A");
        let refused: [&dyn Fn() -> WriteVerdict; 4] = [
            &|| foreign.update(id, 0, content("X", "")),
            &|| foreign.delete(id, 0),
            &|| foreign.restore(gone),
            &|| foreign.purge(gone),
        ];
        for refused in refused {
            assert_eq!(nothing_changes(&desk, refused), WriteVerdict::NotFound);
        }
        assert_eq!(foreign.counts(), (1, 0));
    });
}

#[test]
fn places_that_cannot_be_are_empty_and_take_no_record() {
    each(|house| {
        let desk = house.desk();
        desk.create("A");
        desk.beside(2).create("A");
        let datasets = [0, 1, 2, 3, 1 << 23, (1 << 23) + 1, 1 << 24, u32::MAX];
        let sequences = [0, 2, 1 << 40, (1 << 40) + 1, 1 << 41, 1 << 63, u64::MAX];
        for dataset in datasets {
            let there = desk.beside(dataset);
            for sequence in sequences {
                let place = RecordPlace { dataset, sequence };
                assert_eq!(desk.get(place), None, "{place:?}");
                let id = RecordId { place, nonce: 0 };
                assert_eq!(there.delete(id, 0), WriteVerdict::NotFound);
                let behind = there.page(Shelf::Live, sequence, 10);
                assert!(
                    sequence == 0 || behind.is_empty(),
                    "{place:?} has {behind:?}"
                );
            }
        }
        for dataset in [1 << 23, 1 << 24, u32::MAX] {
            let there = desk.beside(dataset);
            let error = there.try_offer(content("A", "")).unwrap_err();
            assert!(error.to_string().contains(&dataset.to_string()), "{error}");
            assert_eq!(there.counts(), (0, 0));
            assert_eq!(there.by_key("A"), None);
        }
        let last = desk.beside((1 << 23) - 1);
        last.create("A");
        assert_eq!(last.live(), [1]);
        assert_eq!(desk.live(), [1]);
        desk.is_sound();
    });
}
