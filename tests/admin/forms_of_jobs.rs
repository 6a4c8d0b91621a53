//! Forms that ask for jobs, as the service takes them: what who sends one again is shown, and what stays of one for which there
//! was no room. What the pages make of them is in `pages_made_once.rs`.

use crate::admin_server::AdminServer;
use crate::jobs::{ended, import, thing, working};
use runtime::service::manage::{ExportOptions, ImportOptions};
use runtime::service::{Caller, FormJob, JobSettings, Refusal};
use runtime::store::jobs::{JobChoice, JobLease, JobStep, StepVerdict};
use serde_json::json;

const FILE: &str = "Code\n1\n";

/// Sends the file with a form's mark, or without one.
fn sent(server: &AdminServer, by: &Caller, dataset: &str, mark: &str) -> Result<FormJob, Refusal> {
    server.tokio.block_on(async {
        let begun = server
            .service
            .begin_import(by, dataset, ImportOptions::default());
        let mut upload = begun.await?.once(mark);
        upload.write(FILE.into()).await?;
        upload.finish_form().await
    })
}

/// A server on which nobody works jobs off by itself.
fn idle(waiting_max: u32) -> AdminServer {
    working(JobSettings {
        workers: 0,
        waiting_max,
        ..JobSettings::default()
    })
}

#[test]
fn who_sends_a_form_again_is_shown_no_more_of_its_job_than_who_asks_for_that() {
    let server = idle(10);
    let [area, _, dataset] = server.places(&thing());
    let (id, key) = server.key("loader", &[&server.role("MEMBER")], &[]);
    let may = |verbs: &[&str]| {
        let grants = json!([{"area": area, "verbs": verbs}]);
        let roles = [server.role("MEMBER")];
        let own = json!({"name": "loader", "active": true, "roles": roles, "grants": grants});
        let line = format!("PUT /api-keys/{id}");
        server.root(&line, Some(own)).is(200);
        server.service.authenticate(&key).expect("a caller")
    };
    let by = may(&["add", "view"]);
    let made = sent(&server, &by, &dataset, "a mark").expect("a job");
    assert!(!made.is_repeat);
    // a line of its log, which may name a record
    let now = server.service.now();
    let (holder, until) = ("a test".to_owned(), now.plus_seconds(60));
    let lease = JobLease {
        holder: holder.clone(),
        until,
    };
    let store = server.service.store();
    let choice = JobChoice::One(made.job.job_id.clone());
    let taken = server.tokio.block_on(store.take_job(choice, lease, now));
    assert!(taken.expect("a store").is_some(), "it waits");
    let step = JobStep {
        id: made.job.job_id.clone(),
        holder,
        at: now,
        until,
        writes: Vec::new(),
        update: None,
        log: vec!["something of a record".to_owned()],
        is_elsewhere: false,
        end: None,
    };
    let stepped = server.tokio.block_on(store.step_job(step));
    assert!(matches!(stepped, Ok(StepVerdict::Done(_))), "{stepped:?}");
    for (verbs, lines) in [(&["add", "view"][..], 1), (&["add"], 0)] {
        let again = sent(&server, &may(verbs), &dataset, "a mark").expect("a job");
        assert_eq!(again.job.job_id, made.job.job_id);
        assert!(again.is_repeat);
        assert_eq!(again.job.log.len(), lines, "{verbs:?}");
    }
}

#[test]
fn nothing_that_a_form_sent_stays_where_there_was_no_room_and_it_may_come_again() {
    let server = idle(1);
    let [_, _, dataset] = server.places(&thing());
    let by = server.service.authenticate(&server.root).expect("a caller");
    let files = || {
        let found = std::fs::read_dir(server.folder.path().join("jobs"));
        found.map_or(0, Iterator::count)
    };
    for mark in ["", "a mark"] {
        // the last place is taken while the file is on its way
        let (refused, first) = server.tokio.block_on(async {
            let service = &server.service;
            let begun = service.begin_import(&by, &dataset, ImportOptions::default());
            let mut upload = begun.await.expect("begun").once(mark);
            upload.write(FILE.into()).await.expect("written");
            let first = service.export_dataset(&by, &dataset, ExportOptions::default());
            let first = first.await.expect("a job");
            (upload.finish_form().await, first)
        });
        assert!(matches!(refused, Err(Refusal::Conflict(_))), "{refused:?}");
        assert_eq!(files(), 0, "{mark:?}");
        let cancel = format!("POST /jobs/{}/cancel", first.job_id);
        server.root(&cancel, None).is(200);
    }
    // and the same form has its job
    let made = sent(&server, &by, &dataset, "a mark").expect("a job");
    let id = made.job.job_id;
    assert!(!made.is_repeat && files() == 1);
    let worked = server.tokio.block_on(server.service.run_job(&id));
    worked.expect("it is worked off");
    let job = ended(&server, &id);
    assert_eq!(
        (&job["state"], &job["importResult"]["created"]),
        (&json!("done"), &json!(1))
    );
    // what has no mark is a job of its own each time
    let other = import(&server, &server.root, &dataset, "", FILE).is(201);
    assert_ne!(other.text("jobId"), id);
}
