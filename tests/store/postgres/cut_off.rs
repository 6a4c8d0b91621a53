//! What the database gives up since a lock was not to be had for as long as the address says, or whose end it never knows: nothing
//! of it is done, it may come again, and what waits behind it is not held up.

use crate::engines::{each, open_at};
use crate::locked::{LOG, while_locked};
use crate::repeats::{ALWAYS, fail, tried};
use crate::test_dataset::{TestDataset, content};
use crate::together::none_is_tried_behind_one_that_fails;
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
fn of_writes_that_wait_together_none_is_tried_behind_one_that_has_no_lock_in_time() {
    let error = ("55P03", "canceling statement due to lock timeout");
    // once each: two groups at most, and the first write of each by itself
    none_is_tried_behind_one_that_fails(error, is_cut_off, 1..=4);
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
