//! Two services on one database: what one of them tells the store, the other one keeps to.

use crate::engines::{StoreFolder, each, wait};
use crate::test_dataset::TestDataset;
use runtime::service::{RetentionSettings, Service, Settings};
use runtime::store::records::{Change, Write, WriteVerdict};
use std::sync::Arc;
use std::time::Duration;
use tests::clock::{ManualClock, SeededEntropy};

const DAY: i64 = 24 * 3600;
/// For how long deleted records are kept.
const KEPT: Duration = Duration::from_secs(5 * 24 * 3600);

/// One that makes backups, or one that does not.
fn service(folder: &StoreFolder, clock: &Arc<ManualClock>, makes_backups: bool) -> Service {
    let settings = Settings {
        retention: RetentionSettings {
            deleted: Some(KEPT),
            only_backed_up: makes_backups,
            ..RetentionSettings::default()
        },
        ..Settings::default()
    };
    let entropy = Arc::new(SeededEntropy::default());
    let made = Service::new(folder.server(), clock.clone(), entropy, settings);
    wait(made)
}

/// Deletes a new record, as of now.
fn delete_one(dataset: &TestDataset, service: &Service, key: &str) {
    let (id, version) = (dataset.create(key), 0);
    let delete = Write {
        at: service.now(),
        ..dataset.write(Change::Delete { id, version })
    };
    let verdict = wait(dataset.store.write(delete));
    assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
}

/// How many deleted records go, once the service is as new as its database.
fn removed(service: &Service) -> usize {
    wait(service.store().be_current().expect("others may write"));
    wait(service.remove_old()).deleted
}

#[test]
fn what_one_tells_of_its_backups_the_other_tells_too_and_removes_nothing_that_none_has() {
    each(|folder| {
        let clock = Arc::new(ManualClock::default());
        let [maker, other] = [true, false].map(|it| service(folder, &clock, it));
        let dataset = folder.dataset();
        delete_one(&dataset, &maker, "K1");
        clock.forward(6 * DAY);
        wait(maker.tell_backups());
        assert_eq!(removed(&other), 0, "there is none yet");
        assert_eq!(other.last_backup(), None);

        let begun = maker.now();
        maker.note_backup(begun);
        wait(maker.tell_backups());
        assert_eq!(removed(&other), 1);
        let third = service(folder, &clock, false);
        for server in [&maker, &other, &third] {
            assert_eq!(server.last_backup(), Some(begun));
        }

        delete_one(&dataset, &maker, "K2");
        clock.forward(6 * DAY);
        for server in [&maker, &other, &third] {
            assert_eq!(removed(server), 0, "it was deleted after the newest one");
        }
        // who says nothing for a month makes none any more
        clock.forward(25 * DAY);
        assert_eq!(removed(&maker), 0);
        assert_eq!(removed(&other), 1);
        assert_eq!(other.last_backup(), Some(begun));
    });
}
