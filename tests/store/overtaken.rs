//! Writes of records and decisions of the catalog in one order: a write is done only under what it was
//! judged under, and a decision comes into force only while what it requires of datasets is so.

use crate::engines::{Store, StoreFolder, each, wait};
use crate::nouns::{self, area, audit_entry, schema, tenant};
use crate::test_dataset::{TestDataset, content};
use runtime::store::catalog::{
    CatalogWrite, Dataset, DecisionError, Kind, Noun, NounKey, SchemaEntry,
};
use runtime::store::records::{
    Change, LogEntry, PageLimit, RecordId, RuleVersions, Shelf, Write, WriteVerdict,
};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tests::ends::Ends;

pub(crate) const CHANGED: WriteVerdict = WriteVerdict::SchemaChanged;

pub(crate) fn decide(store: &dyn Store, write: CatalogWrite) -> Result<(), DecisionError> {
    wait(store.decide(Box::new(move |_| Ok(write.clone())))).map(drop)
}

pub(crate) fn put(store: &dyn Store, noun: impl Into<Noun>) {
    let put = vec![noun.into()];
    let write = CatalogWrite {
        put,
        ..CatalogWrite::default()
    };
    decide(store, write).expect("nothing is against it");
}

/// The schema with so many versions.
fn versions(count: i64) -> SchemaEntry {
    schema("s", "no_primary_key", count)
}

/// The first dataset of a store whose catalog knows it, under version 1 of its schema.
fn known(folder: &StoreFolder) -> TestDataset {
    let dataset = folder.dataset();
    put(&*dataset.store, tenant("t"));
    put(&*dataset.store, area("a", "Area"));
    put(&*dataset.store, versions(1));
    put(&*dataset.store, nouns::dataset("d", "s", 1));
    dataset
}

impl TestDataset {
    /// A change that was judged under a version of the schema, which names no data domain.
    fn judged(&self, schema: i64, change: Change) -> WriteVerdict {
        self.judged_by(RuleVersions { schema, domains: 0 }, change)
    }

    /// A change that was judged by these rules.
    pub(crate) fn judged_by(&self, rules: RuleVersions, change: Change) -> WriteVerdict {
        wait(self.store.write(Write {
            judged_under: Some(rules),
            ..self.write(change)
        }))
    }

    /// What may not change: counters, log and every record.
    pub(crate) fn all(&self) -> impl PartialEq + std::fmt::Debug + use<> {
        let head = wait(self.store.log_head());
        let (live, deleted) = (self.walk(Shelf::Live, 9), self.walk(Shelf::Deleted, 9));
        (head, self.counts(), live, deleted)
    }
}

/// A live record, and a deleted one.
pub(crate) fn two(dataset: &TestDataset) -> (RecordId, RecordId) {
    let (live, deleted) = (dataset.create("live"), dataset.create("deleted"));
    dataset.delete(deleted, 0);
    (live, deleted)
}

pub(crate) fn update(id: RecordId, version: i64) -> Change {
    let content = content("live", "changed");
    Change::Update {
        id,
        version,
        content,
    }
}

#[test]
fn a_write_judged_under_another_version_than_the_one_in_force_is_not_done() {
    each(|folder| {
        let dataset = known(folder);
        let (live, deleted) = two(&dataset);
        put(&*dataset.store, versions(2));
        let before = dataset.all();
        let changes = || {
            [
                TestDataset::creation(content("new", "")),
                update(live, 0),
                Change::Restore { id: deleted },
            ]
        };
        for other in [1, 3] {
            for change in changes() {
                assert_eq!(dataset.judged(other, change), CHANGED);
            }
        }
        // told before anything about the record: it is judged anew anyway
        assert_eq!(dataset.judged(1, update(live, 7)), CHANGED);
        assert_eq!(dataset.all(), before);
        for change in changes() {
            let verdict = dataset.judged(2, change);
            assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
        }
        assert_eq!(dataset.counts(), (3, 0));
        dataset.is_sound();
    });
}

#[test]
fn deletes_and_purges_ask_for_no_version() {
    each(|folder| {
        let dataset = known(folder);
        let (live, deleted) = two(&dataset);
        put(&*dataset.store, versions(2));
        let delete = Change::Delete {
            id: live,
            version: 0,
        };
        for change in [delete, Change::Purge { id: deleted }] {
            let verdict = dataset.judged(1, change);
            assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
        }
    });
}

#[test]
fn nothing_is_written_to_a_dataset_that_is_gone_by_itself_or_with_what_holds_it() {
    each(|folder| {
        let dataset = known(folder);
        let (live, deleted) = two(&dataset);
        let gone: [Noun; 3] = [
            Dataset {
                deleted: true,
                ..nouns::dataset("d", "s", 1)
            }
            .into(),
            SchemaEntry {
                deleted: true,
                ..versions(1)
            }
            .into(),
            runtime::store::catalog::Area {
                deleted: true,
                ..area("a", "Area")
            }
            .into(),
        ];
        let there: [Noun; 3] = [
            nouns::dataset("d", "s", 1).into(),
            versions(1).into(),
            area("a", "Area").into(),
        ];
        let before = dataset.all();
        for (gone, there) in gone.into_iter().zip(there) {
            put(&*dataset.store, gone);
            let (id, version) = (live, 0);
            for change in [
                TestDataset::creation(content("new", "")),
                update(live, 0),
                Change::Delete { id, version },
                Change::Restore { id: deleted },
                Change::Purge { id: deleted },
            ] {
                assert_eq!(dataset.judged(1, change), CHANGED);
            }
            assert_eq!(dataset.all(), before);
            put(&*dataset.store, there);
        }
        let verdict = dataset.judged(1, update(live, 0));
        assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
    });
}

#[test]
fn a_dataset_is_known_by_its_number_after_a_restart_and_until_it_is_removed() {
    each(|folder| {
        drop(known(folder));
        let dataset = folder.dataset();
        let offer = |key| dataset.judged(1, TestDataset::creation(content(key, "")));
        assert!(matches!(offer("A"), WriteVerdict::Done { .. }));
        let stranger = dataset.beside(2);
        let creation = || TestDataset::creation(content("A", ""));
        assert_eq!(stranger.judged(1, creation()), CHANGED);
        // who compares nothing needs no catalog
        let verdict = stranger.change(creation());
        assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
        let (kind, id) = (Kind::Dataset, "d".to_owned());
        let removal = CatalogWrite {
            remove: vec![NounKey { kind, id }],
            ..CatalogWrite::default()
        };
        decide(&*dataset.store, removal).expect("nothing is against it");
        assert_eq!(offer("B"), CHANGED);
    });
}

#[test]
fn a_decision_that_requires_datasets_to_be_empty_waits_for_none_and_writes_nothing_over_a_record() {
    each(|folder| {
        let dataset = known(folder);
        let change = |require_empty: &[u32]| {
            let write = CatalogWrite {
                put: vec![versions(2).into()],
                audit: vec![audit_entry("t", "s")],
                require_empty: require_empty.to_vec(),
                ..CatalogWrite::default()
            };
            decide(&*dataset.store, write)
        };
        let is_as_it_was = || {
            assert_eq!(dataset.store.catalog().schemas["s"].current().number, 1);
            assert_eq!(wait(dataset.store.audit("t", None, PageLimit::of(9))), []);
        };
        let occupied = |dataset| Err(DecisionError::Occupied { dataset });
        let id = dataset.create("A");
        assert_eq!(change(&[1]), occupied(1));
        assert_eq!(change(&[7, 1]), occupied(1));
        is_as_it_was();
        dataset.delete(id, 0);
        dataset.beside(2).create("A");
        assert_eq!(change(&[1, 2]), occupied(2));
        dataset.restore(id);
        assert_eq!(change(&[1, 7]), occupied(1));
        is_as_it_was();
        dataset.delete(id, 1);
        assert_eq!(change(&[1, 7]), Ok(()));
        assert_eq!(dataset.store.catalog().schemas["s"].current().number, 2);
        assert_eq!(
            wait(dataset.store.audit("t", None, PageLimit::of(9))).len(),
            1
        );
    });
}

/// Creates a record under the version that the catalog has, and deletes it, again and again.
fn come_and_go(dataset: &TestDataset, racer: usize, stop: &AtomicBool) -> usize {
    let mut overtaken = 0;
    for round in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let version = dataset.store.catalog().schemas["s"].current().number;
        let mut new = content(&format!("{racer}-{round}"), "");
        new.schema_version = version;
        match dataset.judged(version, TestDataset::creation(new)) {
            WriteVerdict::Done { id, .. } => drop(dataset.delete(id, 0)),
            CHANGED => overtaken += 1,
            other => panic!("{other:?}"),
        }
        thread::yield_now();
    }
    overtaken
}

/// Whether at no moment there were live records of two versions.
fn holds_one_version_at_a_time(log: &[LogEntry]) {
    let mut live = BTreeMap::new();
    for entry in log {
        match entry.action.as_str() {
            "create" => drop(live.insert(entry.id.place, entry.schema_version)),
            _ => drop(live.remove(&entry.id.place)),
        }
        let now = entry.schema_version;
        assert!(live.values().all(|version| *version == now), "{entry:?}");
    }
}

#[test]
fn records_that_come_and_go_never_live_under_a_version_that_required_none() {
    each(|folder| {
        let (dataset, stop) = (known(folder), AtomicBool::new(false));
        let (mut next, mut refused) = (2, 0);
        thread::scope(|scope| {
            let _ends = Ends(&stop);
            for racer in 0..3 {
                let (dataset, stop) = (&dataset, &stop);
                scope.spawn(move || come_and_go(dataset, racer, stop));
            }
            while (next <= 20 || refused == 0) && refused < 100_000 {
                let write = CatalogWrite {
                    put: vec![versions(next).into()],
                    require_empty: vec![1],
                    ..CatalogWrite::default()
                };
                match decide(&*dataset.store, write) {
                    Ok(()) => next += 1,
                    Err(_) => refused += 1,
                }
            }
        });
        assert!(next > 20, "{refused} times records were in the way");
        holds_one_version_at_a_time(&wait(dataset.store.log(0, PageLimit::of(usize::MAX))));
    });
}

#[test]
fn what_a_write_leaves_in_the_audit_trail_is_there_if_it_was_done() {
    each(|folder| {
        let dataset = known(folder);
        let (live, deleted) = two(&dataset);
        let purge = |id| {
            wait(dataset.store.write(Write {
                audit: Some(Box::new(audit_entry("t", "purged"))),
                ..dataset.write(Change::Purge { id })
            }))
        };
        assert_eq!(purge(live), WriteVerdict::NotFound);
        assert_eq!(wait(dataset.store.audit("t", None, PageLimit::of(9))), []);
        assert!(matches!(purge(deleted), WriteVerdict::Done { .. }));
        let trail = || wait(dataset.store.audit("t", None, PageLimit::of(9)));
        assert_eq!(trail().len(), 1);
        assert_eq!(trail()[0].1, audit_entry("t", "purged"));
        assert_eq!(purge(deleted), WriteVerdict::NotFound);
        assert_eq!(trail().len(), 1);
    });
}
