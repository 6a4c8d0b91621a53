//! Writes that wait together are committed together: a few commits for hundreds of writes, and as many statements as for one; of
//! each its own verdict.

use crate::engines::{StoreFolder, each, open_at, try_wait, wait};
use crate::locked::{LOG, while_held, while_locked_by};
use crate::repeats::{ALWAYS, fail, tried};
use crate::sent::{noting, sent_for};
use crate::test_dataset::{TestDataset, content, done};
use runtime::store::StoreError;
use runtime::store::postgres::{PostgresOptions, PostgresStore};
use runtime::store::records::{Change, RecordId, WriteVerdict};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tests::cluster::Cluster;

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

/// Has a script refuse one of twenty writes that wait together, whose text is of no use, and that one end in a way; all others are
/// done.
pub(crate) fn only_the_one_of_no_use_is_not_done(
    script: &str,
    is_ended_so: impl Fn(&Result<WriteVerdict, StoreError>) -> bool,
) {
    const REFUSED: usize = 10;
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("first");
        folder.run(script);
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
                assert!(is_ended_so(&ended), "{ended:?}");
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

/// As a fault of the database that only one of them has.
#[test]
fn of_writes_that_wait_together_only_the_one_that_fails_is_not_done() {
    let refused = "ALTER TABLE records ADD CONSTRAINT refuses CHECK (body NOT LIKE '%of no use%')";
    only_the_one_of_no_use_is_not_done(refused, Result::is_err);
}

/// As a database that goes away once a group was refused.
#[test]
fn of_writes_that_wait_together_none_is_tried_behind_one_that_is_not_answered() {
    const ANSWER: Duration = Duration::from_secs(2);
    const QUEUED: usize = 20;
    const REFUSED: usize = 10;
    each(|folder| {
        drop(folder.dataset());
        // it answers in time until it refused something
        folder.run(
            "CREATE SEQUENCE refused;
             CREATE FUNCTION judged(body text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
               IF body LIKE '%of no use%' THEN PERFORM nextval('refused'); RETURN false; END IF;
               IF (SELECT is_called FROM refused) THEN PERFORM pg_sleep(10); END IF;
               RETURN true;
             END $$;
             ALTER TABLE records ADD CONSTRAINT judges CHECK (judged(body))",
        );
        let options = PostgresOptions {
            answer: ANSWER,
            ..PostgresOptions::default()
        };
        let store = wait(PostgresStore::open(folder.address(), options));
        let dataset = TestDataset::new(Arc::new(store), 1);
        dataset.create("first");
        let mut queued = Vec::new();
        while_held(folder, || {
            for number in 0..QUEUED {
                let text = if number == REFUSED { "of no use" } else { "" };
                let change = TestDataset::creation(content(&format!("K{number}"), text));
                queued.push(dataset.store.write(dataset.write(change)));
            }
        });
        let began = Instant::now();
        let ended: Vec<_> = queued.into_iter().map(try_wait).collect();
        let took = began.elapsed();
        let away = ended
            .iter()
            .filter(|ended| matches!(ended, Err(StoreError::Unreachable(_))));
        assert!(away.count() > QUEUED / 4, "{ended:?}");
        // the group and the first of them are waited for, each twice
        assert!(took < 10 * ANSWER, "{took:?}: {ended:?}");
    });
}

/// Has each of forty writes that wait together fail with an error whenever it is tried, and all of them end in a way; most are never
/// tried: of all together there are only so many tries.
pub(crate) fn few_are_tried_where_each_fails(
    error: (&str, &str),
    is_ended_so: impl Fn(&Result<WriteVerdict, StoreError>) -> bool,
    tries: RangeInclusive<u32>,
) {
    const QUEUED: usize = 40;
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("first");
        fail(folder, "INSERT ON records", ALWAYS, error);
        let mut queued = Vec::new();
        while_held(folder, || {
            for number in 0..QUEUED {
                let change = TestDataset::creation(content(&format!("K{number}"), ""));
                queued.push(dataset.store.write(dataset.write(change)));
            }
        });
        for written in queued {
            let ended = try_wait(written);
            assert!(is_ended_so(&ended), "{ended:?}");
        }
        let tried: u32 = tried(folder).parse().expect("a number");
        assert!(tries.contains(&tried), "{tried}");
        folder.run("DROP TRIGGER fails ON records");
        assert_eq!(dataset.counts(), (1, 0));
        dataset.create("K0");
        dataset.is_sound();
    });
}

/// As where others write the same rows all the time: hundreds that wait must not be tried again and again one after the other.
#[test]
fn of_writes_that_wait_together_none_is_tried_behind_one_that_is_taken_back_again_and_again() {
    let is_taken_back = |ended: &_| matches!(ended, Err(StoreError::RolledBack(_)));
    let error = ("40001", "taken back by the story");
    // eight times each: two groups at most, and the first write of each by itself
    few_are_tried_where_each_fails(error, is_taken_back, 8..=4 * 8);
}

/// Statements of one transaction that writes to one dataset in one way: what it locks and reads, what it writes, and the note of its
/// commit.
const STATEMENTS_MAX: usize = 12;
/// What a store asks first by a connection that is newer than all others: whether the catalog is the one that it knows.
const ASKED_FIRST: usize = 4;
/// Transactions of writes that wait together: one that had begun with the first of them, and one with all others.
const BATCHES_MAX: usize = 2;

/// A dataset of a cluster that notes what it is sent.
struct Noted {
    dataset: TestDataset,
    cluster: Cluster,
}

impl Noted {
    fn start() -> Self {
        let cluster = noting("together");
        let store = open_at(&cluster.address("together"));
        let dataset = TestDataset::new(store, 1);
        // what a store asks once is asked
        dataset.create("first");
        Noted { dataset, cluster }
    }

    fn tell(&self, script: &str) -> String {
        let told = self.cluster.run(&format!("\\connect together\n{script};"));
        told.expect("it runs")
    }

    /// Does changes that wait together; their records, and how many statements they took.
    fn take(&self, changes: impl IntoIterator<Item = Change>) -> (Vec<RecordId>, usize) {
        let mut ids = Vec::with_capacity(WRITES);
        let sent = sent_for(&self.cluster, || {
            let mut queued = Vec::with_capacity(WRITES);
            while_locked_by(
                |script| self.tell(script),
                LOG,
                || {
                    for change in changes {
                        queued.push(self.dataset.store.write(self.dataset.write(change)));
                    }
                },
            );
            for written in queued {
                match wait(written) {
                    WriteVerdict::Done { id, .. } => ids.push(id),
                    other => panic!("nothing is against it: {other:?}"),
                }
            }
        });
        (ids, sent)
    }

    /// Does a change of one record, and of hundreds at once, each with its number; their records.
    fn take_one_and_many(&self, change: impl Fn(usize) -> Change) -> Vec<RecordId> {
        let (mut ids, of_one) = self.take([change(0)]);
        let most = STATEMENTS_MAX + ASKED_FIRST;
        assert!((1..=most).contains(&of_one), "{of_one} for one");
        let (others, of_many) = self.take((1..WRITES).map(change));
        assert!(
            (1..=BATCHES_MAX * of_one + ASKED_FIRST).contains(&of_many),
            "{of_many} for {} at once, {of_one} for one",
            others.len()
        );
        ids.extend(others);
        ids
    }
}

#[test]
fn hundreds_of_writes_are_as_many_statements_as_one() {
    let noted = Noted::start();
    let key = |number: usize| format!("K{number}");
    let ids = noted.take_one_and_many(|it| TestDataset::creation(content(&key(it), "first")));
    let updated = noted.take_one_and_many(|it| Change::Update {
        id: ids[it],
        version: 0,
        content: content(&key(it), "second"),
    });
    assert_eq!(updated, ids);
    assert_eq!(noted.dataset.counts(), (1 + WRITES as u64, 0));
    noted.take_one_and_many(|it| Change::Delete {
        id: ids[it],
        version: 1,
    });
    assert_eq!(noted.dataset.counts(), (1, 0));
    noted.dataset.is_sound();
}
