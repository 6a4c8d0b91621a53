//! What the database gives up since it took longer, or a lock was not to be had, for as long as the address says, or whose end it never
//! knows: nothing of it is done, it may come again, and what waits behind it is not held up.

use crate::engines::{StoreFolder, each, open_at};
use crate::locked::{LOG, while_locked};
use crate::repeats::{ALWAYS, fail, tried};
use crate::test_dataset::{TestDataset, content};
use crate::together::{few_are_tried_where_each_fails, only_the_one_of_no_use_is_not_done};
use runtime::store::records::WriteVerdict;
use runtime::store::{Lack, StoreError};

const RECORDS: &str = "LOCK TABLE records IN ACCESS EXCLUSIVE MODE";

fn is_cut_off(ended: &Result<WriteVerdict, StoreError>) -> bool {
    matches!(ended, Err(StoreError::Lacking { what, .. }) if *what == Lack::Time)
}

#[test]
fn a_write_that_has_no_lock_for_as_long_as_the_address_says_is_not_done_and_may_come_again() {
    for held in [LOG, RECORDS] {
        each(|folder| {
            let dataset = folder.dataset();
            dataset.create("K0");
            let address = format!("{} options='-c lock_timeout=1s'", folder.address());
            let hurried = TestDataset::new(open_at(&address), 1);
            while_locked(folder, held, || {
                let ended = hurried.try_offer(content("K1", ""));
                assert!(is_cut_off(&ended), "{held}: {ended:?}");
            });
            assert_eq!(dataset.counts(), (1, 0), "{held}");
            hurried.create("K1");
            hurried.is_sound();
        });
    }
}

/// As where somebody holds what all need: of hundreds that wait, each would wait in vain.
#[test]
fn of_writes_that_wait_together_none_is_tried_behind_two_that_are_cut_off() {
    for error in [
        ("55P03", "canceling statement due to lock timeout"),
        ("57014", "canceling statement due to statement timeout"),
        ("25P04", "terminating connection due to transaction timeout"),
    ] {
        // once each: two groups at most, and the first two writes of each by themselves
        few_are_tried_where_each_fails(error, is_cut_off, 1..=6);
    }
}

/// As one that is too large for the time of a statement, or needs a row that somebody holds and no other one needs.
#[test]
fn of_writes_that_wait_together_only_the_one_that_is_cut_off_is_not_done() {
    const REFUSED: &str =
        "CREATE FUNCTION is_quick(body text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
           IF body LIKE '%of no use%' THEN
             RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = '57014';
           END IF;
           RETURN true;
         END $$;
         ALTER TABLE records ADD CONSTRAINT quick CHECK (is_quick(body))";
    only_the_one_of_no_use_is_not_done(REFUSED, is_cut_off);
}

/// How a commit is cut off: somebody cancels it, or it is told as PostgreSQL 17 tells of a transaction that takes too long. A
/// `statement_timeout` does not do it there, whose time is no longer counted when the commit begins.
const AT_COMMIT: [&str; 2] = [
    "PERFORM pg_cancel_backend(pg_backend_pid()); PERFORM pg_sleep(60)",
    "RAISE EXCEPTION 'transaction timeout, says the story' USING ERRCODE = '25P04'",
];

/// Has commits of writes be cut off, when all else of them is done: by a table that each of them changes and that nothing divides.
fn cut_commits_off(folder: &StoreFolder, how: &str) {
    folder.run(&format!(
        "CREATE FUNCTION cut_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           {how};
           RETURN NULL;
         END $$;
         CREATE CONSTRAINT TRIGGER cuts_off AFTER UPDATE ON counters
           DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION cut_off()"
    ));
}

#[test]
fn a_commit_that_is_cut_off_is_looked_up_and_what_was_not_done_may_come_again() {
    for how in AT_COMMIT {
        each(|folder| {
            let dataset = folder.dataset();
            dataset.create("K0");
            cut_commits_off(folder, how);
            let ended = dataset.try_offer(content("K1", ""));
            assert!(is_cut_off(&ended), "{how}: {ended:?}");
            // what looked it up keeps it from being committed later
            let told = folder.told("SELECT 'given up: ' || count(*) FROM commits WHERE at % 2 = 1");
            assert!(told.contains("given up: 1"), "{how}: {told}");
            folder.run("DROP TRIGGER cuts_off ON counters");
            assert_eq!(dataset.counts(), (1, 0), "{how}");
            dataset.create("K1");
            assert_eq!(dataset.counts(), (2, 0), "{how}");
            dataset.is_sound();
        });
    }
}

/// Has who looks a commit up find that it was done, which PostgreSQL never says of one that it cut off: its row is put there at that
/// moment.
const COMMITTED: &str = "CREATE FUNCTION commit_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF NEW.at % 2 = 0 THEN RETURN NEW; END IF;
       INSERT INTO commits (id, at) VALUES (NEW.id, NEW.at - 1);
       RETURN NULL;
     END $$;
     CREATE TRIGGER commits_first BEFORE INSERT ON commits FOR EACH ROW EXECUTE FUNCTION commit_first()";

/// As an engine of several nodes may tell it of what they did.
#[test]
fn a_commit_that_is_cut_off_and_was_done_all_the_same_is_answered_as_done() {
    for how in AT_COMMIT {
        each(|folder| {
            let dataset = folder.dataset();
            dataset.create("K0");
            cut_commits_off(folder, how);
            folder.run(COMMITTED);
            let verdict = dataset.offer(content("K1", ""));
            let is_done = matches!(verdict, WriteVerdict::Done { .. });
            assert!(is_done, "{how}: {verdict:?}");
        });
    }
}

#[test]
fn a_write_whose_end_the_database_never_knows_may_come_again_and_leaves_nothing() {
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("K0");
        let error = ("40003", "not known, says the story");
        fail(folder, "UPDATE ON counters", ALWAYS, error);
        let ended = dataset.try_offer(content("K1", ""));
        assert!(matches!(ended, Err(StoreError::RolledBack(_))), "{ended:?}");
        assert_eq!(tried(folder), "8");
        folder.run("DROP TRIGGER fails ON counters");
        assert_eq!(dataset.counts(), (1, 0));
        dataset.create("K1");
        dataset.is_sound();
    });
}

/// A commit whose end is not known, and then two questions about it that are cut off.
const UNKNOWN: &str = "CREATE SEQUENCE tries;
     CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       CASE nextval('tries')
         WHEN 1 THEN RAISE EXCEPTION 'not known, says the story' USING ERRCODE = '40003';
         WHEN 2 THEN RAISE EXCEPTION 'no lock in time' USING ERRCODE = '55P03';
         WHEN 3 THEN RAISE EXCEPTION 'no answer in time' USING ERRCODE = '57014';
         ELSE RETURN NEW;
       END CASE;
     END $$;
     CREATE TRIGGER fails BEFORE INSERT ON commits FOR EACH ROW EXECUTE FUNCTION fail()";

#[test]
fn what_became_of_a_commit_is_asked_again_where_the_question_was_cut_off() {
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("K0");
        folder.run(UNKNOWN);
        let verdict = dataset.offer(content("K1", ""));
        assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
        // the question that was answered, and the write once more
        assert_eq!(tried(folder), "5");
        assert_eq!(dataset.counts(), (2, 0));
        dataset.is_sound();
    });
}
