//! A step of the tables that needs one for itself while somebody reads it: nobody else is held up by its waiting.

use crate::engines::{StoreFolder, each, wait};
use crate::together::while_locked;
use runtime::store::postgres::{PostgresOptions, PostgresStore};
use std::thread;
use std::time::{Duration, Instant};

/// Takes back what the newest step made, which adds a column to the change log.
const STEP_BACK: &str = "DROP TABLE past_states; ALTER TABLE change_log DROP COLUMN digest;
    DELETE FROM migrations WHERE number = (SELECT max(number) FROM migrations)";
/// Somebody who reads for long, as a backup does.
const READ: &str = "SELECT count(*) FROM change_log";
/// Who waits for a table that it wants for itself.
const WAITING: &str = "SELECT 'waiting: ' || count(*) FROM pg_locks
    WHERE NOT granted AND relation = 'change_log'::regclass AND mode = 'AccessExclusiveLock'";
/// Longer than a step stands in the queue, and shorter than the long read goes on by itself.
const IN_TIME: Duration = Duration::from_secs(10);

fn until_a_step_waits(folder: &StoreFolder) {
    let began = Instant::now();
    while !folder.told(WAITING).contains("waiting: 1") {
        assert!(began.elapsed() < IN_TIME, "no step waits");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn who_reads_a_table_is_not_held_up_by_a_step_that_waits_for_a_longer_read() {
    each(|folder| {
        drop(folder.dataset());
        folder.run(STEP_BACK);
        let address = folder.address().to_owned();
        let mut migrating = None;
        while_locked(folder, READ, || {
            let migrate = move || {
                let options = PostgresOptions::default();
                wait(PostgresStore::migrate(&address, &options))
            };
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
        assert_eq!(migrated.steps, 1);
        let dataset = folder.dataset();
        dataset.create("K1");
        dataset.is_sound();
    });
}
