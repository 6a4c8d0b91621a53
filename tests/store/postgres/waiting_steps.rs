//! A step of the tables that needs one for itself while somebody reads it: nobody else is held up by its waiting. One that comes beside
//! writers that leave no pause is done in time, and so is the hold of a move.

use crate::engines::{StoreFolder, each, try_wait, wait};
use crate::later_migration::{migrate_further, take_back};
use crate::locked::{PATIENCE, while_locked};
use runtime::store::postgres::{PostgresOptions, PostgresTransfer};
use std::thread;
use std::time::{Duration, Instant};

/// A migration that needs the change log for itself.
const ALTERS: &str = "ALTER TABLE change_log ADD COLUMN made_up bigint";
/// Somebody who reads for long, as a backup does.
const READ: &str = "SELECT count(*) FROM change_log";
/// Who waits for a table that it wants for itself.
const WAITING: &str = "SELECT 'waiting: ' || count(*) FROM pg_locks
    WHERE NOT granted AND relation = 'change_log'::regclass AND mode = 'AccessExclusiveLock'";
/// Somebody who writes again and again, as steps see it, until the story lets go; a minute at most.
const WRITE: &str = "DO $$ BEGIN
     FOR turn IN 1..3000 LOOP
       EXIT WHEN EXISTS (SELECT FROM let_go);
       PERFORM number FROM migrations WHERE number = 0 FOR SHARE;
       PERFORM pg_sleep(0.02);
       COMMIT;
     END LOOP;
   END $$";
const WRITING: &str = "SELECT 'writing: ' || count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'active' AND query LIKE 'DO $$%'";
/// So many that there is always one whose write is under way.
const WRITERS: usize = 4;
/// Longer than a step stands in the queue, and shorter than the long read goes on by itself.
const IN_TIME: Duration = Duration::from_secs(10);

/// Does something while others write without a pause, all of them to its end and beyond, and then ends what it began; what it gave.
fn beside_writers<T>(folder: &StoreFolder, work: impl FnOnce() -> T, end: impl FnOnce()) -> T {
    folder.run("CREATE TABLE let_go (now boolean)");
    let all = format!("writing: {WRITERS}");
    let (done, told) = thread::scope(|scope| {
        for _ in 0..WRITERS {
            scope.spawn(|| folder.run(WRITE));
        }
        let began = Instant::now();
        while !folder.told(WRITING).contains(&all) {
            assert!(began.elapsed() < PATIENCE, "they do not write");
            thread::sleep(Duration::from_millis(20));
        }
        let done = work();
        let told = folder.told(WRITING);
        folder.run("INSERT INTO let_go VALUES (true)");
        end();
        (done, told)
    });
    assert!(told.contains(&all), "all write still: {told}");
    done
}

fn until_a_step_waits(folder: &StoreFolder) {
    let began = Instant::now();
    while !folder.told(WAITING).contains("waiting: 1") {
        assert!(began.elapsed() < PATIENCE, "no step waits");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn who_reads_a_table_is_not_held_up_by_a_step_that_waits_for_a_longer_read() {
    each(|folder| {
        drop(folder.dataset());
        let address = folder.address().to_owned();
        let mut migrating = None;
        while_locked(folder, READ, || {
            let migrate = move || migrate_further(&address, &[ALTERS]);
            let migration = thread::spawn(migrate);
            until_a_step_waits(folder);
            let began = Instant::now();
            let told = folder.told("SELECT 'entries: ' || count(*) FROM change_log");
            let took = began.elapsed();
            assert!(took < IN_TIME, "it read behind the step: {took:?}");
            assert!(told.contains("entries: 0"), "{told}");
            // it comes again, and is not done before it may be
            until_a_step_waits(folder);
            assert!(!migration.is_finished(), "the table is read still");
            migrating = Some(migration);
        });
        let migrated = migrating.expect("it began").join().expect("no panic");
        assert_eq!(migrated.ok(), Some(1));
        take_back(folder);
        let dataset = folder.dataset();
        dataset.create("K1");
        dataset.is_sound();
    });
}

#[test]
fn a_step_is_done_in_time_beside_those_who_write_without_a_pause() {
    each(|folder| {
        drop(folder.dataset());
        let migrate = || {
            let began = Instant::now();
            let migrated = migrate_further(folder.address(), &[ALTERS]);
            (migrated, began.elapsed())
        };
        let (migrated, took) = beside_writers(folder, migrate, || {});
        assert_eq!(migrated.ok(), Some(1));
        assert!(took < IN_TIME, "{took:?}");
    });
}

#[test]
fn a_move_holds_off_those_who_write_without_a_pause_while_they_do() {
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("K0");
        let options = PostgresOptions::default();
        let transfer = wait(PostgresTransfer::open(folder.address(), &options));
        let hold = || wait(transfer.hold());
        beside_writers(folder, hold, || try_wait(transfer.release()));
        dataset.create("K1");
        dataset.is_sound();
    });
}
