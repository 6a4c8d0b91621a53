//! The check names what is left in a database of something that is gone: nothing leads there, so nobody else would come to it.

use crate::engines::{each, wait};
use crate::files::{condemn, file};
use crate::locked::while_locked;
use crate::nouns::{area, at, audit_entry, schema, tenant};
use crate::test_dataset::{TestDataset, content, done};
use runtime::store::catalog::{CatalogWrite, Kind, NounKey};
use std::thread;
use std::time::{Duration, Instant};

/// What the check tells.
fn found(dataset: &TestDataset) -> String {
    wait(dataset.store.check()).join("\n")
}

#[test]
fn values_that_are_kept_of_a_record_that_is_gone_are_named() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("K1");
        for version in 0..20 {
            let next = content("K1", &version.to_string());
            assert!(done(version + 1)(dataset.update(id, version, next)));
        }
        dataset.is_sound();
        folder.run("CREATE TABLE noted AS SELECT * FROM past_states");
        assert!(done(20)(dataset.delete(id, 20)));
        assert!(done(20)(dataset.purge(id)));
        dataset.is_sound();
        folder.run("INSERT INTO past_states SELECT * FROM noted");
        assert_eq!(
            found(&dataset),
            "values are kept of the past of a record that is gone (dataset, sequence, entry): 1, 1, 16"
        );
        folder.run("DELETE FROM past_states");
        dataset.is_sound();
        // more of them than are read at a time
        folder.run(
            "INSERT INTO past_states SELECT 9, s, s, '{}' FROM generate_series(1, 250) AS s (s)",
        );
        assert_eq!(found(&dataset).lines().count(), 250);
    });
}

#[test]
fn values_that_are_kept_of_no_entry_or_of_another_record_s_are_named() {
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("K1");
        dataset.create("K2");
        for number in [2, 77] {
            folder.run(&format!(
                "INSERT INTO past_states SELECT 1, 1, {number}, body FROM records WHERE sequence = {}",
                if number == 2 { 2 } else { 1 }
            ));
            let place = format!(
                "values that are kept of the past are not those behind their entry (dataset, sequence, entry): 1, 1, {number}"
            );
            let told = found(&dataset);
            assert!(told.lines().any(|line| line == place), "{told}");
            folder.run("DELETE FROM past_states");
        }
        dataset.is_sound();
    });
}

#[test]
fn entries_about_a_record_that_is_gone_are_named_but_that_of_its_purge() {
    each(|folder| {
        let dataset = folder.dataset();
        let gone = [dataset.create("K1"), dataset.create("K2")];
        dataset.create("K3");
        // one of them has its values itself, as entries once had
        folder.run(
            "CREATE TABLE noted AS SELECT * FROM change_log WHERE sequence < 3;
             UPDATE noted SET after = '{\"Key\":\"K1\"}', digest = NULL WHERE sequence = 1",
        );
        for id in gone {
            assert!(done(0)(dataset.delete(id, 0)));
            assert!(done(0)(dataset.purge(id)));
        }
        dataset.is_sound();
        folder.run("INSERT INTO change_log SELECT * FROM noted");
        let words =
            "an entry of the change log is about a record that is gone (dataset, sequence, entry)";
        assert_eq!(
            found(&dataset),
            format!("{words}: 1, 1, 1\n{words}: 1, 2, 2")
        );
    });
}

#[test]
fn nouns_and_files_without_what_they_belong_to_are_named() {
    each(|folder| {
        let store = folder.server();
        let dataset = TestDataset::new(store, 1);
        let write = CatalogWrite {
            put: vec![tenant("t").into(), area("a", "Area").into()],
            ..CatalogWrite::default()
        };
        decide(&dataset, write);
        folder.run(
            "INSERT INTO files (id, dataset, created_at, size, document) VALUES ('f', 'gone', 0, 1, '{}')",
        );
        let told = found(&dataset);
        assert!(told.contains("the file f has no dataset"), "{told}");
        folder.run("DELETE FROM files");
        let remove = CatalogWrite {
            remove: vec![NounKey {
                kind: Kind::Tenant,
                id: "t".to_owned(),
            }],
            ..CatalogWrite::default()
        };
        decide(&dataset, remove);
        assert_eq!(found(&dataset), "the area a has no tenant");
    });
}

fn decide(dataset: &TestDataset, write: CatalogWrite) {
    let decided = dataset.store.decide(Box::new(move |_| Ok(write.clone())));
    wait(decided).expect("nothing is against it");
}

/// What a check waits for that has read other tables by then.
const LATE: &str = "LOCK TABLE past_states IN ACCESS EXCLUSIVE MODE";
const WAITING: &str = "SELECT 'waiting: ' || count(*) FROM pg_locks
     WHERE NOT granted AND relation = 'past_states'::regclass";

#[test]
fn what_goes_while_a_check_is_under_way_is_not_told_as_missing() {
    each(|folder| {
        let dataset = TestDataset::new(folder.server(), 1);
        let put = CatalogWrite {
            put: vec![
                tenant("t").into(),
                area("a", "Area").into(),
                schema("s", "customer", 1).into(),
                crate::nouns::dataset("d", "s", 1).into(),
            ],
            ..CatalogWrite::default()
        };
        decide(&dataset, put);
        wait(dataset.store.put_file(file("f", 0)));
        dataset.is_sound();
        thread::scope(|scope| {
            let mut under_way = None;
            while_locked(folder, LATE, || {
                under_way = Some(scope.spawn(|| found(&dataset)));
                let began = Instant::now();
                while !folder.told(WAITING).contains("waiting: 1") {
                    assert!(began.elapsed() < Duration::from_secs(10), "it waits");
                    thread::sleep(Duration::from_millis(20));
                }
                condemn(&dataset.store, &["f"], 1);
                assert!(wait(dataset.store.remove_file("f", at(2))));
                let gone = NounKey {
                    kind: Kind::Dataset,
                    id: "d".to_owned(),
                };
                let remove = CatalogWrite {
                    remove: vec![gone],
                    ..CatalogWrite::default()
                };
                decide(&dataset, remove);
            });
            let checked = under_way.expect("it began").join().expect("no panic");
            assert_eq!(checked, "");
        });
        dataset.is_sound();
    });
}

#[test]
fn entries_of_the_trail_that_are_not_as_they_were_written_are_named() {
    each(|folder| {
        let dataset = folder.dataset();
        let write = CatalogWrite {
            audit: vec![audit_entry("t", "a"), audit_entry("t", "b")],
            ..CatalogWrite::default()
        };
        decide(&dataset, write);
        dataset.is_sound();
        folder.run("CREATE TABLE noted AS SELECT * FROM audit");
        for spoiled in [
            "entry = '{'",
            "entry = replace(entry, '\"tenant\":\"t\"', '\"tenant\":\"u\"')",
            "entry = replace(entry, '\"before\"', '\"befose\"')",
            "incident = true",
            "at = at + 1",
        ] {
            folder.run(&format!("UPDATE audit SET {spoiled} WHERE own_number = 2"));
            let told = "entry 2 of the audit trail of the tenant t is not as it was written";
            assert_eq!(found(&dataset), told, "{spoiled}");
            folder.run("DELETE FROM audit");
            folder.run("INSERT INTO audit SELECT * FROM noted");
            dataset.is_sound();
        }
    });
}
