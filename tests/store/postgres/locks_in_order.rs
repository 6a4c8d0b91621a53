//! Who waits for a lock has none that others need who wait for nothing of its own: not who decides, nor who puts a job in, nor who
//! moves the store. Else they would stand in a ring.

use crate::engines::{StoreFolder, each, pass, try_wait, wait};
use crate::jobs::{add, at, job, lease, step, take};
use crate::locked::{while_held, while_locked};
use crate::nouns::{area, tenant};
use crate::test_dataset::{TestDataset, content, done};
use crate::two_servers::put;
use runtime::service::manage::{JobKind, JobState};
use runtime::store::Catalogs as _;
use runtime::store::jobs::{Job, JobChoice, JobStep, Jobs as _, StepVerdict};
use runtime::store::postgres::{PostgresOptions, PostgresTransfer};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// What nobody has who is held up: the number of the log is asked for without a wait for it.
const FREE_LOG: &str = "SELECT value FROM counters WHERE name = 'log' FOR UPDATE NOWAIT";
const CATALOG: &str = "SELECT value FROM counters WHERE name = 'catalog' FOR UPDATE";
const SLOW: &str = "SELECT id FROM jobs WHERE id = 'slow' FOR UPDATE";
const WAITING: &str = "SELECT 'waiting: ' || count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'";
/// Shorter than what is locked is held at most.
const IN_TIME: Duration = Duration::from_secs(20);
const MINUTE: i64 = 60;

fn until_waiting(folder: &StoreFolder, count: usize) {
    let all = format!("waiting: {count}");
    let began = Instant::now();
    while !folder.told(WAITING).contains(&all) {
        assert!(began.elapsed() < IN_TIME, "fewer than {count} wait");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Does what nobody holds up.
fn in_time(work: impl FnOnce()) {
    let began = Instant::now();
    work();
    let took = began.elapsed();
    assert!(took < IN_TIME, "{took:?}");
}

#[test]
fn who_waits_for_the_number_of_the_log_holds_up_nobody_who_decides() {
    each(|folder| {
        let [writes, notes, steps] = [(); 3].map(|()| folder.server());
        put(&writes, vec![tenant("t").into()]);
        let dataset = TestDataset::new(writes.clone(), 1);
        dataset.create("K0");
        add(&*steps, "stepped", "t");
        assert!(take(&*steps, "worker", 1).is_some(), "it waits");
        let creation = |key: &str| dataset.write(TestDataset::creation(content(key, "")));
        let noted = Job {
            kind: JobKind::Bulk,
            state: JobState::Cancelled,
            ended_at: Some(at(5)),
            ..job("noted", "t")
        };
        let stepped = JobStep {
            writes: vec![creation("K2")],
            ..step("stepped", "worker", 1)
        };
        let mut answers = None;
        while_held(folder, || {
            let written = dataset.store.write(creation("K1"));
            let noted = notes.note_job(noted);
            let stepped = steps.step_job(stepped);
            until_waiting(folder, 3);
            in_time(|| put(&writes, vec![area("a", "Area").into()]));
            answers = Some((written, noted, stepped));
        });
        let (written, noted, stepped) = answers.expect("they were asked for");
        assert!(done(0)(wait(written)));
        wait(noted);
        let stepped = wait(stepped);
        assert!(matches!(stepped, StepVerdict::Done(_)), "{stepped:?}");
        assert!(wait(notes.job("noted")).is_some(), "it is noted");
        assert_eq!(writes.catalog().areas.len(), 1);
        dataset.is_sound();
    });
}

#[test]
fn who_takes_a_job_of_which_a_step_is_waited_for_holds_up_nobody_who_puts_one_in() {
    each(|folder| {
        let [one, other] = [(); 2].map(|()| folder.server());
        add(&*one, "slow", "t");
        assert!(take(&*one, "worker", 1).is_some(), "it waits");
        pass(folder, MINUTE + 1);
        let mut taking = None;
        while_locked(folder, SLOW, || {
            let choice = JobChoice::One("slow".to_owned());
            taking = Some(other.take_job(choice, lease("other", MINUTE), at(0)));
            until_waiting(folder, 1);
            in_time(|| add(&*one, "next", "t"));
        });
        let taken = wait(taking.expect("it was asked for"));
        assert_eq!(
            taken.map(|job| (job.id, job.tries)),
            Some(("slow".to_owned(), 2))
        );
    });
}

#[test]
fn a_write_behind_a_move_that_waits_has_nothing_that_the_move_needs() {
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("K0");
        let options = PostgresOptions::default();
        let transfer = wait(PostgresTransfer::open(folder.address(), &options));
        let transfer = Arc::new(transfer);
        let (mut moving, mut written) = (None, None);
        while_locked(folder, CATALOG, || {
            let transfer = transfer.clone();
            moving = Some(thread::spawn(move || wait(transfer.hold())));
            until_waiting(folder, 1);
            let creation = TestDataset::creation(content("K1", ""));
            written = Some(dataset.store.write(dataset.write(creation)));
            until_waiting(folder, 2);
            folder.run(FREE_LOG);
        });
        let moving = moving.expect("it began");
        moving.join().expect("no panic");
        // a write that goes on beside a move does not
        until_waiting(folder, 1);
        try_wait(transfer.release());
        assert!(done(0)(wait(written.expect("it was asked for"))));
        dataset.is_sound();
    });
}
