//! Writes of records and decisions about data domains in one order: a write is done only under the codes that it was judged by,
//! and only those of the domains that its schema names count.

use crate::engines::{Store, StoreFolder, each, wait};
use crate::jobs::{add, step, take};
use crate::nouns::{self, COUNTRIES, area, at, schema, tenant};
use crate::overtaken::{CHANGED, decide, put, two, update};
use crate::test_dataset::{TestDataset, actor, content};
use runtime::store::catalog::{CatalogWrite, Noun};
use runtime::store::jobs::{JobStep, StepVerdict};
use runtime::store::records::{Change, RuleVersions, Write, WriteVerdict};

/// The first dataset of a store, under a schema that names a data domain.
fn known(folder: &StoreFolder) -> TestDataset {
    let dataset = folder.dataset();
    put(&*dataset.store, tenant("t"));
    put(&*dataset.store, area("a", "Area"));
    put(&*dataset.store, schema("s", "subdivision", 1));
    put(&*dataset.store, nouns::dataset("d", "s", 1));
    dataset
}

fn in_force(store: &dyn Store) -> RuleVersions {
    let rules = store.catalog().rules_in_force(1);
    rules.expect("the dataset is there")
}

fn remove(store: &dyn Store, domain: &str) {
    let write = CatalogWrite {
        remove: vec![Noun::from(nouns::domain(domain, 1)).key()],
        ..CatalogWrite::default()
    };
    decide(store, write).expect("nothing is against it");
}

#[test]
fn a_write_judged_before_a_data_domain_changed_is_not_done() {
    each(|folder| {
        let dataset = known(folder);
        let (live, deleted) = two(&dataset);
        let store = &*dataset.store;
        let decisions: [&dyn Fn(); 4] = [
            &|| put(store, nouns::domain(COUNTRIES, 1)),
            &|| put(store, nouns::domain(COUNTRIES, 2)),
            // as in a database that lost a commit and got another one
            &|| {
                let mut other = nouns::domain(COUNTRIES, 2);
                other.stamp = other.stamp.changed(actor(), at(3600));
                put(store, other);
            },
            &|| remove(store, COUNTRIES),
        ];
        for (round, decided) in decisions.into_iter().enumerate() {
            let earlier = in_force(store);
            decided();
            let before = dataset.all();
            for change in [
                TestDataset::creation(content("new", "")),
                update(live, 0),
                Change::Restore { id: deleted },
            ] {
                assert_eq!(dataset.judged_by(earlier, change), CHANGED, "{round}");
            }
            assert_eq!(dataset.all(), before);
            let new = TestDataset::creation(content(&format!("new {round}"), ""));
            let verdict = dataset.judged_by(in_force(store), new);
            assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
        }
        let (earlier, id) = (in_force(store), live);
        put(store, nouns::domain(COUNTRIES, 3));
        let verdict = dataset.judged_by(earlier, Change::Delete { id, version: 0 });
        assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
    });
}

#[test]
fn a_write_is_done_whatever_becomes_of_data_domains_that_its_schema_does_not_name() {
    each(|folder| {
        let dataset = known(folder);
        let store = &*dataset.store;
        put(store, nouns::domain(COUNTRIES, 1));
        let earlier = in_force(store);
        let decisions: [&dyn Fn(); 3] = [
            &|| put(store, nouns::domain("dom", 1)),
            &|| put(store, nouns::domain("dom", 2)),
            &|| remove(store, "dom"),
        ];
        for (round, decided) in decisions.into_iter().enumerate() {
            decided();
            let new = TestDataset::creation(content(&format!("new {round}"), ""));
            let verdict = dataset.judged_by(earlier, new);
            assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
        }
    });
}

#[test]
fn a_step_of_a_job_that_was_judged_before_a_data_domain_changed_is_not_done() {
    each(|folder| {
        let dataset = known(folder);
        let store = &*dataset.store;
        put(store, nouns::domain(COUNTRIES, 1));
        add(store, "1", "t");
        take(store, "one", 1);
        let stepped = |judged_under| {
            let write = Write {
                judged_under: Some(judged_under),
                ..dataset.write(TestDataset::creation(content("A", "")))
            };
            wait(store.step_job(JobStep {
                writes: vec![write],
                ..step("1", "one", 1)
            }))
        };
        let earlier = in_force(store);
        put(store, nouns::domain(COUNTRIES, 2));
        assert_eq!(stepped(earlier), StepVerdict::Refused(vec![CHANGED]));
        assert_eq!(dataset.counts(), (0, 0));
        let done = stepped(in_force(store));
        assert!(matches!(done, StepVerdict::Done(_)), "{done:?}");
        assert_eq!(dataset.counts(), (1, 0));
    });
}
