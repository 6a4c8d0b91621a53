//! Counts that are kept day by day: what the counters say, the last count of a day, and no day for ever.

use crate::engines::{each, wait};
use crate::test_dataset::{TestDataset, done, faulty};
use runtime::store::daily_counts::DayCounts;
use runtime::store::records::Counts;
use runtime::value::Day;

fn day(number: i64) -> Day {
    Day::from_number(20_000 + number)
}

fn keep(dataset: &TestDataset, number: i64) {
    wait(dataset.store.keep_daily_counts(day(number), day(0)));
}

/// Day, records and faulty ones of some datasets together.
fn kept(dataset: &TestDataset, datasets: &[u32], first: i64) -> Vec<(i64, u64, u64)> {
    let found = dataset.store.daily_counts(datasets.to_vec(), day(first));
    let told = |it: DayCounts| {
        let Counts { records, errored } = it.counts;
        (it.day.number() - 20_000, records, errored)
    };
    wait(found).into_iter().map(told).collect()
}

#[test]
fn the_count_of_a_day_is_replaced_until_the_day_is_over() {
    each(|folder| {
        let one = folder.dataset();
        keep(&one, 1);
        assert_eq!(kept(&one, &[1], 0), []);
        let first = one.create("a");
        keep(&one, 1);
        one.offer(faulty("b"));
        keep(&one, 1);
        assert_eq!(kept(&one, &[1], 0), [(1, 2, 1)]);
        assert!(done(0)(one.delete(first, 0)));
        keep(&one, 2);
        // nobody counted on day 3
        one.create("c");
        keep(&one, 4);
        keep(&one, 4);
        assert_eq!(kept(&one, &[1], 0), [(1, 2, 1), (2, 1, 1), (4, 2, 1)]);
        assert_eq!(kept(&one, &[1], 2), [(2, 1, 1), (4, 2, 1)]);
        drop(one);
        assert_eq!(
            kept(&folder.dataset(), &[1], 3),
            [(4, 2, 1)],
            "it is on disk"
        );
    });
}

#[test]
fn several_datasets_are_counted_together_and_none_is_counted_that_was_not_asked_for() {
    each(|folder| {
        let one = folder.dataset();
        let (two, three) = (one.beside(2), one.beside(3));
        one.create("a");
        two.offer(faulty("a"));
        keep(&one, 1);
        three.create("a");
        three.offer(faulty("b"));
        keep(&one, 2);
        assert_eq!(kept(&one, &[1, 2], 0), [(1, 2, 1), (2, 2, 1)]);
        assert_eq!(kept(&one, &[3, 9], 0), [(2, 2, 1)]);
        assert_eq!(kept(&one, &[9], 0), []);
        assert_eq!(kept(&one, &[], 0), []);
        let counts = |records, errored| Counts { records, errored };
        let found = wait(one.store.counts_of(vec![3, 9, 1, 3]));
        let expected = [counts(2, 1), counts(0, 0), counts(1, 0), counts(2, 1)];
        assert_eq!(found, expected);
        assert_eq!(wait(one.store.counts_of(Vec::new())), []);
    });
}

#[test]
fn days_that_are_too_old_are_forgotten() {
    each(|folder| {
        let one = folder.dataset();
        one.create("a");
        keep(&one, 1);
        keep(&one, 2);
        wait(one.store.keep_daily_counts(day(3), day(2)));
        assert_eq!(kept(&one, &[1], 0), [(2, 1, 0), (3, 1, 0)]);
    });
}

#[test]
fn a_server_whose_clock_is_behind_forgets_no_count_of_the_days_since() {
    each(|folder| {
        let one = folder.dataset();
        one.create("a");
        keep(&one, 1);
        keep(&one, 90);
        keep(&one, 3);
        one.create("b");
        keep(&one, 2);
        let all = [(1, 1, 0), (2, 2, 0), (3, 1, 0), (90, 1, 0)];
        assert_eq!(kept(&one, &[1], 0), all);
    });
}

#[test]
fn servers_of_one_store_that_count_at_once_do_no_harm() {
    each(|folder| {
        let one = folder.dataset();
        for number in 1..20 {
            one.beside(number).create("a");
        }
        let turns = (0..16).map(|_| one.store.keep_daily_counts(day(1), day(0)));
        for turn in turns.collect::<Vec<_>>() {
            wait(turn);
        }
        let all: Vec<u32> = (1..20).collect();
        assert_eq!(kept(&one, &all, 0), [(1, 19, 0)]);
    });
}
