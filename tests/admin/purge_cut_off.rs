//! A purge beside jobs under way, and one that is cut off: what jobs keep of the record is gone with it, goes at their end or
//! with the next start, or the record is there still and is purged again.

use crate::admin_server::{AdminServer, names};
use crate::browser::{Browser, give_ada, written};
use crate::held_jobs::begun;
use crate::jobs::{ended, imported, server, thing};
use crate::purged::holding;
use crate::undo::sent;
use runtime::service::{Caller, Parts, Service, Settings};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;
use tests::clock::SeededEntropy;
use tests::trick_store::TrickStore;

/// A dataset with deleted records, and an import that left rows out which have their values.
struct Deleted {
    server: AdminServer,
    schema: String,
    dataset: String,
    records: Vec<String>,
    import: String,
    service: Service,
    store: Arc<TrickStore>,
    by: Caller,
}

impl Deleted {
    fn of(keys: &[&str]) -> Self {
        let server = server();
        let [_, schema, dataset] = server.places(&thing());
        let made: Vec<_> = keys.iter().map(|key| json!({"Code": key})).collect();
        let records = written(&server, &dataset, &made);
        let mut file = String::from("Code,Name\n");
        for key in keys {
            writeln!(file, "{key},secret").expect("a text takes it");
        }
        let job = imported(&server, &dataset, "?mode=create", &file);
        assert_eq!(job["importResult"]["rejected"], keys.len(), "{job}");
        for id in &records {
            let line = json!({"delete": {"_dataObjectId": id}});
            sent(&server, &dataset, &[line]);
        }
        let store = TrickStore::new(server.opened.store.clone());
        let (clock, entropy) = (server.clock.clone(), SeededEntropy::default());
        let service = Service::new(store.clone(), clock, Arc::new(entropy), Settings::default());
        let service = server.tokio.block_on(service).expect("a service");
        service.use_job_files(server.folder.path().join("jobs"));
        let by = service.authenticate(&server.root).expect("a caller");
        Deleted {
            import: job["jobId"].as_str().expect("an id").to_owned(),
            server,
            schema,
            dataset,
            records,
            service,
            store,
            by,
        }
    }

    /// Purges a record; whether that is told as done.
    fn purge(&self, record: &str) -> bool {
        self.purge_in(&self.dataset, record)
    }

    fn purge_in(&self, dataset: &str, record: &str) -> bool {
        let purge = self.service.purge_record(&self.by, dataset, record);
        self.server.tokio.block_on(purge).is_ok()
    }

    /// Another dataset with a deleted record, and that.
    fn beside(&self) -> (String, String) {
        let path = format!("/schemas/{}/datasets", self.schema);
        let made = self.server.make(&path, json!({"name": "Asia"}));
        let dataset = made.text("dataSetId");
        let mut records = written(&self.server, &dataset, &[json!({"Code": "z"})]);
        let record = records.pop().expect("it is written");
        let line = json!({"delete": {"_dataObjectId": record}});
        sent(&self.server, &dataset, &[line]);
        (dataset, record)
    }

    /// How many datasets have a purge that is not settled.
    fn unsettled(&self) -> usize {
        let left = self.server.opened.store.unsettled_purges(None);
        self.server.tokio.block_on(left).expect("a store").len()
    }

    fn deleted(&self) -> Vec<String> {
        let path = format!("/datasets/{}/deleted-records", self.dataset);
        names(&self.server.get(&path), "dataObjectId")
    }

    /// What is answered to who asks for the rows that the import left out.
    fn rejects(&self) -> u16 {
        self.rejects_of(&self.import)
    }

    fn rejects_of(&self, import: &str) -> u16 {
        let line = format!("GET /jobs/{import}/rejects");
        self.server.root(&line, None).status
    }
}

#[test]
fn a_purge_that_is_cut_off_right_behind_it_has_left_nothing_of_the_record_in_jobs() {
    let deleted = Deleted::of(&["a"]);
    assert_eq!(deleted.rejects(), 200);
    deleted.store.end_behind_purge();
    assert!(deleted.purge(&deleted.records[0]), "the record is gone");
    assert_eq!(deleted.deleted(), Vec::<String>::new());
    assert_eq!(deleted.rejects(), 404);
    assert_eq!(deleted.unsettled(), 1);
}

#[test]
fn a_purge_settles_its_own_dataset_and_leaves_those_of_others_to_the_cleaning() {
    let deleted = Deleted::of(&["a"]);
    let (other, record) = deleted.beside();
    deleted.store.fail_settling(1);
    assert!(deleted.purge(&deleted.records[0]), "the record is gone");
    assert!(deleted.purge_in(&other, &record));
    assert_eq!(deleted.unsettled(), 1, "that of the first one");
    let cleaned = deleted.service.clean_jobs();
    deleted.server.tokio.block_on(cleaned).expect("it cleans");
    assert_eq!(deleted.unsettled(), 0);
}

#[test]
fn what_keeps_one_purge_from_being_settled_keeps_no_other_and_no_cleaning() {
    let deleted = Deleted::of(&["a"]);
    let (other, record) = deleted.beside();
    deleted.store.fail_settling(2);
    assert!(deleted.purge(&deleted.records[0]));
    assert!(deleted.purge_in(&other, &record));
    assert_eq!(deleted.unsettled(), 2);
    let job = format!("GET /jobs/{}", deleted.import);
    deleted.server.root(&job, None).is(200);
    // so long that jobs are kept no more
    deleted.server.clock.forward(100 * 24 * 3600);
    deleted.store.fail_settling(1);
    let clean = || {
        let cleaned = deleted.service.clean_jobs();
        deleted.server.tokio.block_on(cleaned)
    };
    assert!(clean().is_err(), "it is told");
    assert_eq!(deleted.unsettled(), 1, "the other one is settled");
    deleted.server.root(&job, None).is(404);
    clean().expect("nothing is in the way");
    assert_eq!(deleted.unsettled(), 0);
}

#[test]
fn a_job_that_was_asked_for_since_a_purge_keeps_what_it_has_where_that_is_settled_late() {
    let deleted = Deleted::of(&["a"]);
    deleted.store.end_behind_purge();
    assert!(deleted.purge(&deleted.records[0]));
    let server = &deleted.server;
    // in the order of the log it is later, whatever clocks say
    server.clock.forward(-24 * 3600);
    let file = "Code,Name\nb,other\nb,other\n";
    let since = imported(server, &deleted.dataset, "?mode=create", file);
    assert_eq!(since["importResult"]["rejected"], 1, "{since}");
    let since = since["jobId"].as_str().expect("an id");
    assert_eq!(deleted.unsettled(), 1);
    let cleaned = server.tokio.block_on(server.service.clean_jobs());
    cleaned.expect("it cleans");
    assert_eq!(deleted.unsettled(), 0);
    assert_eq!(deleted.rejects_of(since), 200);
    assert_eq!(deleted.rejects(), 404);
}

#[test]
fn a_purge_that_can_not_empty_the_jobs_leaves_the_record_to_be_purged_again() {
    let deleted = Deleted::of(&["a"]);
    deleted.store.fail_retelling();
    assert!(!deleted.purge(&deleted.records[0]));
    assert_eq!(deleted.deleted(), deleted.records);
    assert!(deleted.purge(&deleted.records[0]));
    assert_eq!(deleted.deleted(), Vec::<String>::new());
    assert_eq!(deleted.rejects(), 404);
}

#[test]
fn jobs_that_keep_nothing_or_were_emptied_before_are_not_told_anew() {
    let deleted = Deleted::of(&["a", "b"]);
    for number in 0..3 {
        let line = |kind: &str| json!({"create": {"Code": format!("{kind} {number}")}});
        let lines = [line("one"), line("other")];
        let (job, _) = sent(&deleted.server, &deleted.dataset, &lines);
        assert!(!job.is_empty(), "it is a job");
    }
    assert!(deleted.purge(&deleted.records[0]));
    assert_eq!(deleted.store.retold(), 1, "the import alone");
    assert!(deleted.purge(&deleted.records[1]));
    assert_eq!(deleted.store.retold(), 1);
}

/// What is to stand in no file in the end.
const CANARY: &str = "canaryofapurge";

/// An export at the end of its first step, which another server works on, and the record that stands in its file.
struct Exporting {
    server: AdminServer,
    dataset: String,
    record: String,
    export: String,
    service: Arc<Service>,
    store: Arc<TrickStore>,
}

impl Exporting {
    fn start() -> Self {
        let server = AdminServer::start();
        server.use_job_files();
        let [area, _, dataset] = server.places(&thing());
        give_ada(&server, &area);
        let made = written(&server, &dataset, &[json!({"Code": "a", "Name": CANARY})]);
        let path = format!("/datasets/{dataset}/exports");
        let export = server.make(&path, json!({})).text("jobId");
        let (service, store) = begun(&server);
        let record = made[0].clone();
        let line = json!({"delete": {"_dataObjectId": record}});
        sent(&server, &dataset, &[line]);
        let exporting = Exporting {
            server,
            dataset,
            record,
            export,
            service,
            store,
        };
        assert_eq!(exporting.files().len(), 1, "it has read the record");
        exporting
    }

    /// Files of jobs that hold the record.
    fn files(&self) -> Vec<String> {
        holding(&self.server.folder.path().join("jobs"), CANARY)
    }

    /// Lets the export go on to its end.
    fn end(&self) -> Value {
        self.store.let_steps_go();
        let job = ended(&self.server, &self.export);
        self.server.tokio.block_on(self.service.stop_jobs());
        assert_eq!(job["state"], "done", "{job}");
        job
    }

    /// What is answered to who asks for the file.
    fn download(&self) -> u16 {
        let line = format!("GET /jobs/{}/export", self.export);
        self.server.root(&line, None).status
    }
}

#[test]
fn what_an_export_has_read_of_a_record_that_is_purged_meanwhile_is_nowhere_at_its_end() {
    let exporting = Exporting::start();
    let (server, dataset) = (&exporting.server, &exporting.dataset);
    let purge = format!("/datasets/{dataset}/deleted-records/{}", exporting.record);
    server.root(&format!("DELETE {purge}"), None).is(204);
    let job = exporting.end();
    assert_eq!(
        (&job["isPurged"], &job["files"]),
        (&json!(true), &json!([]))
    );
    let told = "a record of the dataset was purged while this ran";
    assert!(job["log"].to_string().contains(told), "{job}");
    assert_eq!(exporting.files(), Vec::<String>::new());
    assert_eq!(exporting.download(), 404);
    // the next one is a job like any other
    let path = format!("/datasets/{dataset}/exports");
    let next = server.make(&path, json!({})).text("jobId");
    server.start_jobs();
    let next = ended(server, &next);
    assert_eq!(next["isPurged"], json!(null), "{next}");
    assert_eq!(next["files"][0]["file"], "export", "{next}");
    let browser = Browser::signed_in(server);
    let page = browser.get(&format!("/app/jobs/{}", exporting.export));
    assert!(page.is(200).body.contains(told));
}

#[test]
fn a_purge_that_was_cut_off_before_jobs_were_emptied_is_settled_by_the_next_start() {
    let exporting = Exporting::start();
    let server = &exporting.server;
    let store = TrickStore::new(server.opened.store.clone());
    store.end_behind_purge();
    let (clock, entropy) = (server.clock.clone(), SeededEntropy::default());
    let service = Service::new(store, clock, Arc::new(entropy), Settings::default());
    let service = server.tokio.block_on(service).expect("a service");
    service.use_job_files(server.folder.path().join("jobs"));
    let by = service.authenticate(&server.root).expect("a caller");
    let purge = service.purge_record(&by, &exporting.dataset, &exporting.record);
    assert!(server.tokio.block_on(purge).is_ok(), "the record is gone");
    // it ends before anybody comes
    let job = exporting.end();
    assert_eq!(job["isPurged"], json!(null), "{job}");
    assert_eq!(exporting.files().len(), 1);
    let started = Service::open(Parts {
        clock: server.clock.clone(),
        job_folder: Some(server.folder.path().join("jobs")),
        ..Parts::new(server.opened.store.clone())
    });
    let started = server.tokio.block_on(started).expect("a service");
    assert_eq!(exporting.files(), Vec::<String>::new());
    assert_eq!(exporting.download(), 404);
    let job = ended(server, &exporting.export);
    assert_eq!(
        (&job["isPurged"], &job["files"]),
        (&json!(true), &json!([]))
    );
    let left = server.opened.store.unsettled_purges(None);
    assert_eq!(server.tokio.block_on(left).expect("a store"), []);
    server.tokio.block_on(started.close()).expect("it ends");
}
