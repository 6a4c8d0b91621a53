//! Two services on one database: what one of them tells the store, the other one keeps to.

use crate::engines::{StoreFolder, at_work, each, pass, try_wait, wait};
use crate::jobs::{self, job};
use crate::nouns::{self, area, schema, tenant};
use crate::test_dataset::{TestDataset, actor};
use runtime::service::manage::{JobKind, JobState};
use runtime::service::{RetentionSettings, Schedule, Service, Settings};
use runtime::store::catalog::{Actor, ActorKind, CatalogWrite, Noun};
use runtime::store::jobs::{AddVerdict, Job, Jobs as _, StepVerdict};
use runtime::store::postgres::PostgresStore;
use runtime::store::records::{Change, Records as _, Write, WriteVerdict};
use runtime::store::{Catalogs as _, Retention as _};
use std::collections::BTreeSet;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};
use tests::clock::{ManualClock, SeededEntropy};
use tests::trick_store::TrickStore;

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
    wait(service.remove_old(service.now())).deleted
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

#[test]
fn a_purge_that_one_server_was_cut_off_from_another_one_settles_in_the_job_that_a_third_one_does() {
    each(|folder| {
        let [one, third] = [folder.server(), folder.server()];
        let put = |put: Vec<Noun>| {
            let write = CatalogWrite {
                put,
                ..CatalogWrite::default()
            };
            wait(one.decide(Box::new(move |_| Ok(write.clone())))).expect("nothing is against it");
        };
        put(vec![tenant("t").into(), area("a", "Area").into()]);
        put(vec![schema("s", "no_primary_key", 1).into()]);
        put(vec![nouns::dataset("dataset of t", "s", 1).into()]);
        jobs::add(&*third, "1", "t");
        jobs::take(&*third, "third", 1);
        let dataset = TestDataset::new(one.clone(), 1);
        let id = dataset.create("K1");
        dataset.delete(id, 0);
        let purge = Write {
            audit: Some(Box::new(nouns::audit_entry("t", "x"))),
            ..dataset.write(Change::Purge { id })
        };
        let purged = wait(one.write(purge));
        assert!(matches!(purged, WriteVerdict::Done { .. }), "{purged:?}");

        let clock = Arc::new(ManualClock::default());
        let other = service(folder, &clock, false);
        assert_eq!(wait(one.unsettled_purges(Some(1))).len(), 1);
        wait(other.clean_jobs());
        assert_eq!(wait(one.unsettled_purges(None)), []);
        let end = jobs::end(jobs::step("1", "third", 1), JobState::Done);
        assert_eq!(wait(third.step_job(end)), StepVerdict::Done(vec![]));
        assert!(jobs::get(&*one, "1").is_emptied);
    });
}

/// How long a service at work rests between two turns.
const SOON: Duration = Duration::from_millis(20);
/// Longer than anything takes that does not wait for a lease to run out.
const SOON_ENOUGH: Duration = Duration::from_secs(30);

/// All the time.
const ALWAYS: Schedule = Schedule {
    flush_pause: SOON,
    clean_first: SOON,
    clean_pause: SOON,
    count_pause: SOON,
};

/// Waits until one server has each of the five tasks that one does for all, and it is not this one; who it is.
fn holder(folder: &StoreFolder, before: &str) -> String {
    let began = Instant::now();
    loop {
        let told = folder.told(
            "SELECT 'held by ' || holder FROM leases WHERE name LIKE 'housekeeping %'
             AND held_until > extract(epoch FROM clock_timestamp()) * 1000",
        );
        let lines = told.lines().filter_map(|line| line.split_once("held by "));
        let holders: Vec<&str> = lines.map(|(_, holder)| holder.trim()).collect();
        let each_once: BTreeSet<&str> = holders.iter().copied().collect();
        if let (5, 1, Some(holder)) = (holders.len(), each_once.len(), holders.first())
            && *holder != before
        {
            return (*holder).to_owned();
        }
        assert!(began.elapsed() < SOON_ENOUGH, "{told}");
        thread::sleep(SOON);
    }
}

#[test]
fn what_one_server_does_for_all_another_one_does_when_it_ends() {
    each(|folder| {
        let one = at_work(folder, ALWAYS);
        let first = holder(folder, "");
        let other = at_work(folder, ALWAYS);
        // many turns of both
        thread::sleep(20 * SOON);
        assert_eq!(holder(folder, ""), first, "it goes on");
        wait(one.close());
        let second = holder(folder, &first);
        assert_ne!(second, first);
        wait(other.close());
    });
}

#[test]
fn what_one_server_does_for_all_another_one_does_when_it_dies() {
    each(|folder| {
        let one = at_work(folder, ALWAYS);
        let first = holder(folder, "");
        let other = at_work(folder, ALWAYS);
        // it ends without letting go of anything, as a process that is killed
        let dead = Arc::downgrade(&one);
        drop(one);
        let began = Instant::now();
        while dead.strong_count() > 0 {
            assert!(began.elapsed() < SOON_ENOUGH, "a turn holds it");
            thread::sleep(SOON);
        }
        // many turns of the other one
        thread::sleep(20 * SOON);
        assert_eq!(holder(folder, ""), first, "until its leases have run out");
        pass(folder, 61);
        assert_ne!(holder(folder, &first), first);
        wait(other.close());
    });
}

#[test]
fn a_server_whose_turn_fails_lets_go_of_it_and_another_one_may_try() {
    each(|folder| {
        // its tables are made
        drop(folder.dataset());
        folder.run("ALTER TABLE allowances RENAME TO away");
        let failing = at_work(folder, ALWAYS);
        let began = Instant::now();
        let free = "SELECT 'it is free' FROM leases WHERE name LIKE 'housekeeping forgetting %'
           AND held_until <= extract(epoch FROM clock_timestamp()) * 1000";
        while !folder.told(free).contains("it is free") {
            assert!(began.elapsed() < SOON_ENOUGH, "it is held on to");
            thread::sleep(SOON);
        }
        folder.run("ALTER TABLE away RENAME TO allowances");
        wait(failing.close());
    });
}

#[test]
fn a_lease_is_one_servers_until_it_lets_go_or_is_silent_too_long() {
    each(|folder| {
        let clock = Arc::new(ManualClock::default());
        let [one, other] = [false; 2].map(|it| service(folder, &clock, it));
        let minute = Duration::from_secs(60);
        let has = |server: &Service| wait(server.hold_lease("work", minute, minute));
        assert!(has(&one) && has(&one), "and goes on");
        assert!(!has(&other));
        wait(other.let_go_of_lease("work"));
        assert!(!has(&other), "it had nothing to let go of");
        pass(folder, 60);
        assert!(has(&other), "who is silent has it no more");
        assert!(!has(&one));
        wait(other.let_go_of_lease("work"));
        assert!(has(&one));
    });
}

#[test]
fn a_lease_is_by_one_clock_however_far_apart_those_of_servers_are() {
    each(|folder| {
        let minute = Duration::from_secs(60);
        let has = |server: &Service| wait(server.hold_lease("work", minute, minute));
        for seconds_off in [600, -600, 300 * DAY, -300 * DAY] {
            let [right, wrong] = [(); 2].map(|()| Arc::new(ManualClock::default()));
            wrong.forward(seconds_off);
            let [one, other] = [&right, &wrong].map(|clock| service(folder, clock, false));
            for (holder, next) in [(&one, &other), (&other, &one)] {
                assert!(has(holder), "{seconds_off}");
                pass(folder, 30);
                assert!(!has(next), "{seconds_off}: it is the other one's");
                pass(folder, 30);
                assert!(has(next), "{seconds_off}: it ran out");
                assert!(!has(holder), "{seconds_off}");
                wait(next.let_go_of_lease("work"));
            }
        }
    });
}

#[test]
fn a_lease_that_would_last_longer_than_any_does_holds_nobody_off() {
    each(|folder| {
        let clock = Arc::new(ManualClock::default());
        let [one, other] = [false; 2].map(|it| service(folder, &clock, it));
        let (minute, hour) = (Duration::from_secs(60), Duration::from_secs(3600));
        let has = |server: &Service| wait(server.hold_lease("work", minute, hour));
        assert!(has(&one));
        // the clock of the database was set back so far
        pass(folder, -3600);
        assert!(!has(&other), "others may have taken it for an hour");
        pass(folder, -600);
        assert!(has(&other));
        wait(other.let_go_of_lease("work"));
        assert!(has(&one));
    });
}

#[test]
fn what_a_clock_that_was_ahead_told_of_backups_holds_what_is_old_for_a_month_at_most() {
    each(|folder| {
        let [wrong, right] = [(); 2].map(|()| Arc::new(ManualClock::default()));
        wrong.forward(300 * DAY);
        let one = service(folder, &wrong, true);
        let other = service(folder, &right, false);
        wait(one.tell_backups());
        let dataset = folder.dataset();
        delete_one(&dataset, &other, "K1");
        right.forward(6 * DAY);
        assert_eq!(removed(&other), 0, "some may be made");
        // nobody says so any more
        right.forward(29 * DAY);
        assert_eq!(removed(&other), 0);
        right.forward(2 * DAY);
        assert_eq!(removed(&other), 1);
    });
}

#[test]
fn a_clock_that_was_ahead_holds_off_no_backups_until_then() {
    each(|folder| {
        let [wrong, right] = [(); 2].map(|()| Arc::new(ManualClock::default()));
        wrong.forward(300 * DAY);
        let [one, other] = [&wrong, &right].map(|clock| service(folder, clock, true));
        one.note_backup(one.now());
        wait(one.tell_backups());

        let dataset = folder.dataset();
        delete_one(&dataset, &other, "K1");
        right.forward(6 * DAY);
        assert_eq!(removed(&other), 0, "which no backup has");
        assert_eq!(other.last_backup(), None);
        let begun = other.now();
        other.note_backup(begun);
        wait(other.tell_backups());
        assert_eq!(removed(&other), 1);
        let third = service(folder, &right, false);
        for server in [&other, &third] {
            assert_eq!(server.last_backup(), Some(begun));
        }
        delete_one(&dataset, &third, "K2");
        right.forward(6 * DAY);
        assert_eq!(removed(&third), 0, "it was deleted after the newest one");
    });
}

#[test]
fn of_two_undoings_of_a_job_that_two_servers_are_asked_for_at_once_there_is_one() {
    each(|folder| {
        let servers = [folder.server(), folder.server()];
        for round in 0..10 {
            let barrier = Barrier::new(servers.len());
            let ask = |server: &PostgresStore, name: &str| {
                let undoing = Job {
                    kind: JobKind::Undo,
                    options: serde_json::json!({"jobId": format!("job {round}")}).into(),
                    ..job(&format!("{name} {round}"), "t")
                };
                barrier.wait();
                wait(server.add_job(undoing, 100))
            };
            let verdicts = thread::scope(|scope| {
                let other = scope.spawn(|| ask(&servers[1], "other"));
                [ask(&servers[0], "one"), other.join().expect("a verdict")]
            });
            let added = verdicts.iter().filter(|it| **it == AddVerdict::Added);
            assert_eq!(added.count(), 1, "{verdicts:?}");
            assert!(verdicts.contains(&AddVerdict::UndoneAlready));
        }
    });
}

#[test]
fn a_job_of_a_dataset_that_another_server_made_just_now_is_done() {
    each(|folder| {
        let maker = folder.server();
        let put = |put: Vec<Noun>| {
            let write = CatalogWrite {
                put,
                ..CatalogWrite::default()
            };
            let decided = maker.decide(Box::new(move |_| Ok(write.clone())));
            wait(decided).expect("nothing is against it");
        };
        put(vec![tenant("t").into(), area("a", "Area").into()]);
        put(vec![schema("s", "no_primary_key", 1).into()]);
        let store = TrickStore::new(folder.server());
        let clock = Arc::new(ManualClock::default());
        let entropy = Arc::new(SeededEntropy::default());
        let made = Service::new(store.clone(), clock, entropy, Settings::default());
        let other = Arc::new(wait(made));

        store.hold_catalog_back();
        put(vec![nouns::dataset("d", "s", 1).into()]);
        let asked = Job {
            kind: JobKind::Revalidate,
            dataset: "d".to_owned(),
            maker: Actor {
                kind: ActorKind::Operator,
                ..actor()
            },
            options: serde_json::json!({}).into(),
            ..job("judged", "t")
        };
        assert_eq!(wait(maker.add_job(asked, 100)), AddVerdict::Added);
        try_wait(other.run_job("judged")).expect("it is taken");
        let job = wait(maker.job("judged")).expect("it is there");
        assert_eq!((job.failure, job.state), (None, JobState::Done));
    });
}
