//! What servers share of limits is counted by the clock of the database: one whose own clock is ahead has no more than the others,
//! and takes nothing from them.

use crate::engines::{each, wait};
use runtime::store::SharedLimits as _;
use runtime::store::postgres::PostgresStore;
use runtime::store::shared_limits::{Allowance, TakeVerdict, Taken};
use runtime::value::Timestamp;
use std::ops::RangeInclusive;

/// Three at once, and one more each minute.
const TRIES: Allowance = Allowance {
    at_once: 3,
    each_micros: 60_000_000,
};
/// A minute, but for what the story took until then.
const A_MINUTE: RangeInclusive<i64> = 20_000_000..=60_000_000;
const NOON: i64 = 1_769_850_300_000;

/// Two servers' clocks, in milliseconds.
const CLOCKS: [[i64; 2]; 4] = [
    [NOON, NOON],
    [NOON, NOON + 600_000],
    [NOON, NOON - 600_000],
    [NOON, NOON + 250 * 86_400_000],
];

fn tries(count: i64) -> Vec<Taken> {
    vec![Taken {
        holder: "pair ada".to_owned(),
        allowance: TRIES,
        count,
    }]
}

fn take(server: &PostgresStore, millis: i64) -> TakeVerdict {
    let at = Timestamp::from_millis(millis);
    wait(server.take_allowances(tries(1), at))
}

#[test]
fn servers_whose_clocks_are_apart_share_what_there_is() {
    for [first, second] in CLOCKS {
        each(|folder| {
            let (one, other) = (folder.server(), folder.server());
            assert_eq!(take(&one, first), Ok(()));
            assert_eq!(take(&other, second), Ok(()));
            assert_eq!(take(&one, first), Ok(()));
            // whichever is asked, and one that begins now
            for (server, clock) in [(&one, first), (&other, second), (&folder.server(), second)] {
                let lacking = take(server, clock).expect_err("there is none left");
                assert!(A_MINUTE.contains(&lacking), "{lacking}");
            }
            wait(other.give_back_allowances(tries(1)));
            assert_eq!(take(&one, first), Ok(()));
            assert!(take(&other, second).is_err());
            // what passes is what the server's own clock says that passed
            assert_eq!(take(&one, first + 61_000), Ok(()));
            // nobody is forgotten who lacks something, and whoever has all is
            let at = Timestamp::from_millis;
            wait(other.forget_whole_allowances(at(second)));
            assert!(take(&one, first).is_err());
            wait(other.forget_whole_allowances(at(second + 600_000)));
            let told = folder.told("SELECT 'left: ' || count(*) FROM allowances");
            assert!(told.contains("left: 0"), "{told}");
        });
    }
}

#[test]
fn what_was_taken_by_a_clock_that_was_far_ahead_leaves_one_and_comes_back_by_that_of_now() {
    each(|folder| {
        let server = folder.server();
        for _ in 0..3 {
            assert_eq!(take(&server, NOON), Ok(()));
        }
        assert!(take(&server, NOON).is_err());
        folder.told("UPDATE allowances SET whole_at = whole_at + 86400000000");
        assert_eq!(take(&server, NOON), Ok(()));
        let lacking = take(&server, NOON).expect_err("there is none left");
        assert!(A_MINUTE.contains(&lacking), "{lacking}");
        assert_eq!(take(&server, NOON + 61_000), Ok(()));
    });
}

#[test]
fn what_was_taken_by_a_clock_that_was_ahead_by_as_much_as_all_take_shuts_nobody_out() {
    each(|folder| {
        let server = folder.server();
        for _ in 0..3 {
            assert_eq!(take(&server, NOON), Ok(()));
        }
        // three minutes
        folder.told("UPDATE allowances SET whole_at = whole_at + 180000000");
        assert_eq!(take(&server, NOON), Ok(()));
        let lacking = take(&server, NOON).expect_err("there is none left");
        assert!(A_MINUTE.contains(&lacking), "{lacking}");
    });
}
