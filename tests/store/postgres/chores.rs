//! What one of several servers does for all: for how long its lease is while it is at work and behind that, and that the marks
//! of commits go by it, whatever else is kept for ever.

use crate::engines::{StoreFolder, at_work, each, wait};
use crate::locked::while_locked;
use runtime::service::Schedule;
use std::thread;
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_millis(20);
const PAUSE: Duration = Duration::from_secs(3 * 3600);
/// Longer than anything takes that is waited for here.
const SOON_ENOUGH: Duration = Duration::from_secs(30);

/// First turns come at once, and next ones nobody sees here.
const ONCE: Schedule = Schedule {
    flush_pause: PAUSE,
    clean_first: SOON,
    clean_pause: PAUSE,
    count_pause: PAUSE,
};

/// The number that a statement tells, which begins a line with `told: `.
fn told(folder: &StoreFolder, statement: &str) -> Option<i64> {
    let told = folder.told(statement);
    let (_, number) = told.split_once("told: ")?;
    number.lines().next()?.trim().parse().ok()
}

/// Waits until a statement tells a number that will do.
fn told_once(folder: &StoreFolder, statement: &str, will_do: impl Fn(i64) -> bool) -> i64 {
    let began = Instant::now();
    loop {
        let number = told(folder, statement);
        if let Some(number) = number.filter(|number| will_do(*number)) {
            return number;
        }
        assert!(began.elapsed() < SOON_ENOUGH, "{statement}: {number:?}");
        thread::sleep(SOON);
    }
}

/// How many milliseconds a lease lasts still.
const LEFT: &str =
    "SELECT 'told: ' || (held_until - extract(epoch FROM clock_timestamp()) * 1000)::bigint
   FROM leases WHERE name LIKE 'housekeeping keeping the day%'";
/// What its turn waits for.
const HELD_UP: &str = "LOCK TABLE daily_counts IN ACCESS EXCLUSIVE MODE";

#[test]
fn a_server_at_work_is_missed_within_a_minute_and_one_that_is_done_when_its_next_turn_is_due() {
    each(|folder| {
        // its tables are made
        drop(folder.dataset());
        let mut service = None;
        while_locked(folder, HELD_UP, || {
            service = Some(at_work(folder, ONCE));
            let left = told_once(folder, LEFT, |_| true);
            assert!(
                left <= 60_000,
                "it has it for {left} ms while it is at work"
            );
        });
        let left = told_once(folder, LEFT, |left| left > 60_000);
        assert!(left > 3 * 3_600_000, "{left}");
        wait(service.expect("it is at work").close());
    });
}

#[test]
fn marks_of_commits_go_when_they_are_a_day_old_though_all_else_is_kept_for_ever() {
    each(|folder| {
        drop(folder.dataset());
        folder.run(
            "INSERT INTO commits (id, at) SELECT n, n FROM generate_series(1, 25000) AS s (n);
             INSERT INTO commits (id, at)
             VALUES (0, (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 3600000)",
        );
        let service = at_work(folder, ONCE);
        let old =
            "SELECT 'told: ' || count(*) FROM commits WHERE id BETWEEN 1 AND 25000 AND at = id";
        told_once(folder, old, |count| count == 0);
        let young = "SELECT 'told: ' || count(*) FROM commits WHERE id = 0";
        assert_eq!(told(folder, young), Some(1), "one of an hour ago stays");
        wait(service.close());
    });
}
