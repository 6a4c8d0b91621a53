//! Jobs: done in steps that are whole or nothing, cancelled, listed, and gone once they are old. Who takes which next is in
//! `job_queue.rs`.

use crate::engines::{Store, each, wait};
use crate::test_dataset::{TestDataset, actor, content};
use runtime::service::manage::{JobFile, JobKind, JobProgress, JobState};
use runtime::store::jobs::{
    AddVerdict, Job, JobChoice, JobEnd, JobFilePart, JobFileRow, JobFilter, JobLease, JobStep,
    JobUpdate, LOG_LINES_MAX, StepVerdict,
};
use runtime::store::records::{Change, WriteVerdict};
use runtime::value::Timestamp;
use serde_json::json;

pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_millis(second * 1000)
}

pub(crate) fn job(id: &str, tenant: &str) -> Job {
    Job {
        number: 0,
        id: id.to_owned(),
        tenant: tenant.to_owned(),
        area: "a".to_owned(),
        schema: format!("schema of {tenant}"),
        dataset: format!("dataset of {tenant}"),
        kind: JobKind::Import,
        maker: actor(),
        made_at: at(0),
        started_at: None,
        tries: 0,
        ended_at: None,
        state: JobState::Queued,
        is_cancelling: false,
        options: json!({"mode": "create"}).into(),
        cursor: None,
        progress: JobProgress::default(),
        result: None,
        failure: None,
        log_after: 0,
        schema_version: 0,
        log: Vec::new(),
        files: Vec::new(),
        is_to_be_emptied: false,
        is_emptied: false,
        elsewhere_since: None,
        is_of_command: false,
    }
}

pub(crate) fn lease(holder: &str, until: i64) -> JobLease {
    JobLease {
        holder: holder.to_owned(),
        until: at(until),
    }
}

pub(crate) fn add(store: &dyn Store, id: &str, tenant: &str) {
    let added = wait(store.add_job(job(id, tenant), 100));
    assert_eq!(added, AddVerdict::Added, "{id}");
}

/// Takes the next job at a moment, for a minute; its id.
pub(crate) fn take(store: &dyn Store, holder: &str, now: i64) -> Option<String> {
    let next = JobChoice::Next {
        running_max: 1,
        left: Vec::new(),
    };
    let taken = wait(store.take_job(next, lease(holder, now + 60), at(now)));
    taken.map(|job| job.id)
}

pub(crate) fn get(store: &dyn Store, id: &str) -> Job {
    wait(store.job(id)).expect("the job is there")
}

/// A step that goes on at a row.
pub(crate) fn step(id: &str, holder: &str, row: u64) -> JobStep {
    JobStep {
        id: id.to_owned(),
        holder: holder.to_owned(),
        at: at(5),
        until: at(65),
        writes: Vec::new(),
        update: Some(JobUpdate {
            cursor: Some(json!({"rows": row})),
            progress: JobProgress {
                rows: row,
                ..JobProgress::default()
            },
            result: Some(json!({"created": row}).into()),
        }),
        log: Vec::new(),
        is_elsewhere: false,
        end: None,
    }
}

pub(crate) fn end(step: JobStep, state: JobState) -> JobStep {
    JobStep {
        end: Some(JobEnd {
            state,
            failure: None,
            files: Vec::new(),
        }),
        ..step
    }
}

fn create(dataset: &TestDataset, key: &str) -> runtime::store::records::Write {
    dataset.write(Change::Create {
        nonce: 7,
        content: content(key, "by a job"),
    })
}

#[test]
fn the_tenants_of_several_jobs_are_told_at_once_without_those_that_are_not_there() {
    each(|folder| {
        let store = &*folder.open();
        for (id, tenant) in [("1", "t"), ("2", "t"), ("3", "u")] {
            add(store, id, tenant);
        }
        let tenants = |ids: &[&str]| {
            let ids = ids.iter().map(|id| (*id).to_owned()).collect();
            let mut found = wait(store.job_tenants(ids));
            found.sort();
            found
        };
        let of = |id: &str, tenant: &str| (id.to_owned(), tenant.to_owned());
        let expected = [of("1", "t"), of("3", "u")];
        assert_eq!(tenants(&["3", "none", "'", "1", "1"]), expected);
        assert!(tenants(&["none"]).is_empty() && tenants(&[]).is_empty());
    });
}

#[test]
fn a_job_that_is_under_way_while_a_record_is_purged_is_emptied_at_its_end() {
    each(|folder| {
        let store = &*folder.open();
        for id in ["1", "2"] {
            add(store, id, "t");
        }
        take(store, "one", 1);
        let is_marked = || ["1", "2"].map(|id| get(store, id).is_to_be_emptied);
        wait(store.mark_running_jobs("dataset of other", 1));
        wait(store.mark_running_jobs("dataset of t", 0));
        assert_eq!(
            is_marked(),
            [false, false],
            "it is of another, or was asked for behind it"
        );
        wait(store.mark_running_jobs("dataset of t", 1));
        assert_eq!(is_marked(), [true, false], "the other one waits");
        let told = JobStep {
            update: Some(JobUpdate {
                result: Some(json!({"rows": 1, "rejections": [{"samples": ["secret"]}]}).into()),
                ..JobUpdate::default()
            }),
            ..step("1", "one", 1)
        };
        assert_eq!(
            wait(store.step_job(told.clone())),
            StepVerdict::Done(vec![])
        );
        assert_eq!(is_marked(), [true, false], "it goes on");
        let ended = JobStep {
            end: Some(JobEnd {
                state: JobState::Failed,
                failure: Some("of the secret".to_owned()),
                files: vec![JobFileRow {
                    file: JobFile::Rejects,
                    name: "rejects.csv".to_owned(),
                    bytes: 7,
                    parts: Vec::new(),
                }],
            }),
            ..told
        };
        assert_eq!(wait(store.step_job(ended)), StepVerdict::Done(vec![]));
        let job = get(store, "1");
        assert!(job.is_emptied && !job.is_to_be_emptied);
        assert_eq!(job.state, JobState::Failed);
        assert_eq!(job.files, []);
        let result = r#"{"rejections":[{"samples":[]}],"rows":1}"#;
        assert_eq!(job.result.as_ref().expect("a result").get(), result);
        assert!(!format!("{job:?}").contains("secret"), "{job:?}");
        let last = job.log.last().expect("a line");
        assert!(last.text.contains("purged while this ran"), "{last:?}");
    });
}

#[test]
fn a_step_is_whole_or_nothing() {
    each(|folder| {
        let dataset = folder.dataset();
        let store = &*dataset.store;
        add(store, "1", "t");
        take(store, "one", 1);
        dataset.create("TAKEN");
        let counts = dataset.counts();
        let both = JobStep {
            writes: vec![create(&dataset, "NEW"), create(&dataset, "TAKEN")],
            ..step("1", "one", 2)
        };
        let StepVerdict::Refused(verdicts) = wait(store.step_job(both)) else {
            panic!("a key was taken");
        };
        assert!(matches!(verdicts[0], WriteVerdict::Done { .. }));
        assert_eq!(verdicts[1], WriteVerdict::DuplicateKey);
        assert_eq!(dataset.counts(), counts);
        assert_eq!(dataset.by_key("NEW"), None);
        assert_eq!(get(store, "1").cursor, None);
        let one = JobStep {
            writes: vec![create(&dataset, "NEW")],
            ..step("1", "one", 2)
        };
        let StepVerdict::Done(verdicts) = wait(store.step_job(one)) else {
            panic!("nothing was in the way");
        };
        let WriteVerdict::Done { id, .. } = verdicts[0] else {
            panic!("{verdicts:?}");
        };
        assert_eq!(dataset.by_key("NEW").map(|record| record.id), Some(id));
        assert_eq!(get(store, "1").cursor, Some(json!({"rows": 2})));
        let lost = JobStep {
            writes: vec![create(&dataset, "LOST")],
            ..step("1", "other", 3)
        };
        assert_eq!(wait(store.step_job(lost)), StepVerdict::Lost);
        assert_eq!(dataset.by_key("LOST"), None);
        dataset.is_sound();
    });
}

#[test]
fn who_cancels_ends_what_waits_at_once_and_what_runs_behind_its_step() {
    each(|folder| {
        let dataset = folder.dataset();
        let store = &*dataset.store;
        add(store, "1", "t");
        add(store, "2", "t");
        take(store, "one", 1);
        let waiting = wait(store.cancel_job("2", at(3))).expect("it is there");
        assert_eq!(
            (waiting.state, waiting.ended_at),
            (JobState::Cancelled, Some(at(3)))
        );
        let running = wait(store.cancel_job("1", at(3))).expect("it is there");
        assert_eq!(
            (running.state, running.is_cancelling),
            (JobState::Running, true)
        );
        let more = JobStep {
            writes: vec![create(&dataset, "MORE")],
            ..step("1", "one", 2)
        };
        assert_eq!(wait(store.step_job(more)), StepVerdict::Cancelled);
        assert_eq!(dataset.by_key("MORE"), None);
        let ended = end(step("1", "one", 1), JobState::Cancelled);
        assert_eq!(wait(store.step_job(ended)), StepVerdict::Done(Vec::new()));
        let ended = get(store, "1");
        assert_eq!(
            (ended.state, ended.is_cancelling),
            (JobState::Cancelled, false)
        );
        let again = wait(store.cancel_job("1", at(9))).expect("it is there");
        assert_eq!(again, ended, "it ended once");
        assert!(wait(store.cancel_job("none", at(9))).is_none());
    });
}

#[test]
fn jobs_are_listed_newest_first_and_of_whom_or_what_was_asked() {
    each(|folder| {
        let store = &*folder.open();
        for (id, tenant, maker) in [
            ("1", "t", "x"),
            ("2", "t", "y"),
            ("3", "u", "x"),
            ("4", "t", "x"),
        ] {
            let mut job = job(id, tenant);
            maker.clone_into(&mut job.maker.id);
            assert_eq!(wait(store.add_job(job, 9)), AddVerdict::Added);
        }
        let ids = |filter, before, max| {
            let found = wait(store.jobs("t", filter, before, max));
            found.into_iter().map(|job| job.id).collect::<Vec<_>>()
        };
        let all = JobFilter::default();
        assert_eq!(ids(all, None, 9), ["4", "2", "1"]);
        assert_eq!(ids(all, None, 1), ["4"]);
        let number = get(store, "4").number;
        assert_eq!(ids(all, Some(number), 1), ["2"]);
        let own = JobFilter {
            maker: Some("x"),
            ..all
        };
        assert_eq!(ids(own, None, 9), ["4", "1"]);
        let elsewhere = JobFilter {
            dataset: Some("dataset of u"),
            ..all
        };
        assert!(ids(elsewhere, None, 9).is_empty());
    });
}

#[test]
fn what_a_job_left_is_found_when_it_is_old_and_its_log_is_short() {
    each(|folder| {
        let store = &*folder.open();
        add(store, "1", "t");
        take(store, "one", 1);
        let lines =
            |from: usize, count: usize| (from..from + count).map(|it| it.to_string()).collect();
        for (from, count) in [(0, 60), (60, 60)] {
            let told = JobStep {
                log: lines(from, count),
                ..step("1", "one", 1)
            };
            wait(store.step_job(told));
        }
        let log = get(store, "1").log;
        assert_eq!((log.len(), &*log[0].text), (LOG_LINES_MAX, "20"));
        let part = |holder: &str, bytes| JobFilePart {
            holder: holder.to_owned(),
            bytes,
        };
        let file = JobFileRow {
            file: JobFile::Rejects,
            name: "x.csv".to_owned(),
            bytes: 3,
            parts: vec![part("other", 2), part("one", 1)],
        };
        let ended = JobStep {
            at: at(100),
            end: Some(JobEnd {
                state: JobState::Done,
                failure: None,
                files: vec![file.clone()],
            }),
            ..step("1", "one", 2)
        };
        wait(store.step_job(ended));
        assert!(wait(store.jobs_with_files(at(100), 9)).is_empty());
        wait(store.remove_jobs(at(101)));
        let old = wait(store.jobs_with_files(at(101), 9));
        assert_eq!(old.len(), 1, "one with files stays");
        assert_eq!(old[0].files, [file]);
        wait(store.forget_job_files("1"));
        assert!(wait(store.jobs_with_files(at(101), 9)).is_empty());
        assert!(get(store, "1").files.is_empty());
        wait(store.remove_jobs(at(100)));
        assert_eq!(get(store, "1").state, JobState::Done);
        wait(store.remove_jobs(at(101)));
        assert!(wait(store.job("1")).is_none());
    });
}

#[test]
fn a_job_that_nobody_works_on_is_there_with_the_writes_behind_its_note_and_told_anew() {
    each(|folder| {
        let dataset = folder.dataset();
        let store = &*dataset.store;
        add(store, "1", "t");
        let cut_off = Job {
            kind: JobKind::Bulk,
            state: JobState::Cancelled,
            started_at: Some(at(5)),
            ended_at: Some(at(5)),
            ..job("2", "t")
        };
        // its answer is asked for when all writes are done
        let noted = store.note_job(cut_off.clone());
        dataset.create("FIRST");
        let found = get(store, "2");
        assert_eq!(
            (found.state, found.ended_at),
            (JobState::Cancelled, Some(at(5)))
        );
        wait(noted);
        let done = Job {
            state: JobState::Done,
            ended_at: Some(at(6)),
            result: Some(json!({"created": 1}).into()),
            ..cut_off
        };
        wait(store.note_job(done.clone()));
        let number = found.number;
        assert_eq!(get(store, "2"), Job { number, ..done });
        let all = wait(store.jobs("t", JobFilter::default(), None, 9));
        let ids: Vec<&str> = all.iter().map(|job| &*job.id).collect();
        assert_eq!(ids, ["2", "1"], "newest first, each once");
        assert_eq!(take(store, "one", 7).as_deref(), Some("1"));
        assert_eq!(take(store, "one", 7), None, "nobody works on it");
        wait(store.remove_jobs(at(7)));
        assert!(wait(store.job("2")).is_none(), "it goes as others do");
    });
}
