//! Copies whose server or command was killed: their tables go beside the next program that opens the store, once they are a
//! day old, and nobody else's before; who reads them holds that one up in nothing.

use crate::engines::{StoreFolder, each, wait};
use crate::locked::while_locked;
use runtime::store::Copies as _;
use std::thread;
use std::time::{Duration, Instant};

/// Copies by their names, which tell when they were made.
const OLD: &str = "fieldstone_trial_000000000086400_0000000a";
const OF_SOMEBODY_AT_WORK: &str = "fieldstone_trial_999999999999999_0000000b";

/// How many copies are being removed.
const REMOVALS: &str = "SELECT 'removals: ' || count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'active' AND query LIKE 'BEGIN; %DROP SCHEMA%'";

/// Leaves copies behind in a store that no server is still looking for them in.
fn leave(folder: &StoreFolder, copies: &[&str]) {
    wait(folder.server().copies_gone());
    for schema in copies {
        folder.run(&format!(
            "CREATE SCHEMA {schema}; CREATE TABLE {schema}.records (n bigint)"
        ));
    }
}

/// Waits until something is so.
fn until(is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(30), "it never is");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_a_killed_program_left_of_a_copy_goes_with_the_next_one_that_opens_the_store() {
    each(|folder| {
        leave(folder, &[OLD, OF_SOMEBODY_AT_WORK]);
        wait(folder.server().copies_gone());
        assert_eq!(folder.left_of_copies(), [OF_SOMEBODY_AT_WORK]);
    });
}

#[test]
fn an_old_copy_that_somebody_reads_holds_up_nobody_who_opens_the_store() {
    each(|folder| {
        leave(folder, &[OLD]);
        let read = format!("LOCK TABLE {OLD}.records IN ACCESS SHARE MODE");
        let is_read = format!(
            "SELECT 'it is read' FROM pg_locks WHERE relation = '{OLD}.records'::regclass AND granted
               AND mode = 'AccessShareLock'"
        );
        let mut server = None;
        // as a dump of the whole database does
        while_locked(folder, &read, || {
            server = Some(folder.server());
            // who waits for the removal comes when there is none any more, be it that it was given up
            until(|| folder.told(REMOVALS).contains("removals: 1"));
            let told = folder.told(&is_read);
            assert!(told.contains("it is read"), "it was waited for");
        });
        wait(server.expect("it is open").copies_gone());
        assert_eq!(folder.left_of_copies(), Vec::<String>::new());
    });
}

#[test]
fn an_old_copy_is_removed_once_by_who_opens_the_store_and_makes_a_copy() {
    each(|folder| {
        leave(folder, &[OLD]);
        thread::scope(|scope| {
            // longer than a removal waits
            let reader = scope.spawn(|| {
                folder.run(&format!(
                    "BEGIN; LOCK TABLE {OLD}.records IN ACCESS SHARE MODE; SELECT pg_sleep(12); COMMIT"
                ));
            });
            let is_read = format!(
                "SELECT 'it is read' FROM pg_locks WHERE relation = '{OLD}.records'::regclass AND granted"
            );
            until(|| folder.told(&is_read).contains("it is read"));
            let server = folder.server();
            until(|| folder.told(REMOVALS).contains("removals: 1"));
            let copied = server.clone();
            let copying = scope.spawn(move || wait(copied.throwaway_copy()));
            while !copying.is_finished() {
                let told = folder.told(REMOVALS);
                assert!(!told.contains("removals: 2"), "{told}");
            }
            drop(copying.join().expect("a copy"));
            reader.join().expect("it let go");
            wait(server.copies_gone());
        });
    });
}
