//! The queue of jobs: each is taken by one at a time, again by another when its lease ran out, and no tenant takes all turns.

use crate::engines::{IS_ALONE, StoreFolder, each, pass, wait};
use crate::jobs::{add, at, end, get, job, lease, step, take};
use runtime::service::manage::{JobKind, JobState};
use runtime::store::jobs::{AddVerdict, Job, JobChoice, JobStep, RunningJob, StepVerdict};
use serde_json::json;

#[test]
fn a_job_is_taken_by_one_and_again_when_its_lease_ran_out() {
    each(|folder: &StoreFolder| {
        let store = &*folder.open();
        add(store, "1", "t");
        let waiting = get(store, "1");
        assert_eq!(
            (waiting.state, waiting.started_at),
            (JobState::Queued, None)
        );
        assert_eq!(take(store, "one", 1).as_deref(), Some("1"));
        assert_eq!(take(store, "other", 2), None);
        let running = get(store, "1");
        assert_eq!(
            (running.state, running.started_at),
            (JobState::Running, Some(at(1)))
        );
        pass(folder, 60);
        assert_eq!(take(store, "other", 61).as_deref(), Some("1"));
        let begun = get(store, "1").started_at;
        assert_eq!(begun, Some(at(1)), "it began when it began");
        assert_eq!(wait(store.step_job(step("1", "one", 1))), StepVerdict::Lost);
        let done = StepVerdict::Done(Vec::new());
        assert_eq!(wait(store.step_job(step("1", "other", 1))), done);
        let ended = end(step("1", "other", 2), JobState::Done);
        assert_eq!(wait(store.step_job(ended)), done);
        assert_eq!(take(store, "one", 1000), None);
        assert_eq!(
            wait(store.step_job(step("1", "other", 3))),
            StepVerdict::Lost
        );
    });
}

/// For how long a lease is believed that a clock left which was ahead; none lasts longer than some minutes.
const HOUR: i64 = 3600;

#[test]
fn a_job_whose_lease_would_last_longer_than_any_does_is_taken_by_another_one() {
    each(|folder| {
        let store = &*folder.open();
        for (ahead, is_believed) in [(HOUR - 120, true), (HOUR + 120, false)] {
            let id = ahead.to_string();
            add(store, &id, "t");
            let take = |holder: &str, now: i64| {
                let one = JobChoice::One(id.clone());
                wait(store.take_job(one, lease(holder, now + 60), at(now))).is_some()
            };
            assert!(take("ahead", ahead));
            pass(folder, -ahead);
            assert_eq!(take("right", 0), !is_believed, "{ahead}");
            let stepped = wait(store.step_job(step(&id, "ahead", 1)));
            let is_lost = stepped == StepVerdict::Lost;
            assert_eq!(is_lost, !is_believed, "{ahead}");
        }
    });
}

#[test]
fn a_store_that_is_opened_again_has_nobody_at_work() {
    each(|folder| {
        {
            let store = &*folder.open();
            add(store, "1", "t");
            assert_eq!(take(store, "one", 1).as_deref(), Some("1"));
            wait(store.step_job(step("1", "one", 40)));
        }
        let store = &*folder.open();
        // where others may have the store, the one who is gone is known by its lease alone
        let moment = if IS_ALONE { 2 } else { 1000 };
        pass(folder, moment);
        assert_eq!(take(store, "next", moment).as_deref(), Some("1"));
        let job = get(store, "1");
        assert_eq!(job.cursor, Some(json!({"rows": 40})));
        let result = job.result.as_ref().expect("a result");
        assert_eq!(result.get(), r#"{"created":40}"#);
        assert_eq!(job.progress.rows, 40);
        assert_eq!(job.options.get(), r#"{"mode":"create"}"#);
    });
}

#[test]
fn how_often_a_job_was_taken_and_not_given_back_is_counted_until_it_gets_further() {
    each(|folder| {
        let store = &*folder.open();
        add(store, "1", "t");
        assert_eq!(get(store, "1").tries, 0);
        let tries_of = |holder: &str, now: i64, change: &dyn Fn(JobStep) -> JobStep| {
            assert_eq!(take(store, holder, now).as_deref(), Some("1"));
            let one = JobStep {
                at: at(now),
                until: at(now + 60),
                ..step("1", holder, 7)
            };
            let stepped = wait(store.step_job(change(one)));
            assert_eq!(stepped, StepVerdict::Done(Vec::new()));
            let tries = get(store, "1").tries;
            pass(folder, 60);
            tries
        };
        let held = |one: JobStep| JobStep {
            update: None,
            ..one
        };
        let given_back = |one: JobStep| JobStep {
            until: one.at,
            ..held(one)
        };
        let elsewhere = |one: JobStep| JobStep {
            is_elsewhere: true,
            ..given_back(one)
        };
        assert_eq!(tries_of("one", 1, &held), 1);
        assert_eq!(tries_of("two", 61, &held), 2, "nothing came of it");
        assert_eq!(tries_of("three", 121, &|one| one), 0, "it got further");
        assert_eq!(
            tries_of("four", 181, &|one| one),
            1,
            "it stands where it was"
        );
        assert_eq!(tries_of("five", 241, &held), 2);
        assert_eq!(
            tries_of("six", 301, &given_back),
            2,
            "it was taken for nothing"
        );
        assert_eq!(tries_of("seven", 361, &elsewhere), 2, "and once more");
        assert_eq!(tries_of("eight", 421, &held), 3);
    });
}

#[test]
fn since_when_a_job_waits_for_who_has_its_file_is_known_until_it_gets_further() {
    each(|folder| {
        let store = &*folder.open();
        add(store, "1", "t");
        let since_of = |moment: i64, change: &dyn Fn(JobStep) -> JobStep| {
            assert_eq!(take(store, "one", 60).as_deref(), Some("1"));
            let one = JobStep {
                at: at(moment),
                until: at(moment),
                ..step("1", "one", 7)
            };
            let stepped = wait(store.step_job(change(one)));
            assert_eq!(stepped, StepVerdict::Done(Vec::new()));
            get(store, "1").elsewhere_since
        };
        let given_back = |one: JobStep| JobStep {
            update: None,
            ..one
        };
        let elsewhere = |one: JobStep| JobStep {
            is_elsewhere: true,
            ..given_back(one)
        };
        assert_eq!(since_of(10, &given_back), None);
        assert_eq!(since_of(20, &elsewhere), Some(at(20)));
        assert_eq!(since_of(30, &elsewhere), Some(at(20)), "the first time");
        assert_eq!(since_of(40, &given_back), Some(at(20)));
        assert_eq!(since_of(15, &elsewhere), Some(at(15)), "by another clock");
        assert_eq!(since_of(50, &|one| one), None, "it got further");
    });
}

#[test]
fn each_tenant_has_so_many_at_work_and_so_many_waiting() {
    each(|folder| {
        let store = &*folder.open();
        for (id, tenant) in [("1", "t"), ("2", "t"), ("3", "u")] {
            add(store, id, tenant);
        }
        let added = wait(store.add_job(job("4", "t"), 2));
        assert_eq!(added, AddVerdict::Full, "two wait already");
        assert!(wait(store.job("4")).is_none());
        assert_eq!(take(store, "one", 1).as_deref(), Some("1"));
        assert_eq!(take(store, "one", 1).as_deref(), Some("3"), "t has its one");
        assert_eq!(take(store, "one", 1), None);
        let of = |id: &str, name: &str| RunningJob {
            id: id.to_owned(),
            dataset: format!("dataset of {name}"),
            schema: format!("schema of {name}"),
        };
        let mut running = wait(store.running_jobs());
        running.sort_by(|one, other| one.dataset.cmp(&other.dataset));
        assert_eq!(running, [of("1", "t"), of("3", "u")]);
        wait(store.step_job(end(step("1", "one", 1), JobState::Failed)));
        assert_eq!(wait(store.running_jobs()), [of("3", "u")]);
        assert_eq!(take(store, "one", 1).as_deref(), Some("2"));
        let second = JobChoice::One("2".to_owned());
        let taken = wait(store.take_job(second, lease("other", 99), at(2)));
        assert!(taken.is_none(), "someone has it");
    });
}

#[test]
fn who_has_nothing_at_work_comes_before_the_many_of_another() {
    each(|folder| {
        let store = &*folder.open();
        for (id, tenant) in [("1", "t"), ("2", "t"), ("3", "t"), ("4", "u"), ("5", "u")] {
            add(store, id, tenant);
        }
        let take = || {
            let next = JobChoice::Next {
                running_max: 2,
                left: Vec::new(),
            };
            let taken = wait(store.take_job(next, lease("one", 99), at(1)));
            taken.map(|job| job.id)
        };
        for expected in [Some("1"), Some("4"), Some("2"), Some("5"), None] {
            assert_eq!(take().as_deref(), expected);
        }
    });
}

#[test]
fn what_a_server_leaves_to_others_it_does_not_take_and_others_do() {
    each(|folder| {
        let store = &*folder.open();
        for id in ["1", "2"] {
            add(store, id, "t");
        }
        let take = |left: &[&str]| {
            let next = JobChoice::Next {
                running_max: 2,
                left: left.iter().map(|id| (*id).to_owned()).collect(),
            };
            let taken = wait(store.take_job(next, lease("one", 99), at(1)));
            taken.map(|job| job.id)
        };
        assert_eq!(take(&["1"]).as_deref(), Some("2"));
        assert_eq!(take(&["1"]), None);
        assert_eq!(take(&[]).as_deref(), Some("1"));
    });
}

#[test]
fn a_job_with_the_id_of_another_is_none_however_far_that_is() {
    each(|folder| {
        let store = &*folder.open();
        let ask = |tenant: &str| wait(store.add_job(job("1", tenant), 9));
        assert_eq!(ask("t"), AddVerdict::Added);
        assert_eq!(ask("t"), AddVerdict::ThereAlready, "it waits");
        assert_eq!(take(store, "one", 1).as_deref(), Some("1"));
        assert_eq!(ask("other"), AddVerdict::ThereAlready);
        wait(store.step_job(end(step("1", "one", 1), JobState::Failed)));
        assert_eq!(ask("t"), AddVerdict::ThereAlready, "it has ended");
        let stored = wait(store.job("1")).expect("a job");
        assert_eq!((&*stored.tenant, stored.state), ("t", JobState::Failed));
    });
}

#[test]
fn one_undoing_of_a_job_at_a_time_waits_or_is_under_way() {
    each(|folder| {
        let store = &*folder.open();
        let ask = |id: &str, undone: &str| {
            let undoing = Job {
                kind: JobKind::Undo,
                options: json!({"jobId": undone}).into(),
                ..job(id, "t")
            };
            wait(store.add_job(undoing, 9))
        };
        assert_eq!(ask("1", "a"), AddVerdict::Added);
        assert_eq!(ask("2", "a"), AddVerdict::UndoneAlready, "one waits");
        assert!(wait(store.job("2")).is_none());
        assert_eq!(ask("3", "b"), AddVerdict::Added, "it is another job's");
        assert_eq!(take(store, "one", 1).as_deref(), Some("1"));
        assert_eq!(ask("2", "a"), AddVerdict::UndoneAlready);
        let cancelled = wait(store.cancel_job("1", at(2)));
        assert!(cancelled.expect("a job").is_cancelling);
        assert_eq!(ask("2", "a"), AddVerdict::UndoneAlready, "it goes on");
        let ended = end(step("1", "one", 1), JobState::Cancelled);
        wait(store.step_job(ended));
        assert_eq!(ask("2", "a"), AddVerdict::Added);
    });
}

#[test]
fn a_job_of_a_command_is_taken_by_the_command_alone_and_found_once_the_command_is_gone() {
    each(|folder| {
        let store = &*folder.open();
        let of_command = Job {
            is_of_command: true,
            ..job("1", "t")
        };
        assert_eq!(wait(store.add_job(of_command, 9)), AddVerdict::Added);
        add(store, "2", "t");
        let taken = |choice: JobChoice, holder: &str, now: i64| {
            let taken = wait(store.take_job(choice, lease(holder, now + 60), at(now)));
            taken.map(|job| job.id)
        };
        if !IS_ALONE {
            let left = taken(JobChoice::LeftByCommand, "other", 1);
            assert_eq!(left, None, "its command is just about to take it");
        }
        let next = take(store, "server", 1);
        assert_eq!(next.as_deref(), Some("2"), "no server takes it");
        let own = taken(JobChoice::One("1".to_owned()), "command", 1);
        assert_eq!(own.as_deref(), Some("1"));
        assert_eq!(taken(JobChoice::LeftByCommand, "other", 2), None);
        wait(store.step_job(step("1", "command", 40)));
        wait(store.step_job(end(step("2", "server", 1), JobState::Done)));
        pass(folder, 60);
        assert_eq!(take(store, "server", 66), None, "nobody goes on with it");
        let left = taken(JobChoice::LeftByCommand, "server", 66);
        assert_eq!(left.as_deref(), Some("1"));
        assert_eq!(taken(JobChoice::LeftByCommand, "other", 67), None);
        wait(store.step_job(end(step("1", "server", 40), JobState::Failed)));
        assert_eq!(get(store, "1").progress.rows, 40);
        assert_eq!(taken(JobChoice::LeftByCommand, "other", 1000), None);
    });
}

#[test]
fn what_was_said_of_a_job_makes_it_no_job_of_a_command() {
    each(|folder| {
        let store = &*folder.open();
        let alike = Job {
            options: json!({"is_of_command": true}).into(),
            ..job("1", "t")
        };
        assert_eq!(wait(store.add_job(alike, 9)), AddVerdict::Added);
        let left = store.take_job(JobChoice::LeftByCommand, lease("other", 160), at(100));
        assert!(wait(left).is_none());
        assert_eq!(take(store, "server", 100).as_deref(), Some("1"));
    });
}

#[test]
fn the_document_of_a_job_of_a_command_ends_with_that() {
    let of_command = Job {
        is_emptied: true,
        is_of_command: true,
        ..job("1", "t")
    };
    let document = serde_json::to_string(&of_command).expect("JSON");
    assert!(
        document.ends_with(r#","is_of_command":true}"#),
        "{document}"
    );
}
