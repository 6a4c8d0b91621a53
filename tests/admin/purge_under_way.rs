//! Jobs that have read a record which is purged before they end: what they left out or tried is nowhere then, and what they wrote stays.

use crate::admin_server::AdminServer;
use crate::browser::written;
use crate::held_jobs::begun;
use crate::jobs::{ended, import, thing};
use crate::purged::holding;
use crate::undo::sent;
use serde_json::{Value, json};

/// What is to stand in no file in the end, and in nothing that a job tells.
const CANARY: &str = "canaryofapurge";
/// What a line of its log says to who can have the same again.
const AGAIN: &str = "ask for it again";

/// A job that is at the end of its first step while one of two records is purged, to its end.
struct Purged {
    server: AdminServer,
    dataset: String,
    job: Value,
}

impl Purged {
    /// One that is asked for by this, which gives its id.
    fn while_under_way(ask: impl FnOnce(&AdminServer, &str) -> String) -> Self {
        let server = AdminServer::start();
        server.use_job_files();
        let [_, _, dataset] = server.places(&thing());
        let record = |code: &str| json!({"Code": code, "Name": CANARY});
        let records = written(&server, &dataset, &[record("a"), record("b")]);
        let id = ask(&server, &dataset);
        let (service, store) = begun(&server);
        let line = json!({"delete": {"_dataObjectId": records[0]}});
        sent(&server, &dataset, &[line]);
        let purge = format!("DELETE /datasets/{dataset}/deleted-records/{}", records[0]);
        server.root(&purge, None).is(204);
        store.let_steps_go();
        let job = ended(&server, &id);
        server.tokio.block_on(service.stop_jobs());
        assert_eq!(job["state"], "done", "{job}");
        Purged {
            server,
            dataset,
            job,
        }
    }

    /// Asserts that nothing of the record is left, and says whether the job is to be asked for again.
    fn is_gone(&self) -> bool {
        let job = &self.job;
        assert_eq!(
            (&job["isPurged"], &job["files"]),
            (&json!(true), &json!([]))
        );
        assert!(!job.to_string().contains(CANARY), "{job}");
        let jobs = self.server.folder.path().join("jobs");
        assert_eq!(holding(&jobs, CANARY), Vec::<String>::new());
        let log = job["log"].to_string();
        assert!(log.contains("was purged while this ran"), "{log}");
        log.contains(AGAIN)
    }
}

/// A row that can be stored, and one whose key a record has.
fn rows() -> String {
    format!("Code,Name\nnew,other\nb,{CANARY}\n")
}

#[test]
fn rows_that_an_import_left_out_are_nowhere_where_a_record_was_purged_meanwhile() {
    let purged = Purged::while_under_way(|server, dataset| {
        let made = import(server, &server.root, dataset, "?mode=create", &rows());
        made.is(201).text("jobId")
    });
    assert!(!purged.is_gone(), "what it stored is stored");
    let result = &purged.job["importResult"];
    assert_eq!(
        (&result["created"], &result["rejected"]),
        (&json!(1), &json!(1))
    );
    let id = purged.job["jobId"].as_str().expect("an id");
    let rejects = format!("GET /jobs/{id}/rejects");
    assert_eq!(purged.server.root(&rejects, None).status, 404);
    let faults = purged
        .server
        .get(&format!("/datasets/{}/faults", purged.dataset));
    assert_eq!(faults["recordCount"], 2, "{faults}");
}

#[test]
fn an_import_that_is_only_tried_is_to_be_asked_for_again_where_a_record_was_purged_meanwhile() {
    let purged = Purged::while_under_way(|server, dataset| {
        let query = "?mode=create&dryRun=true";
        let made = import(server, &server.root, dataset, query, &rows());
        made.is(201).text("jobId")
    });
    assert!(purged.is_gone());
    let id = purged.job["jobId"].as_str().expect("an id");
    let again = format!("POST /datasets/{}/imports?fileOf={id}", purged.dataset);
    purged.server.root(&again, None).is(409);
}

#[test]
fn a_repair_that_is_only_tried_is_to_be_asked_for_again_where_a_record_was_purged_meanwhile() {
    let purged = Purged::while_under_way(|server, dataset| {
        let action = json!({"replace": {"text": CANARY, "with": "none"}});
        let options = json!({"field": "Name", "dryRun": true, "action": action});
        let made = server.make(&format!("/datasets/{dataset}/repairs"), options);
        made.text("jobId")
    });
    assert!(purged.is_gone());
    assert_eq!(purged.job["isDryRun"], true, "{}", purged.job);
    let changed = &purged.job["revisionResult"]["changed"];
    assert!(changed.as_u64() > Some(0), "counts stay: {}", purged.job);
}

#[test]
fn a_repair_that_writes_says_nothing_of_asking_again() {
    let purged = Purged::while_under_way(|server, dataset| {
        let options = json!({"field": "Name", "action": {"set": "other"}});
        let made = server.make(&format!("/datasets/{dataset}/repairs"), options);
        made.text("jobId")
    });
    assert!(!purged.is_gone());
}
