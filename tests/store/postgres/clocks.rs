//! A server whose clock is not that of its database: what goes by its age goes by the database's, and where both are more than a
//! minute apart the server removes nothing, says so, and leaves it to others. docs/scale.md, "Several servers".

use crate::engines::{StoreFolder, each, wait};
use crate::test_dataset::TestDataset;
use runtime::service::{Parts, RetentionReport, RetentionSettings, Schedule, Service, Settings};
use runtime::store::records::{Change, Write, WriteVerdict};
use runtime::value::{Clock, SystemClock, Timestamp};
use std::io;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use tests::clock::SeededEntropy;

const DAY: i64 = 24 * 3600;
const KEPT_DAYS: u64 = 5;
const SOON: Duration = Duration::from_millis(20);
/// Longer than anything takes that is waited for here.
const SOON_ENOUGH: Duration = Duration::from_secs(30);

/// A clock that is so many seconds ahead of the machine's, and so of the database's.
struct ClockAhead(i64);

impl Clock for ClockAhead {
    fn now(&self) -> Timestamp {
        SystemClock.now().plus_seconds(self.0)
    }
}

fn settings(kept: Duration) -> Settings {
    Settings {
        retention: RetentionSettings {
            changes: Some(kept),
            trail: Some(kept),
            deleted: Some(kept),
            only_backed_up: false,
        },
        ..Settings::default()
    }
}

fn service(folder: &StoreFolder, seconds_ahead: i64, kept: Duration) -> Service {
    let (clock, entropy) = (
        Arc::new(ClockAhead(seconds_ahead)),
        Arc::new(SeededEntropy::default()),
    );
    let made = Service::new(folder.server(), clock, entropy, settings(kept));
    wait(made)
}

/// Deletes a new record, as of now.
fn delete_one(dataset: &TestDataset, key: &str) {
    let (id, version) = (dataset.create(key), 0);
    let delete = Write {
        at: SystemClock.now(),
        ..dataset.write(Change::Delete { id, version })
    };
    let verdict = wait(dataset.store.write(delete));
    assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
}

/// Has all that was written be so many days older.
fn grow_older(folder: &StoreFolder, days: i64) {
    folder.run(&format!(
        "UPDATE change_log SET at = at - {}",
        days * DAY * 1000
    ));
}

fn removed(service: &Service) -> RetentionReport {
    wait(service.store().be_current().expect("others may write"));
    let now = wait(service.now_for_ages());
    now.map_or_else(RetentionReport::default, |now| {
        wait(service.remove_old(now))
    })
}

#[test]
fn a_server_whose_clock_is_off_removes_nothing_whichever_way_it_is_off() {
    each(|folder| {
        let kept = Duration::from_secs(KEPT_DAYS * DAY.unsigned_abs());
        let dataset = folder.dataset();
        let right = service(folder, 0, kept);
        let off = [365 * DAY, 61, -61, -365 * DAY].map(|ahead| service(folder, ahead, kept));
        delete_one(&dataset, "K1");
        assert_eq!(removed(&right).deleted, 0);
        grow_older(folder, 6);
        for server in &off {
            assert_eq!(removed(server), RetentionReport::default());
            let ahead = server.clock_ahead_seconds().expect("it was compared");
            assert!(ahead.abs() > 60.0, "{ahead}");
        }
        assert_eq!(removed(&right).deleted, 1);
        let ahead = right.clock_ahead_seconds().expect("it was compared");
        assert!(ahead.abs() < 1.0, "{ahead}");
    });
}

#[test]
fn an_age_is_that_of_the_clock_of_the_database() {
    each(|folder| {
        let dataset = folder.dataset();
        delete_one(&dataset, "K1");
        // by the server's own clock it was deleted a minute ago, all but a second
        let server = service(folder, 59, Duration::from_secs(50));
        let began = Instant::now();
        let report = removed(&server);
        if began.elapsed() < Duration::from_secs(40) {
            assert_eq!(report.deleted, 0);
        }
        grow_older(folder, 1);
        assert_eq!(removed(&server).deleted, 1);
    });
}

/// What the log is told by work in this thread.
fn logged(work: impl FnOnce()) -> String {
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);
    impl io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let log = Log::default();
    let written = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_writer(move || written.clone());
    tracing::subscriber::with_default(subscriber.finish(), work);
    let bytes = log.0.lock().unwrap().clone();
    String::from_utf8(bytes).expect("a text")
}

#[test]
fn the_difference_of_both_clocks_is_logged_at_the_start_once_an_hour_and_when_it_becomes_another() {
    each(|folder| {
        for (ahead, level, words) in [
            (0, "INFO", "0 s ahead of the database's"),
            (30, "INFO", "s ahead of the database's"),
            (
                7 * DAY,
                "ERROR",
                "s ahead of the database's; until it is set",
            ),
            (
                -7 * DAY,
                "ERROR",
                "s behind the database's; until it is set",
            ),
        ] {
            let server = service(folder, ahead, Duration::ZERO);
            let log = logged(|| {
                for _ in 0..61 {
                    wait(server.compare_clocks());
                }
            });
            let lines: Vec<_> = log.lines().filter(|line| line.contains(words)).collect();
            assert_eq!(lines.len(), 2, "{ahead}: {log}");
            assert!(lines[0].contains(level), "{ahead}: {log}");
        }
    });
}

#[test]
fn a_server_whose_clock_is_off_leaves_what_goes_by_its_age_to_another() {
    const ALWAYS: Schedule = Schedule {
        flush_pause: SOON,
        clean_first: SOON,
        clean_pause: SOON,
        count_pause: SOON,
    };
    each(|folder| {
        let kept = Duration::from_secs(KEPT_DAYS * DAY.unsigned_abs());
        let dataset = folder.dataset();
        delete_one(&dataset, "K1");
        grow_older(folder, 6);
        let open = |ahead: i64| {
            wait(Service::open(Parts {
                clock: Arc::new(ClockAhead(ahead)),
                settings: settings(kept),
                schedule: Some(ALWAYS),
                ..Parts::new(folder.server())
            }))
        };
        let told = || folder.told("SELECT 'deleted: ' || count(*) FROM records WHERE deleted");
        let off = open(365 * DAY);
        // many turns
        thread::sleep(20 * SOON);
        assert!(told().contains("deleted: 1"), "{}", told());
        let right = open(0);
        let began = Instant::now();
        while !told().contains("deleted: 0") {
            assert!(began.elapsed() < SOON_ENOUGH, "{}", told());
            thread::sleep(SOON);
        }
        wait(off.close());
        wait(right.close());
    });
}
