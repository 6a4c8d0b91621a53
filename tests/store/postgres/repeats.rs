//! What the database takes back for the sake of others is done again, and once: transactions that stood in a ring of locks,
//! and those whose commit came too late. What never comes through ends, and says so.

use crate::engines::{StoreFolder, each, open_at, wait};
use crate::test_dataset::{TestDataset, content};
use runtime::store::StoreError;
use runtime::store::records::WriteVerdict;
use std::thread;
use std::time::{Duration, Instant};
use tests::cluster::{self, Cluster};

/// More often than anything is tried.
pub(crate) const ALWAYS: u32 = 1_000_000;

/// Has so many changes of this kind fail with this error. What a sequence counts is not taken back.
pub(crate) fn fail(folder: &StoreFolder, change: &str, times: u32, (code, words): (&str, &str)) {
    folder.run(&format!(
        "CREATE SEQUENCE tries;
         CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF nextval('tries') <= {times} THEN
             RAISE EXCEPTION '{words}' USING ERRCODE = '{code}';
           END IF;
           RETURN NEW;
         END $$;
         CREATE TRIGGER fails BEFORE {change} FOR EACH ROW EXECUTE FUNCTION fail()"
    ));
}

/// Has so many commits fail in this way: each transaction notes itself in the table, last of all.
fn fail_commits(folder: &StoreFolder, times: u32, code: &str) {
    let error = (code, "taken back by the story");
    fail(folder, "INSERT ON commits", times, error);
}

/// How many of these changes were tried since.
pub(crate) fn tried(folder: &StoreFolder) -> String {
    let told = folder.told("SELECT 'tried ' || last_value FROM tries");
    let tried = told
        .lines()
        .find_map(|line| line.trim().strip_prefix("tried "));
    tried.expect("a number").to_owned()
}

#[test]
fn a_commit_that_the_database_takes_back_is_done_again_and_once() {
    // of the last one nobody knows, so it is looked up, and what looks it up notes itself, too
    for (code, tries) in [("40001", "4"), ("40P01", "4"), ("40003", "5")] {
        each(|folder| {
            let dataset = folder.dataset();
            dataset.create("K0");
            fail_commits(folder, 3, code);
            let verdict = dataset.offer(content("K1", ""));
            assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
            assert_eq!(tried(folder), tries, "{code}");
            assert_eq!(dataset.counts(), (2, 0), "{code}");
            dataset.is_sound();
        });
    }
}

/// As Citus tells it, by codes that say nothing, or something else elsewhere.
#[test]
fn a_write_whose_node_goes_away_in_it_is_done_again_and_once() {
    for gone in [
        (
            "XX000",
            "failure on connection marked as essential: w1.example:5432",
        ),
        ("58030", "failed to COPY to shard 102041 on w1.example:5432"),
        ("58030", "failed to complete COPY on w1.example:5432"),
        (
            "XX000",
            "terminating connection because of crash of another server process",
        ),
        ("XX000", "server closed the connection unexpectedly"),
    ] {
        each(|folder| {
            let dataset = folder.dataset();
            dataset.create("K0");
            fail(folder, "UPDATE ON counters", 3, gone);
            let verdict = dataset.offer(content("K1", ""));
            assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
            assert_eq!(tried(folder), "4", "{gone:?}");
            assert_eq!(dataset.counts(), (2, 0), "{gone:?}");
            dataset.is_sound();
        });
    }
}

#[test]
fn a_write_that_the_databases_own_disk_refuses_is_tried_once_and_is_no_node_that_is_away() {
    const DISK: (&str, &str) = ("58030", "could not write block 7 of a file");
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("K0");
        fail(folder, "UPDATE ON counters", 1, DISK);
        let ended = dataset.try_offer(content("K1", ""));
        assert!(matches!(ended, Err(StoreError::Database(_))), "{ended:?}");
        assert_eq!(tried(folder), "1");
        assert_eq!(dataset.counts(), (1, 0));
        dataset.is_sound();
    });
}

#[test]
fn a_commit_that_is_taken_back_again_and_again_is_an_error_that_may_pass_and_leaves_nothing() {
    for code in ["40001", "40P01"] {
        each(|folder| {
            let dataset = folder.dataset();
            dataset.create("K0");
            fail_commits(folder, ALWAYS, code);
            let ended = dataset.try_offer(content("K1", ""));
            assert!(matches!(ended, Err(StoreError::RolledBack(_))), "{ended:?}");
            assert_eq!(tried(folder), "8", "{code}");
            folder.run("DROP TRIGGER fails ON commits");
            assert_eq!(dataset.counts(), (1, 0), "{code}");
            assert!(dataset.by_key("K1").is_none(), "{code}");
            dataset.create("K1");
            dataset.is_sound();
        });
    }
}

/// Has whoever connects from now on look for a ring after a while in which the other one surely closes it.
const PATIENT: &str = "DO $$ BEGIN
     EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = ''8s''', current_database());
   END $$";

/// A writer takes the row of its dataset and then the one of the change log; who takes both in the other order makes a ring
/// with it, of which the database takes back the one that looks first.
#[test]
fn a_write_in_a_ring_of_locks_is_done_once_the_other_has_let_go() {
    const OTHER: &str = "SET deadlock_timeout = '60s';
         BEGIN;
         SELECT value FROM counters WHERE name = 'log' FOR UPDATE;
         DO $$ BEGIN
           FOR turn IN 1..1000 LOOP
             EXIT WHEN EXISTS (SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'
               AND transactionid = pg_current_xact_id()::xid);
             PERFORM pg_sleep(0.02);
           END LOOP;
         END $$;
         SELECT 'waited for: ' || count(*) FROM pg_locks
           WHERE NOT granted AND transactionid = pg_current_xact_id()::xid;
         SELECT dataset FROM dataset_state WHERE dataset = 1 FOR UPDATE;
         SELECT 'has both';
         COMMIT";
    // it has the first one then
    const LOOKING: &str = "SELECT 'looking: ' || count(*) FROM pg_stat_activity
           WHERE datname = current_database() AND state = 'active' AND query LIKE 'DO $$%'";
    each(|folder| {
        folder.run(PATIENT);
        let dataset = folder.dataset();
        dataset.create("K0");
        thread::scope(|scope| {
            let other = scope.spawn(|| folder.told(OTHER));
            let began = Instant::now();
            while !folder.told(LOOKING).contains("looking: 1") {
                assert!(
                    began.elapsed() < Duration::from_secs(20),
                    "it takes no lock"
                );
                thread::sleep(Duration::from_millis(20));
            }
            let verdict = dataset.offer(content("K1", ""));
            assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
            let told = other.join().expect("no panic");
            assert!(
                told.contains("waited for: 1"),
                "the ring was closed: {told}"
            );
            assert!(told.contains("has both"), "the write let go: {told}");
        });
        assert_eq!(dataset.counts(), (2, 0));
        dataset.is_sound();
    });
}

/// Has every commit wait for this standby, or for none.
fn wait_for_standby(cluster: &Cluster, name: &str) {
    let told = cluster.run(&format!(
        "ALTER SYSTEM SET synchronous_standby_names = '{name}';
         SELECT pg_reload_conf();"
    ));
    told.expect("it is told");
    // the process that tells commits reads its settings before a checkpoint that a session asks for which begins now
    cluster.run("CHECKPOINT;").expect("it is told");
}

/// Waits until a session waits for the standby in a statement that begins so.
fn waits_in(cluster: &Cluster, statement: &str) {
    let question = format!(
        "SELECT 'waiting: ' || count(*) FROM pg_stat_activity
           WHERE wait_event = 'SyncRep' AND query LIKE '{statement}%';"
    );
    let began = Instant::now();
    while !cluster
        .run(&question)
        .expect("it is asked")
        .contains("waiting: 1")
    {
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "{statement} does not wait"
        );
        thread::sleep(Duration::from_millis(20));
    }
}

/// What was committed is seen by all, though its standby has not answered for it: who asks what became of it waits as it did.
#[test]
fn a_commit_that_was_done_and_whose_session_ended_is_done_once() {
    let programs = cluster::programs().expect("there is no PostgreSQL");
    let cluster = Cluster::start(&programs).expect("a cluster");
    cluster
        .run("CREATE DATABASE story;")
        .expect("a database of it");
    let dataset = TestDataset::new(open_at(&cluster.address("story")), 1);
    dataset.create("K0");
    wait_for_standby(&cluster, "nobody");
    thread::scope(|scope| {
        let offered = scope.spawn(|| dataset.offer(content("K1", "")));
        waits_in(&cluster, "COMMIT");
        let ended = cluster.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep';",
        );
        ended.expect("it is told");
        waits_in(&cluster, "UPDATE commits");
        wait_for_standby(&cluster, "");
        let verdict = offered.join().expect("no panic");
        assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
    });
    assert_eq!(wait(dataset.store.log_head()), 2, "one entry each");
    assert_eq!(dataset.counts(), (2, 0));
    dataset.is_sound();
}
