//! Writes that wait together are committed together: a few commits for hundreds of writes, and of each its own verdict.

use crate::engines::{StoreFolder, each, try_wait, wait};
use crate::locked::while_held;
use crate::test_dataset::{TestDataset, content, done};
use runtime::store::records::WriteVerdict;

const WRITES: usize = 200;
/// The write whose key another one of them has, which comes before it.
const LATE: usize = 120;
const EARLY: usize = 3;
/// What one transaction takes, and one that had begun with the first of them; as many again for what the store notes beside.
const COMMITS_MAX: u64 = 4;

/// How many transactions noted that they wrote.
fn commits(folder: &StoreFolder) -> u64 {
    let told = folder.told("SELECT 'commits: ' || count(*) FROM commits");
    let lines = told.lines().map(str::trim);
    let mut counts = lines.filter_map(|line| line.strip_prefix("commits: "));
    counts.next().expect("a count").parse().expect("a number")
}

#[test]
fn hundreds_of_writes_that_wait_are_a_few_commits_and_each_has_its_verdict() {
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("first");
        let before = commits(folder);
        let mut queued = Vec::with_capacity(WRITES);
        while_held(folder, || {
            for number in 0..WRITES {
                let key = if number == LATE { EARLY } else { number };
                let change = TestDataset::creation(content(&format!("K{key}"), ""));
                queued.push(dataset.store.write(dataset.write(change)));
            }
        });
        for (number, written) in queued.into_iter().enumerate() {
            let verdict = wait(written);
            if number == LATE {
                assert_eq!(verdict, WriteVerdict::DuplicateKey);
            } else {
                assert!(done(0)(verdict), "{number}: {verdict:?}");
            }
        }
        let made = commits(folder) - before;
        assert!((1..=COMMITS_MAX).contains(&made), "{made} commits");
        assert_eq!(dataset.counts(), (WRITES as u64, 0));
        dataset.is_sound();
    });
}

/// As a fault of the database that only one of them has.
#[test]
fn of_writes_that_wait_together_only_the_one_that_fails_is_not_done() {
    const REFUSED: usize = 10;
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("first");
        folder
            .run("ALTER TABLE records ADD CONSTRAINT refuses CHECK (body NOT LIKE '%of no use%')");
        let mut queued = Vec::new();
        while_held(folder, || {
            for number in 0..20 {
                let text = if number == REFUSED { "of no use" } else { "" };
                let change = TestDataset::creation(content(&format!("K{number}"), text));
                queued.push(dataset.store.write(dataset.write(change)));
            }
        });
        for (number, written) in queued.into_iter().enumerate() {
            let ended = try_wait(written);
            if number == REFUSED {
                assert!(ended.is_err(), "{ended:?}");
            } else {
                let is_done = ended.as_ref().is_ok_and(|it| done(0)(*it));
                assert!(is_done, "{number}: {ended:?}");
            }
        }
        assert_eq!(dataset.counts(), (20, 0));
        assert!(dataset.by_key("K10").is_none());
        dataset.is_sound();
    });
}
