//! What servers share of limits is counted by the clock of the database: no server's own has a say in it, however far it is apart and
//! whenever it is put right.

use crate::engines::{each, pass, wait};
use runtime::store::SharedLimits as _;
use runtime::store::postgres::PostgresStore;
use runtime::store::shared_limits::{Allowance, TakeVerdict, Taken};
use std::ops::RangeInclusive;

/// Three at once, and one more each minute.
const TRIES: Allowance = Allowance {
    at_once: 3,
    each_micros: 60_000_000,
};
/// A minute, but for what the story took until then.
const A_MINUTE: RangeInclusive<i64> = 20_000_000..=60_000_000;

fn tries(count: i64) -> Vec<Taken> {
    vec![Taken {
        holder: "pair ada".to_owned(),
        allowance: TRIES,
        count,
    }]
}

fn take(server: &PostgresStore) -> TakeVerdict {
    wait(server.take_allowances(tries(1)))
}

#[test]
fn servers_share_what_there_is_and_it_comes_back_by_the_clock_of_the_database() {
    each(|folder| {
        let (one, other) = (folder.server(), folder.server());
        assert_eq!(take(&one), Ok(()));
        assert_eq!(take(&other), Ok(()));
        assert_eq!(take(&one), Ok(()));
        // whichever is asked, and one that begins now
        for server in [&one, &other, &folder.server()] {
            let lacking = take(server).expect_err("there is none left");
            assert!(A_MINUTE.contains(&lacking), "{lacking}");
        }
        wait(other.give_back_allowances(tries(1)));
        assert_eq!(take(&one), Ok(()));
        assert!(take(&other).is_err());
        pass(folder, 61);
        assert_eq!(take(&one), Ok(()));
        // nobody is forgotten who lacks something, and whoever has all is
        wait(other.forget_whole_allowances());
        assert!(take(&one).is_err());
        pass(folder, 600);
        wait(other.forget_whole_allowances());
        let told = folder.told("SELECT 'left: ' || count(*) FROM allowances");
        assert!(told.contains("left: 0"), "{told}");
    });
}

#[test]
fn who_lacks_something_is_found_by_the_beginning_of_its_name_and_keeps_what_it_has() {
    each(|folder| {
        let server = folder.server();
        let beginnings = vec!["pair ada".to_owned(), "pair bob".to_owned()];
        let lacking = || wait(server.lacking_allowances(beginnings.clone()));
        assert_eq!(lacking(), []);
        assert_eq!(take(&server), Ok(()));
        for _ in 0..2 {
            let found = lacking();
            let [(name, micros)] = &found[..] else {
                panic!("{found:?}");
            };
            assert!(name == "pair ada" && A_MINUTE.contains(micros), "{found:?}");
        }
        let others = vec!["pair a d".to_owned(), "air ada".to_owned()];
        assert_eq!(wait(server.lacking_allowances(others)), []);
        pass(folder, 61);
        assert_eq!(lacking(), []);
        // three were not taken by looks
        for left in [true, true, true, false] {
            assert_eq!(take(&server).is_ok(), left);
        }
    });
}

#[test]
fn several_are_taken_at_once_or_none_and_as_many_as_there_may_be() {
    each(|folder| {
        let server = folder.server();
        let take = |count| wait(server.take_allowances(tries(count)));
        assert_eq!(take(2), Ok(()));
        assert!(take(2).is_err());
        assert_eq!(take(1), Ok(()));
        pass(folder, 600);
        assert_eq!(take(3), Ok(()));
        let lacking = take(3).expect_err("there is none left");
        assert!((140_000_000..=180_000_000).contains(&lacking), "{lacking}");
    });
}

#[test]
fn what_was_taken_by_a_clock_that_was_ahead_leaves_one_and_comes_back_by_that_of_now() {
    // as far as all take, and a day: of a database, too, the clock may be put right
    for seconds in [180, 24 * 3600] {
        each(|folder| {
            let server = folder.server();
            for _ in 0..3 {
                assert_eq!(take(&server), Ok(()));
            }
            assert!(take(&server).is_err());
            pass(folder, -seconds);
            assert_eq!(take(&server), Ok(()), "{seconds}");
            let lacking = take(&server).expect_err("there is none left");
            assert!(A_MINUTE.contains(&lacking), "{seconds}: {lacking}");
            pass(folder, 61);
            assert_eq!(take(&server), Ok(()), "{seconds}");
        });
    }
}
